package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Value;
import org.metasched.classad.match.Match;
import org.metasched.dag.DagParser;
import org.metasched.submit.JobAd;
import org.metasched.submit.JobEnvironment;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;

/** A site may say anything in its ad; it must stay a value in the jobs. */
class HostileSiteTest {

    private static final List<String> PIECES = List.of(
            "a",
            "Z9",
            " ",
            ";",
            "'",
            "\"",
            "$(HOME)",
            "$ENV(HOME)",
            "$",
            "\\",
            "=",
            ",",
            "queue",
            "#",
            "%",
            "{",
            "}",
            "é",
            "$$",
            "(",
            ")",
            "|");

    @TempDir
    Path folder;

    private static ClassAd site(String value) {
        // In double quotes: the new syntax can say any value.
        String environment = JobEnvironment.of(Map.of("V", value)).toSubmitValue();
        return ClassAd.EMPTY
                .with("Name", "s")
                .with("Requirements", true)
                .with("Attr", value)
                .with("SiteEnvironment", environment);
    }

    private void bind(ClassAd site, Path out) throws Exception {
        NestedDag dag = NestedDag.read(folder.resolve("d.dag"));
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        new DagBinder(DagBinder.Options.of(Map.of())).bind(dag, job, new Match(job.ad(), site, 0, 0, 0, false), out);
    }

    private static String text(JobAd ad, String attribute) throws Exception {
        return text(ad.get(attribute).orElseThrow());
    }

    private static String text(String expression) throws Exception {
        Value value = Expr.parse(expression, ReadOptions.OLD).evaluate(org.metasched.classad.Scope.NOWHERE);
        return ((Value.Text) value).text();
    }

    @Test
    void valuesOfTheSiteAreTheSameInTheJob() throws Exception {
        long seed = Long.getLong("metasched.seed", 20030801L);
        SplittableRandom random = new SplittableRandom(seed);
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\n");
        Files.writeString(
                folder.resolve("a.sub"),
                "executable = /bin/true\nenvironment = Z=1;X=$ENV(V);Y=<$$(Attr)>\n+Plain = \"<$ENV(V)>\"\n+Match = \"$$(Attr)|\"\n"
                        + "queue\nenvironment = \"X=$ENV(V) 'Y=<$$(Attr)> '\"\nqueue\n");

        for (int i = 0; i < Integer.getInteger("metasched.iterations", 100); i++) {
            StringBuilder value = new StringBuilder("v");
            for (int j = random.nextInt(6); j >= 0; j--) {
                value.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            String expected = value.toString();
            if (expected.contains("$$(") || expected.endsWith("\\")) {
                continue;
            }
            Path out = folder.resolve("out" + i);
            bind(site(expected), out);
            List<JobAd> ads = new ArrayList<>();
            SubmitDescription.expand(
                    Path.of("a.sub"),
                    SubmitContext.of(out, Map.of("HOME", "injected")).withoutFileChecks(),
                    List.of(),
                    job -> ads.add(job.ad()));

            String because = "seed " + seed + ", run " + i + ", value [" + expected + "]";
            assertThat(ads).as(because).hasSize(2);
            for (JobAd ad : ads) {
                Map<String, String> variables = JobEnvironment.parse(
                                "\"" + text(ad, "Environment").replace("\"", "\"\"") + "\"")
                        .variables();
                assertThat(variables.get("X")).as(because).isEqualTo(expected);
                assertThat(variables.getOrDefault("Y", "").strip()).as(because).isEqualTo("<" + expected + ">");
                assertThat(text(ad, "Plain")).as(because).isEqualTo("<" + expected + ">");
                assertThat(text(ad, "Match")).as(because).isEqualTo(expected + "|");
            }
        }
    }

    /** Of both spellings, in both kinds of quotes. */
    @ParameterizedTest
    @ValueSource(strings = {"x\" || true || \"", "a\\b", "a\\\"b", "a'b", "$(HOME) $x"})
    void aValueStaysInItsStringInAnAttributeOfVars(String value) throws Exception {
        Files.writeString(
                folder.resolve("d.dag"),
                "JOB A a.sub\nVARS A x=\"$ENV(V)\" +B=\"\\\"<$ENV(V)> $$(Attr)\\\"\" my.C = '\"$ENV(V)\"'\n");
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        Path out = folder.resolve("out");

        bind(site(value), out);

        var values = new DagParser()
                .nodes(out.resolve("d.dag")).all().get(0).variables().stream()
                        .map(variable -> variable.value().replace("$(DOLLAR)", "$"))
                        .toList();
        assertThat(values.get(0)).isEqualTo(value);
        assertThat(text(values.get(1))).isEqualTo("<" + value + "> " + value);
        assertThat(text(values.get(2))).isEqualTo(value);
    }

    @Test
    void aValueThatWouldEscapeTheEndOfItsStringIsRefusedInVarsToo() throws Exception {
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nVARS A +B=\"\\\"$ENV(V)\\\"\"\n");
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");

        assertThatThrownBy(() -> bind(site("a\\"), folder.resolve("out")))
                .isInstanceOf(UnboundReferenceException.class)
                .hasMessageStartingWith("d.dag:2: node A: $ENV(V) has a value that cannot be said here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nqueue 1000", "a\rb", "a\0b", "$$(Owner)", "$$([1])"})
    void valuesThatWouldStartALineOrAreExpandedAgainAreRefused(String value) throws Exception {
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\n");
        Files.writeString(folder.resolve("a.sub"), "executable = $$(Attr)\nqueue\n");
        ClassAd site =
                ClassAd.EMPTY.with("Name", "s").with("Requirements", true).with("Attr", value);

        assertThatThrownBy(() -> bind(site, folder.resolve("out")))
                .isInstanceOf(UnboundReferenceException.class)
                .hasMessageStartingWith("a.sub:1: node A: $$(Attr) has a value with ");

        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue 1 from (\n$$(Attr)\n)\n|)", "$$(Attr)\nqueue\n|queue 7", "$$(Attr)\n|a = b"})
    void aValueMakesNoCommand(String textAndValue) throws Exception {
        int bar = textAndValue.lastIndexOf('|');
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\n");
        Files.writeString(folder.resolve("a.sub"), textAndValue.substring(0, bar));
        ClassAd site = ClassAd.EMPTY
                .with("Name", "s")
                .with("Requirements", true)
                .with("Attr", textAndValue.substring(bar + 1));

        assertThatThrownBy(() -> bind(site, folder.resolve("out")))
                .isInstanceOf(UnboundReferenceException.class)
                .hasMessageContaining("would make another command");
    }

    @Test
    void theReferenceIsNamedWhoseValueWouldContinueItsLine() throws Exception {
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\n");
        Files.writeString(folder.resolve("a.sub"), "executable = $$(Name)/$$(Attr)\nqueue\n");
        ClassAd site =
                ClassAd.EMPTY.with("Name", "s").with("Requirements", true).with("Attr", "ends\\");

        assertThatThrownBy(() -> bind(site, folder.resolve("out")))
                .isInstanceOf(UnboundReferenceException.class)
                .hasMessageStartingWith(
                        "a.sub:1: node A: $$(Attr) has a value that would join the next line to this one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "/etc/passwd", "..", "", "a\\u0000b"})
    void aRecordNamesAFileOfItsDirectory(String dag) throws Exception {
        Files.writeString(
                folder.resolve(BindingRecord.FILE),
                "{\"Dag\":\"" + dag + "\",\"Directory\":\"/\",\"JobAd\":\"\",\"Site\":\"s\"}");

        assertThatThrownBy(() -> BindingRecord.find(folder)).isInstanceOf(java.io.IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/tmp/x", "", "x.at-s/../y"})
    void whatIsHalfDoneNamesADirectoryBesideIt(String old) throws Exception {
        Path place = Files.createDirectory(folder.resolve("x"));
        Files.writeString(place.resolve("metasched-rebinding"), old + "\n");

        assertThatThrownBy(() -> RebindTransaction.recover(place, new LeaseLocator(Clock.systemUTC(), where -> {
                    throw new AssertionError(where);
                })))
                .isInstanceOf(java.io.IOException.class)
                .hasMessageContaining("names no earlier binding");
    }
}
