package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;

/**
 * Ads of many kinds in a live collector, dumped by condor_status in each of its forms: our commands read the dump, choose the same ads
 * by the same constraints and print the same values.
 */
@ResourceLock("htcondor")
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveHtcondorStatusIT {

    private static final int ADS = 50;
    /** Types of ads, and how condor_advertise names them. */
    private static final Map<String, String> KINDS = new TreeMap<>(Map.of(
            "Machine", "STARTD_AD",
            "Thing", "AD_GENERIC",
            "Scheduler", "SCHEDD_AD",
            "DaemonMaster", "MASTER_AD",
            "License", "LICENSE_AD"));

    private static final Pattern REAL = Pattern.compile("(?<![\\w.\"])-?\\d+\\.\\d+(E[-+]?\\d+)?");

    private final HtcondorPool pool;

    LiveHtcondorStatusIT() throws IOException {
        pool = new HtcondorPool();
    }

    @BeforeAll
    void aPoolFullOfAdsIsDumped() throws Exception {
        for (String kind : KINDS.keySet()) {
            var ads = new StringBuilder();
            for (int i = 0; i < ADS; i++) {
                ads.append(i % KINDS.size() == List.copyOf(KINDS.keySet()).indexOf(kind) ? ad(kind, i) + "\n" : "");
            }
            Path file = Files.writeString(pool.folder().resolve(kind), ads);
            assertThat(pool.command("condor_advertise", "-multiple", "UPDATE_" + KINDS.get(kind), file.toString()))
                    .contains("Sent " + ADS / KINDS.size() + " of " + ADS / KINDS.size() + " ad");
        }
        pool.forEach("""
                condor_status -any -long >dump.long
                condor_status -any -ads dump.long -json >dump.json
                condor_status -any -ads dump.long -xml >dump.xml
                """, List.of("all"), 1);
    }

    @AfterAll
    void withoutTheseAds() throws Exception {
        for (var kind : KINDS.entrySet()) {
            Path query = Files.writeString(
                    pool.folder().resolve("query"),
                    "MyType = \"Query\"\nTargetType = \"" + kind.getKey()
                            + "\"\nRequirements = Memory0 =!= undefined\n");
            String plural = kind.getValue().equals("AD_GENERIC") ? "ADS_GENERIC" : kind.getValue() + "S";
            assertThat(pool.command("condor_advertise", "INVALIDATE_" + plural, query.toString()))
                    .contains("Sent 1 of 1 ad");
        }
        assertThat(pool.command("condor_status", "-any", "-constraint", "Memory0 =!= undefined", "-af", "Name"))
                .isBlank();
    }

    @LiveTest
    void theSameAdsAreReadFromEachForm() throws Exception {
        List<Map<String, String>> fromLong = converted("OLD", "dump.long");

        assertThat(fromLong).hasSizeGreaterThanOrEqualTo(ADS);
        assertThat(converted("JSON", "dump.json")).isEqualTo(fromLong);
        assertThat(converted("XML", "dump.xml")).isEqualTo(fromLong);
        assertThat(fromLong).isEqualTo(ads(Files.readString(dump("dump.long"))));
    }

    @LiveTest
    void constraintsChooseTheSameAds() throws Exception {
        List<String> constraints = lines("expressions.txt");
        List<String> theirs = answers("condor_status -any -ads dump.long -constraint \"$text\" -af Name", constraints);
        var differences = new ArrayList<String>();
        int chosen = 0;
        for (int i = 0; i < constraints.size(); i++) {
            CliProcess.Ended ours = HtcondorPool.ours(
                    "status", dump("dump.long").toString(), "--constraint", constraints.get(i), "--format", "{Name}");
            chosen += (int) ours.out().lines().count();
            compare(constraints.get(i), theirs.get(i), ours.out() + ours.err(), differences);
        }
        System.out.println(
                constraints.size() + " constraints chose " + chosen + " ads, " + differences.size() + " differ");
        assertThat(differences).isEmpty();
        assertThat(chosen).isGreaterThan(ADS);
    }

    @LiveTest
    void valuesArePrintedAlike() throws Exception {
        List<String> values = lines("values.txt");
        var differences = new ArrayList<String>();
        for (String option : List.of("-af", "-format '%v\\n'")) {
            List<String> theirs = answers("condor_status -any -ads dump.long " + option + " \"$text\"", values);
            for (int i = 0; i < values.size(); i++) {
                CliProcess.Ended ours = HtcondorPool.ours(
                        "status", dump("dump.long").toString(), "--format", "{" + values.get(i) + "}");
                compare(option + " " + values.get(i), theirs.get(i), ours.out() + ours.err(), differences);
            }
        }
        System.out.println(values.size() + " values of each ad in two forms, " + differences.size() + " differ");
        assertThat(differences).isEmpty();
    }

    @LiveTest
    void attributesArePrintedAsTheyAreWritten() throws Exception {
        List<Map<String, String>> ours = converted("OLD", "dump.long");
        List<String> names = lines("values.txt").stream()
                .filter(value -> value.matches("[A-Za-z]\\w*"))
                .toList();
        List<String> theirs = answers("condor_status -any -ads dump.long -af:r $text", names);
        var differences = new ArrayList<String>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            compare(
                    name,
                    theirs.get(i),
                    ours.stream().map(ad -> ad.getOrDefault(name, "undefined")).collect(Collectors.joining("\n")),
                    differences);
        }
        assertThat(differences).isEmpty();
        assertThat(names).hasSizeGreaterThan(10);
    }

    @LiveTest
    void expressionsHaveTheValuesThatClassadEvalGivesThem() throws Exception {
        List<Map<String, String>> ads = converted("OLD", "dump.long").stream()
                .filter(ad -> ad.containsKey("Memory0"))
                .limit(3)
                .toList();
        List<String> expressions = new ArrayList<>(lines("expressions.txt"));
        expressions.addAll(lines("values.txt"));
        var differences = new ArrayList<String>();
        int compared = 0;
        for (Map<String, String> ad : ads) {
            Path file = Files.writeString(pool.folder().resolve("one.ad"), oneLine(ad));
            // It is a script in Python that fails on lists, and takes an ad for assignments.
            Map<String, String> ours = new LinkedHashMap<>();
            for (String text : expressions) {
                CliProcess.Ended ended = HtcondorPool.ours("classad", "eval", "--ad", file.toString(), "--", text);
                if (!ended.out().startsWith("{") && !ended.out().startsWith("[")) {
                    ours.put(text, ended.out() + ended.err());
                }
            }
            Files.write(pool.folder().resolve("texts"), ours.keySet());
            List<String> theirs = pool.forEach("""
                    set --
                    while read -r text; do set -- "$@" "$text"; done <texts
                    classad_eval -quiet "$(cat one.ad)" "$@"
                    """, List.of("all"), 1);
            assertThat(theirs).hasSameSizeAs(ours.keySet());
            compared += theirs.size();
            for (String text : ours.keySet()) {
                compare(text, theirs.remove(0), ours.get(text), differences);
            }
        }
        System.out.println(compared + " values beside classad_eval, " + differences.size() + " differ");
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(2 * expressions.size());
    }

    private static String oneLine(Map<String, String> ad) {
        return ad.entrySet().stream()
                .filter(attribute -> !attribute.getValue().contains("\\"))
                .map(attribute -> attribute.getKey() + " = " + attribute.getValue())
                .collect(Collectors.joining("; ", "[ ", " ]"));
    }

    /** Lines that differ, but for the digits of reals: HTCondor prints 16 of them, we as many as it takes to read the same number. */
    private static void compare(String title, String theirs, String ours, List<String> differences) {
        List<String> there =
                theirs.strip().lines().map(LiveHtcondorStatusIT::rounded).toList();
        List<String> here =
                ours.strip().lines().map(LiveHtcondorStatusIT::rounded).toList();
        List<String> unlike = IntStream.range(0, Math.max(there.size(), here.size()))
                .filter(i ->
                        i >= there.size() || i >= here.size() || !there.get(i).equals(here.get(i)))
                .mapToObj(i -> "\n  theirs " + (i < there.size() ? there.get(i) : "-") + "\n  ours   "
                        + (i < here.size() ? here.get(i) : "-"))
                .toList();
        if (!unlike.isEmpty()) {
            differences.add(title + ": " + unlike.size() + " lines differ" + String.join("", unlike.subList(0, 1)));
        }
    }

    private static String rounded(String line) {
        return REAL.matcher(line)
                .replaceAll(real -> new BigDecimal(real.group())
                        .round(new MathContext(14))
                        .stripTrailingZeros()
                        .toString());
    }

    /** What a command prints with each text as {@code $text}. */
    private List<String> answers(String command, List<String> texts) throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            names.add("t" + i);
            Files.writeString(pool.folder().resolve("t" + i), texts.get(i));
        }
        pool.forEach("for name in \"$@\"; do text=$(cat $name); " + command + " >$name.out 2>&1; done", names, 20);
        var answers = new ArrayList<String>();
        for (String name : names) {
            answers.add(Files.readString(pool.folder().resolve(name + ".out")));
        }
        return answers;
    }

    private List<Map<String, String>> converted(String form, String file) {
        CliProcess.Ended ended = HtcondorPool.ours(
                "classad", "convert", "--from", form, "--to", "OLD", dump(file).toString());
        assertThat(ended.exit()).as(ended.err()).isZero();
        return ads(ended.out());
    }

    private static List<Map<String, String>> ads(String text) {
        var ads = new ArrayList<Map<String, String>>();
        for (String ad : text.strip().split("\n\\s*\n", -1)) {
            ads.add(ad.lines()
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf(" = ")),
                            line -> line.substring(line.indexOf(" = ") + 3),
                            (one, other) -> other,
                            TreeMap::new)));
        }
        return ads;
    }

    private Path dump(String name) {
        return pool.folder().resolve(name);
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(LiveHtcondorStatusIT.class.getResourceAsStream("/pool/" + resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** One of some fifty, none like another. */
    private static String ad(String kind, int number) {
        var ad = new StringBuilder(
                """
                MyType = "%s"
                Name = "oak%d"
                Memory0 = %d
                Machine = "oak.example.org"
                MyAddress = "<127.0.0.1:%d>"
                Cpus = %d
                Load = %s
                Odd = %b
                Derived = Memory * 2
                Chained = Derived > 2000 && Odd
                Start = (TARGET.Want =!= true) || Load < 0.5
                """.formatted(kind, number, number, 9000 + number, 1 + number % 4, number * 0.04, number % 2 == 1));
        List<String> more = List.of(
                "Memory = " + (256 * number + number % 7),
                "Text = \"it's \\\"q\\\"\"",
                "Letters = { \"a\", \"b\" }",
                "Numbers = { 1, 2.5, " + number + " }",
                "Inner = [ Depth = 2; Word = \"in\"; Deeper = [ x = { } ] ]",
                "Tags = \"lhc, cms " + number + "\"",
                "Broken = 1 / 0",
                "Nothing = undefined",
                "Real0 = " + (number % 3 == 0 ? "1.5E+305" : number % 3 == 1 ? "0.1" : "-1.0E-07"),
                "Big = " + (number % 2 == 0 ? "9223372036854775807" : "-9223372036854775808"),
                "Rank0 = error",
                "Text = \"tab\\there\\\\ and n" + number + "\"",
                "Text = \"größer als 日本\"");
        for (int i = 0; i < more.size(); i++) {
            if ((number * 7 + i * 5) % 3 != 0) {
                ad.append(more.get(i)).append('\n');
            }
        }
        return ad.toString();
    }
}
