// The reference library's answers to cases of the conformance corpus: a case a line in, {"expect": ...} a line out. Cases of evaluation
// only; expect is null where the library has no such function of its own, gives up, needs more than two seconds, or dies of the case.
//
// Debian 13:  apt-get install condor-dev libpcre2-dev g++
//             g++ -std=c++20 -O2 -static -o cases test/reference/cases.cpp -lclassad -lpcre2-8
#include <classad/classad_distribution.h>
#include <classad/jsonSource.h>
#include <classad/matchClassad.h>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <regex>
#include <string>
#include <unistd.h>

using classad::ExprTree;
using classad::Value;

static const int DEEPEST = 5;
static sigjmp_buf again;
static classad::ClassAd *my;

static std::string quoted(const std::string &bytes) {
    std::string text = "\"";
    char escape[8];
    for (unsigned char c : bytes) {
        if (c < 32 || c == '"' || c == '\\') {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            text += escape;
        } else {
            text += char(c);
        }
    }
    return text + "\"";
}

static std::string real(double value) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return std::isnan(value) ? "\"NaN\"" : std::isinf(value) ? (value < 0 ? "\"-Infinity\"" : "\"Infinity\"") : quoted(text);
}

static std::string shown(const Value &value, int depth);

static std::string part(const ExprTree *tree, const classad::ClassAd *around, int depth) {
    classad::EvalState state;
    Value value;
    if (!tree->GetParentScope()) const_cast<ExprTree *>(tree)->SetParentScope(around ? around : my);
    state.SetScopes(tree->GetParentScope());
    if (!tree->Evaluate(state, value)) siglongjmp(again, 1);
    return shown(value, depth + 1);
}

static std::string shown(const Value &value, int depth) {
    bool truth;
    long long integer;
    double number;
    std::string text;
    classad::abstime_t time;
    const classad::ExprList *list;
    const classad::ClassAd *ad;
    if (value.IsUndefinedValue()) return "{\"t\":\"undefined\"}";
    if (value.IsBooleanValue(truth)) return std::string("{\"t\":\"bool\",\"v\":") + (truth ? "true}" : "false}");
    if (value.IsIntegerValue(integer)) return "{\"t\":\"int\",\"v\":\"" + std::to_string(integer) + "\"}";
    if (value.IsRealValue(number)) return "{\"t\":\"real\",\"v\":" + real(number) + "}";
    if (value.IsStringValue(text)) return "{\"t\":\"string\",\"v\":" + quoted(text) + "}";
    if (value.IsAbsoluteTimeValue(time))
        return "{\"t\":\"abstime\",\"secs\":" + std::to_string((long long)time.secs) + ",\"offset\":" + std::to_string(time.offset) + "}";
    if (value.IsRelativeTimeValue(number)) return "{\"t\":\"reltime\",\"v\":" + real(number) + "}";
    if (value.IsListValue(list)) {
        if (depth >= DEEPEST) return "{\"t\":\"list\",\"deep\":true}";
        for (const ExprTree *element : *list) text += (text.empty() ? "" : ",") + part(element, list->GetParentScope(), depth);
        return "{\"t\":\"list\",\"v\":[" + text + "]}";
    }
    if (value.IsClassAdValue(ad)) {
        if (depth >= DEEPEST) return "{\"t\":\"ad\",\"deep\":true}";
        if (!ad->GetParentScope() && ad != my) const_cast<classad::ClassAd *>(ad)->SetParentScope(my);
        for (const auto &[name, tree] : *ad) text += (text.empty() ? "" : ",") + quoted(name) + ":" + part(tree, ad, depth);
        return "{\"t\":\"ad\",\"v\":{" + text + "}}";
    }
    return "{\"t\":\"error\"}";
}

static std::string answer(const classad::ClassAd &test) {
    std::string mode, expr, text;
    test.EvaluateAttrString("mode", mode);
    test.EvaluateAttrString("expr", expr);
    classad::SetOldClassAdSemantics(mode == "old");
    classad::ClassAdParser parser;
    // Never freed: trees may share parts with values, and the program ends soon.
    classad::ClassAd *sides[2] = {nullptr, nullptr};
    const char *names[2] = {"left", "right"};
    for (int i = 0; i < 2; i++) {
        if (test.EvaluateAttrString(names[i], text)) {
            sides[i] = parser.ParseClassAd(text, true);
            if (!sides[i]) return std::string("{\"t\":\"ad_parse_error\",\"which\":\"") + names[i] + "\"}";
        }
    }
    ExprTree *tree = parser.ParseExpression(expr, true);
    if (!tree) return "{\"t\":\"parse_error\"}";
    my = sides[0] ? sides[0] : new classad::ClassAd();
    classad::MatchClassAd pair;
    if (sides[1]) {
        pair.ReplaceLeftAd(my);
        pair.ReplaceRightAd(sides[1]);
    }
    Value value;
    tree->SetParentScope(my);
    std::string result = my->EvaluateExpr(tree, value) ? shown(value, 0) : "null";
    if (sides[1]) {
        pair.RemoveLeftAd();
        pair.RemoveRightAd();
    }
    return result;
}

static void died(int) { siglongjmp(again, 1); }

int main() {
    setenv("TZ", "UTC", 1);
    // Those of the batch system, and names that no library has.
    const std::regex foreign("\\b(stringList\\w*|split\\w*|evalInEachContext|countMatches)\\s*\\(", std::regex::icase);
    static char stack[1 << 16];
    stack_t aside = {};
    aside.ss_sp = stack;
    aside.ss_size = sizeof stack;
    sigaltstack(&aside, nullptr);
    struct sigaction action = {};
    action.sa_handler = died;
    action.sa_flags = SA_ONSTACK;
    for (int signal : {SIGFPE, SIGSEGV, SIGABRT, SIGALRM}) sigaction(signal, &action, nullptr);
    for (std::string line; std::getline(std::cin, line);) {
        std::string expect = "null";
        if (!std::regex_search(line, foreign) && sigsetjmp(again, 1) == 0) {
            alarm(2);
            classad::ClassAdJsonParser parser;
            std::unique_ptr<classad::ClassAd> test(parser.ParseClassAd(line));
            if (test) expect = answer(*test);
        }
        alarm(0);
        std::cout << "{\"expect\":" << expect << "}" << std::endl;
    }
}
