package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What people mistype: each line has the exit code, the command (with what FILE holds after the arrow) and the words that
 * name the thing, its value and what was expected.
 */
class TypicalMistakesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    2 | reserve | --duration;needed
                    2 | reserve --site a:nodes=1 | --duration;needed
                    2 | reserve --site a:nodes=x --duration 1h | a:nodes=x;whole number;(x)
                    2 | reserve --site a:nodes=0 --duration 1h | nodes (0);from 1
                    2 | reserve --site a:nodes=-3 --duration 1h | nodes (-3);from 1
                    2 | reserve --site a --duration 1h | (a);NAME:nodes=N
                    2 | reserve --site a:node=1 --duration 1h | (node=1);nodes
                    2 | reserve --site a:nodes=1 --duration soon | --duration;(soon);span of time
                    2 | reserve --site a:nodes=1 --duration -1h | --duration;(-1h);span of time
                    2 | reserve --site a:nodes=1 --duration 0s | duration (PT0S);from PT1S
                    2 | reserve --site a:nodes=1 --duration 1h --earliest noonish | --earliest;(noonish);18:00
                    2 | reserve --site a:nodes=1 --duration 1h --earliest 2026-13-01T00:00Z | --earliest;(2026-13-01T00:00Z);must be a time
                    2 | reserve --site a:nodes=1 --duration 1h --server ftp://x | --server;(ftp://x);HOST:PORT
                    2 | reserve --site a:nodes=1 --duration 1h --server http:// | --server;(http://);HOST:PORT
                    2 | reserve --site a:nodes=1 --duration 1h --server http://127.0.0.1:99999 | --server;99999;HOST:PORT
                    2 | reserve --site a:nodes=1 --duration 1h --frobnicate | Unknown option;--frobnicate
                    2 | reserve --need nodes=x --duration 1h | (nodes=x);must begin with cpu:
                    2 | reserve --site a:licences=x,feature=s --duration 1h | whole number for licences;(x)
                    2 | reserve --site a:bandwidth=-1 --duration 1h | Mbit/s (-1);from 1
                    2 | agreement | Missing;ID
                    2 | agreement a b | Unmatched argument;'b'
                    2 | terminate | Missing;ID
                    2 | agreements --state Foo | state (Foo);one of [Pending
                    2 | agreements --limit x | --limit;(x);whole number
                    2 | agreements --limit 0 | --limit (0);at least 1
                    2 | agreements --limit -1 | --limit (-1);at least 1
                    2 | reserve --site a:nodes=1 --duration 1h --per-node 2 | --per-node;PROGRAM is missing
                    2 | dag wait FOLDER/none --poll 0 | --poll (0);at least 1
                    2 | reserve --site a:nodes=1 --duration 1h --earliest +P999999999999D | --earliest;(+P999999999999D);must be a time
                    2 | reserve --offer FILE --deadline +2h <- <a/> | --offer;leave;times
                    2 | reserve --offer FILE --prefer cost <- <a/> | --offer;leave;times
                    2 | templates --server : | --server;(:);HOST:PORT
                    2 | sites --server localhost:abc | --server;(localhost:abc);HOST:PORT
                    2 | sites --server http://127.0.0.1:65536 | --server;65536;HOST:PORT
                    2 | advertise FILE --server localhost:x <- [a = 1] | --server;(localhost:x);HOST:PORT
                    2 | status --constraint a> --server 127.0.0.1:1 | --constraint;column 3;expected an expression
                    2 | explain NOSUCH | (NOSUCH);there are OFFER_INVALID
                    2 | watch | Missing;WHAT
                    2 | watch --every x y | --every;(x);span of time
                    2 | watch --every 0s y | --every (PT0S);at least
                    2 | server --port 70000 | port (70000);from 0 to 65535
                    2 | server --port abc | --port;(abc);whole number
                    2 | server --port -1 | port (-1);from 0 to 65535
                    2 | server --listen here | Unknown option;--listen
                    2 | server extra | Unmatched argument;'extra'
                    2 | server stop --port x | Unknown option;--port
                    2 | classad | command is missing;eval
                    2 | classad evaluate | 'evaluate';classad eval
                    2 | classad eval | expression is missing
                    2 | classad eval 1+ | column 3;expected an expression
                    2 | classad eval (1 | column 3;expected ')'
                    2 | classad eval --ad FILE 1 <- [a = ] | FILE:1:6;expected an expression;']'
                    2 | classad eval --ad FILE 1 <- [a = 1; b = "x] | FILE:1:13;has no end;closing quote
                    2 | classad eval --dialect middle 1 | --dialect;REFERENCE;'middle'
                    2 | classad convert --from foo --to json FILE <- [a = 1] | --from;NEW;'foo'
                    2 | classad convert --from new --to pdf FILE <- [a = 1] | --to;NEW;'pdf'
                    2 | classad convert --from json --to new FILE <- {"a": | FILE:;expected a value
                    2 | classad match FILE <- [a = 1] | Missing;MACHINES
                    2 | classad match - - | Standard input (-);once only
                    2 | gang match | Missing;--ads
                    2 | gang match --ads FILE <- [a = "x] | FILE:1:6;has no end
                    2 | advertise FILE <- [a = "x] | FILE:1:6;has no end
                    2 | claim request FILE <- [a = "x] | FILE:1:6;has no end
                    2 | claim request | Missing;FILE
                    2 | claim activate | Missing;CLAIM
                    2 | dag | command is missing;check
                    2 | dag check FILE <- JBO A a.sub | FILE:1;JBO
                    2 | dag check FILE <- JOB A | FILE:1;JOB
                    2 | dag check FILE <- JOB A a.sub\\nJOB A a.sub | FILE:2;already defined;line 1
                    2 | dag check FILE <- JOB A a.sub\\nPARENT A CHILD B | FILE:2;[B];Maybe you meant A
                    2 | dag check FILE <- JOB A a.sub\\nRETRY A x | FILE:2:9;'x';positive integer
                    2 | dag check FILE <- JOB A a.sub\\nJOB B a.sub\\nPARENT A CHILD B\\nPARENT B CHILD A | FILE:1;Cycle;A -> B -> A
                    2 | dag bind FILE --sites FILE <- JOB A a.sub | --out DIR;missing;--dry-run
                    2 | dag run | Missing;DIR
                    2 | dag run FOLDER/none | none;no bound DAG;dag bind
                    2 | dag status FOLDER/none | none;no bound DAG
                    2 | dag wait FOLDER/none | none;no bound DAG
                    2 | dag list --server 127.0.0.1:1 | Unknown option;--server
                    2 | submit expand FILE <- executable = a\\nqueue x | given:2;Queue count
                    2 | submit expand FILE <- executable | given:1;expected a setting;executable
                    2 | submit expand FILE <- queue 2 | given;No 'executable'
                    2 | simulate run FILE <- sites: {} | Missing;--out
                    2 | simulate run FILE --out FOLDER/o <- sites: [] | FILE:1:8;'sites';a mapping, not a list
                    2 | simulate run FILE --out FOLDER/o <- site: {} | FILE:1:1;'site';Maybe 'sites'
                    2 | simulate run FILE --out FOLDER/o <- sites: {a: {workload: none}} | FILE:1:23;'none';Maybe add 'nodes'
                    2 | simulate run FILE --out FOLDER/o <- sites: {a: {workload: none, nodes: many}} | FILE:1:36;'nodes';whole number;(many)
                    2 | simulate run FILE --out FOLDER/o <- sites: {a: {workload: nosuch, nodes: 4}} | FILE:1:23;(nosuch);--trace nosuch=FILE
                    2 | simulate run FILE --out FOLDER/o --trace kth <- sites: {} | --trace;NAME=FILE;kth
                    2 | simulate run FILE --out FOLDER/o --trace kth <- sites: {} | for option '--trace'
                    2 | simulate advise --trace FILE --out FOLDER/o --share 200 <- ; | share (200.0);above 0 and at most 100
                    2 | simulate advise --trace FILE --out FOLDER/o --backfilling any <- ; | backfilling (any);first-fit
                    2 | simulate advise --trace FILE --out FOLDER/o <- ; MaxProcs: 8 | FILE:2:1;the trace has no jobs
                    2 | simulate advise --trace FILE --out FOLDER/o <- 1 0 5 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1 | length (PT1S);10 days
                    1 | adapter check --config FILE --bandwidth 10 <- {site: a, scheduler: {type: simulated, nodes: 2}} | no bandwidth;has nodes
                    2 | simulate compare FOLDER/none --window 5..2 | window (5..2);240..288
                    2 | simulate compare | Missing;DIR
                    3 | simulate gather FOLDER/none | none;no complete run;run.json
                    2 | init --scheduler lsf --yes --dir FOLDER/i | --scheduler;SLURM;'lsf'
                    2 | init --site Bad/Name --scheduler slurm --yes --dir FOLDER/i | site (Bad/Name);1 to 64 letters
                    2 | adapter check | Missing;--config
                    2 | adapter serve --config FILE --port x <- site: a | --port;(x);whole number
                    2 | publish | Missing;--site-config
                    2 | publish --site-config FILE --once <- site: a | FILE:1:1;scheduler;missing
                    2 | invalidate | Missing;NAME
                    2 | listen --port x | --port;(x);whole number
                    2 | priority --factor x me | --factor;(x);a number
                    2 | priority --factor NaN me | --factor;(NaN);a number
                    2 | priority --factor 5d me | --factor;(5d);a number
                    2 | priority --factor 1e999 me | --factor;(1e999);a number
                    2 | policy explain | Missing;WHO
                    2 | pki server | Unmatched argument;'server';demo
                    2 | pki password | Missing;NAME
                    2 | audit verify FOLDER/none | none;is not there
                    2 | demo --sites x | --sites;(x);whole number
                    2 | demo --sites 1 --workload FILE --workload FILE <- none | sites (1);workloads (2)
                    2 | simulate run FILE --out FOLDER/o --processes 0 <- sites: {a: {workload: none, nodes: 4}} | processes (0);from 1 to 1024
                    2 | demo --nosuch | Unknown option;--nosuch
                    2 | help nosuch | (nosuch);there are help
                    2 | server --config FILE <- prot: 80 | FILE:1:1;'prot';Maybe 'port'
                    2 | server --config FILE <- port: 70000\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:7;port;from 0 to 65535
                    2 | server --config FILE <- port: http\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:7;port;whole number;(http)
                    2 | server --config FILE <- port: 1\\nport: 2 | FILE:2:1;port
                    2 | server --config FILE <- port: [ | FILE:;not YAML
                    2 | server --config FILE <- just words | FILE:1:1;a mapping
                    2 | server --config FILE <- sites: [] | FILE:1;at least one site
                    2 | server --config FILE <- database: {url: 'jdbc:mysql://x/y'}\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:17;url;jdbc:h2:
                    2 | server --config FILE <- database: {user: a, pasword: b}\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:21;'pasword';Maybe 'password'
                    2 | server --config FILE <- database: {password-file: /no/such}\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:27;/no/such;cannot be read
                    2 | server --config FILE <- negotiation: {strategy: best}\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:25;strategy;windows or listing1
                    2 | server --config FILE <- negotiation: {call-timeout: 0s}\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:29;call-timeout;positive
                    2 | server --config FILE <- sweeper: {every: soon}\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:18;every;duration;(soon)
                    2 | adapter check --config FILE <- site: a\\nscheduler: {type: lsf} | FILE:2;lsf;slurm
                    2 | adapter check --config FILE <- site: a\\nscheduler: {type: simulated, nodes: x} | FILE:2;nodes;whole number;(x)
                    2 | adapter check --config FILE <- site: a\\nscheduler: {type: simulated, noeds: 4} | FILE:2;noeds;Maybe 'nodes'
                    1 | doctor --config FILE <- sitse: [] | FILE:1:1;'sitse';Maybe 'sites'
                    1 | doctor --config FILE <- port: x\\nsites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:7;port;whole number
                    2 | doctor FILE <- sites: [] | Unmatched argument;Maybe '--config' belongs before
                    2 | explain AGREEMENT_UNKOWN | (AGREEMENT_UNKOWN);Maybe 'AGREEMENT_UNKNOWN' was meant
                    2 | server --config FILE <- site: a\\nscheduler: {type: simulated, nodes: 4} | FILE:2:12;the file of one site;under 'sites'
                    2 | adapter check --config FILE <- sites: [{site: a, url: 'http://127.0.0.1:9/'}] | FILE:1:8;the file of a server
                    2 | server --config FILE <- sites: [{site: a, url: '127.0.0.1:9'}] | FILE:1:24;url;a URL such as http://
                    3 | sites --server http://no.such.host.invalid:8080 | no.such.host.invalid;host name is unknown
                    """)
    void aMistakeIsNamed(int exit, String mistake, String words) throws IOException {
        String[] parts = mistake.split(" <- ", 2);
        Path file = folder.resolve("given");
        if (parts.length > 1) {
            Files.writeString(file, parts[1].replace("\\n", "\n") + "\n");
        }
        // The folder may have blanks in its path: words first, then what stands for it.
        String[] arguments = parts[0].split(" ");
        Arrays.setAll(arguments, i -> filled(arguments[i], file));
        var said = new StringWriter();

        int ended = Main.execute(said, new PrintWriter(said, true), arguments);

        assertThat(ended).as("%s", said).isEqualTo(exit);
        assertThat(said.toString())
                .contains(filled(words, file).split(";"))
                .doesNotContain("\tat ")
                .doesNotContainPattern("Exception|\\bjavax?\\.|\\w+Error\\b");
    }

    private String filled(String text, Path file) {
        return text.replace("FILE:", file + ":")
                .replaceAll("(?<=^| )FILE(?= |$)", file.toString())
                .replace("FOLDER", folder.toString());
    }
}
