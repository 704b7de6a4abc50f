package org.metasched.cli.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.classad.Dialect;

/**
 * Cases from the grammar, of which two answers must be one: of a text and of what it is printed as, of an ad and of the same in
 * another form, of an expression and of what partial evaluation leaves of it. A difference that no quirk names fails.
 *
 * <p>{@code -Dmetasched.classad.cases=100000} tries more cases, {@code -Dmetasched.classad.seed=7} others. {@code
 * -Dmetasched.classad.reference="program arguments"} compares with a program that reads a case a line and answers each with a line
 * that has its {@code expect}, as the conformance corpus does; null for a case that it has no answer to. {@code
 * -Dmetasched.classad.record=FILE} writes the cases that it answers alike, as {@code reference-answers.jsonl} was made.
 */
class DifferentialTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CASES = Integer.getInteger("metasched.classad.cases", 1_000);
    private static final long SEED = Long.getLong("metasched.classad.seed", 1L);
    private static final String REFERENCE = System.getProperty("metasched.classad.reference", "");

    private static final String RECORD = System.getProperty("metasched.classad.record", "");

    private static final Pattern FORMS = Pattern.compile("(form|printed|flattened)\\b.*");

    /** The rules of docs/classad-quirks.md. */
    private static final List<Rule> RULES = rules();

    private final ConformanceCases cases = new ConformanceCases(Dialect.REFERENCE);

    /** A row of either table: what it excuses, a case, what we answer to it (only beside a reference), what its cases look like. */
    private record Rule(String where, String what, String example, String we, Pattern pattern) {

        static Rule of(List<String> cells) {
            boolean ours = FORMS.matcher(cells.get(0)).matches();
            var pattern = Pattern.compile(code(cells.get(cells.size() - 1)), Pattern.CASE_INSENSITIVE);
            return ours
                    ? new Rule(cells.get(0), cells.get(1), code(cells.get(2)), "", pattern)
                    : new Rule("reference", cells.get(0), code(cells.get(1)), code(cells.get(2)), pattern);
        }

        /** What stands in the first pair of backquotes. */
        private static String code(String cell) {
            return cell.substring(cell.indexOf('`') + 1, cell.indexOf('`', cell.indexOf('`') + 1));
        }

        boolean names(ObjectNode one, JsonNode answer, String rule) {
            String shown = one.path("expr").asText() + " " + one.path("left").asText() + " "
                    + one.path("right").asText() + " " + answer;
            return where.equals(rule) && pattern.matcher(shown).find();
        }

        ObjectNode asCase() {
            ObjectNode one = JSON.createObjectNode().put("id", 0);
            return example.startsWith("[") ? one.put("left", example).put("expr", "R") : one.put("expr", example);
        }
    }

    private static List<Rule> rules() {
        Path page = Path.of(System.getProperty("metasched.root", "../.."), "docs", "classad-quirks.md");
        try (var lines = Files.lines(page)) {
            return lines.dropWhile(line -> !line.startsWith("## A rule for each difference"))
                    .filter(line -> line.startsWith("| ") && line.contains("`"))
                    .map(line -> Stream.of(line.split("(?<!\\\\)\\|"))
                            .skip(1)
                            .map(cell -> cell.strip().replace("\\|", "|"))
                            .toList())
                    .map(Rule::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachRuleOfThePageHolds() throws Exception {
        assertThat(RULES).hasSizeGreaterThan(15);
        for (Rule rule : RULES) {
            ObjectNode one = rule.asCase();
            JsonNode answer = answer(one);
            if (rule.where().equals("reference")) {
                assertThat(answer.path("unparsed").asText()).as(rule.what()).isEqualTo(rule.we());
                assertThat(rule.names(one, answer, "reference")).as(rule.what()).isTrue();
            } else {
                var lost = new ArrayList<ObjectNode>();
                for (ObjectNode other : equivalent(one)) {
                    if (rule.names(one, answer, other.path("rule").asText()) && !same(answer, answer(other))) {
                        lost.add(other);
                    }
                }
                assertThat(lost).as("%s: %s", rule.where(), rule.what()).isNotEmpty();
            }
        }
    }

    @Test
    void answersThatMustBeOneAreOne() throws Exception {
        var differences = new ArrayList<String>();
        int evaluated = 0;
        for (long i = 0; i < CASES; i++) {
            ObjectNode one = new RandomCases(SEED * 5_000_011 + i).next(i);
            JsonNode answer = answer(one);
            evaluated += answer.path("t").asText().endsWith("parse_error") ? 0 : 1;
            for (ObjectNode other : equivalent(one)) {
                JsonNode got = answer(other);
                if (!same(answer, got)
                        && !isNamed(one, answer, other.path("rule").asText())) {
                    differences.add(one + "\n  " + answer + "\n  " + other + "\n  " + got);
                }
            }
        }
        System.out.printf("%,d cases, %,d of them no syntax errors%n", CASES, evaluated);
        assertThat(differences).isEmpty();
        assertThat(evaluated).isGreaterThan(CASES / 3);
    }

    /** Cases with the same answer, each with the rule that says so. */
    private List<ObjectNode> equivalent(ObjectNode one) throws Exception {
        var others = new ArrayList<ObjectNode>();
        JsonNode printed = answer(one.deepCopy().put("op", "unparse"));
        if (printed.has("new")) {
            others.add(one.deepCopy()
                    .put("rule", "printed")
                    .put("expr", printed.path("new").asText()));
            others.add(one.deepCopy()
                    .put("rule", "printed old")
                    .put("syntax", "old")
                    .put("expr", printed.path("old").asText()));
        }
        JsonNode converted = answer(one.deepCopy().put("op", "convert"));
        for (String form : List.of("new", "old", "json", "xml")) {
            if (converted.has(form) && !one.has("right")) {
                others.add(one.deepCopy()
                        .put("rule", "form " + form)
                        .put("ad_syntax", form)
                        .put("left", converted.path(form).asText()));
            }
        }
        JsonNode flat = answer(one.deepCopy().put("op", "flatten"));
        if (flat.has("residual") && !one.has("right")) {
            others.add(one.deepCopy()
                    .put("rule", "flattened")
                    .put("expr", flat.path("residual").asText()));
        }
        return others;
    }

    private JsonNode answer(ObjectNode one) throws Exception {
        return JSON.readTree(cases.answer(one.toString())).path("got");
    }

    private static boolean isNamed(ObjectNode one, JsonNode answer, String where) {
        return RULES.stream().anyMatch(rule -> rule.names(one, answer, where));
    }

    /** Equal but for how the value is printed. */
    private static boolean same(JsonNode a, JsonNode b) {
        return PublicConformanceTest.agree(a, b);
    }

    @Test
    void theReferenceAnswersTheSame() throws Exception {
        assumeTrue(!REFERENCE.isEmpty(), "No program is named by metasched.classad.reference.");
        Process program = new ProcessBuilder(REFERENCE.split(" "))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var differences = new ArrayList<String>();
        var alike = new ArrayList<String>();
        int compared = 0;
        try (var out = new OutputStreamWriter(program.getOutputStream(), StandardCharsets.UTF_8);
                var in = new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
            for (long i = 0; i < CASES; i++) {
                ObjectNode one = new RandomCases(SEED * 5_000_011 + i).next(i);
                out.write(one + "\n");
                out.flush();
                JsonNode expected = JSON.readTree(in.readLine()).path("expect");
                if (expected.isNull()) {
                    continue;
                }
                compared++;
                if (same(expected, answer(one))) {
                    alike.add(one.deepCopy().set("expect", expected).toString());
                } else if (!isNamed(one, expected, "reference")) {
                    differences.add(one + "\n  " + expected + "\n  " + answer(one));
                }
            }
        } finally {
            program.destroy();
        }
        System.out.printf("%,d cases, %,d of them with an answer of the reference%n", CASES, compared);
        if (!RECORD.isEmpty()) {
            Files.write(Path.of(RECORD), alike);
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(CASES / 3);
    }
}
