// The reference library's side of ReferenceBench: reads commands, does the work, answers with thread CPU nanoseconds and a count.
//
//   parse FILE    reads the ads of the new syntax, one a line, and keeps them; answers with the number of attributes
//   bytes         answers with 0 and the bytes that the heap of this program has in use
//   optimise      prepares the kept ads for matching, as a negotiator does; answers with the number of ads
//   match FILE    matches each job ad of the file, prepared, with all kept ads, and ranks both sides of each match;
//                 answers with the number of matches
//
// Debian 13:  apt-get install condor-dev libpcre2-dev g++
//             g++ -std=c++20 -O2 -static -o reference test/reference/classads.cpp -lclassad -lpcre2-8
#include <classad/classad_distribution.h>
#include <classad/matchClassad.h>
#include <ctime>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <memory>
#include <string>
#include <vector>

using Ads = std::vector<std::unique_ptr<classad::ClassAd>>;

static long long cpu() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static std::vector<std::string> lines(const std::string &file) {
    std::ifstream in(file);
    std::vector<std::string> texts;
    for (std::string line; std::getline(in, line);) texts.push_back(line);
    return texts;
}

static Ads parsed(const std::vector<std::string> &texts) {
    Ads ads;
    classad::ClassAdParser parser;
    for (const std::string &text : texts) {
        ads.emplace_back(parser.ParseClassAd(text, true));
        if (!ads.back()) throw std::runtime_error("cannot read " + text);
    }
    return ads;
}

static double rank(classad::ClassAd &ad) {
    double value = 0;
    return ad.EvaluateAttrNumber("Rank", value) ? value : 0;
}

static long long matches(const Ads &jobs, const Ads &machines, double &best) {
    long long count = 0;
    classad::MatchClassAd pair;
    for (const auto &job : jobs) {
        pair.ReplaceLeftAd(job.get());
        for (const auto &machine : machines) {
            pair.ReplaceRightAd(machine.get());
            if (pair.symmetricMatch()) {
                count++;
                best = std::max(best, rank(*job) + rank(*machine));
            }
            pair.RemoveRightAd();
        }
        pair.RemoveLeftAd();
    }
    return count;
}

int main() {
    classad::SetOldClassAdSemantics(true);
    Ads machines;
    double best = 0;
    for (std::string command, file; std::cin >> command;) {
        long long count = 0, began = 0, ended = 0;
        std::string error;
        if (command == "parse") {
            std::cin >> file;
            machines.clear();
            auto texts = lines(file);
            began = cpu();
            machines = parsed(texts);
            ended = cpu();
            for (const auto &ad : machines) count += ad->size();
        } else if (command == "bytes") {
            count = mallinfo2().uordblks + mallinfo2().hblkhd;
        } else if (command == "optimise") {
            began = cpu();
            for (const auto &ad : machines) count += classad::MatchClassAd::OptimizeRightAdForMatchmaking(ad.get(), &error);
            ended = cpu();
        } else if (command == "match") {
            std::cin >> file;
            Ads jobs = parsed(lines(file));
            for (const auto &job : jobs) classad::MatchClassAd::OptimizeLeftAdForMatchmaking(job.get(), &error);
            began = cpu();
            count = matches(jobs, machines, best);
            ended = cpu();
        }
        std::cout << ended - began << ' ' << count << std::endl;
    }
    std::cerr << "highest rank " << best << std::endl;
}
