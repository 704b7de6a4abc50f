package org.metasched.cli.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.metasched.classad.Dialect;

/**
 * Cases from the grammar, of which two answers must be one: of a text and of what it is printed as, of an ad and of the same in
 * another form, of an expression and of what partial evaluation leaves of it. A difference that no quirk names fails.
 *
 * <p>{@code -Dmetasched.classad.cases=100000} tries more cases, {@code -Dmetasched.classad.seed=7} others. {@code
 * -Dmetasched.classad.reference="program arguments"} compares with a program that reads a case a line and answers each with a line
 * that has its {@code expect}, as the conformance corpus does.
 */
class DifferentialTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CASES = Integer.getInteger("metasched.classad.cases", 1_000);
    private static final long SEED = Long.getLong("metasched.classad.seed", 1L);
    private static final String REFERENCE = System.getProperty("metasched.classad.reference", "");

    /** The rows of docs/classad-quirks.md that a text can show, by what they look like. */
    private static final Map<String, Predicate<ObjectNode>> QUIRKS = quirks();

    private final ConformanceCases cases = new ConformanceCases(Dialect.REFERENCE);

    private static Map<String, Predicate<ObjectNode>> quirks() {
        var quirks = new LinkedHashMap<String, Predicate<ObjectNode>>();
        quirk(quirks, "form old", "a name in quotes cannot be read again", "'odd name'\\s*=");
        quirk(quirks, "form old", "a line break in a string ends the line", "\\\\n");
        quirk(quirks, "form old", "a backslash that ends a string inside an expression", "\\\\\\\\\"");
        quirk(quirks, "printed old", "a backslash that ends a string inside an expression", "\\\\\\\\\"");
        quirk(quirks, "flattened", "a relative time that is written down is a real", "relTime|splitTime|interval");
        quirk(quirks, "flattened", "a list that needs itself", "\"deep\":true");
        quirk(quirks, "flattened", "a true operand of && is dropped, whatever the other is", "&&");
        quirk(quirks, "form json", "relative times are numbers, and their text shows", "relTime");
        quirk(
                quirks,
                "form xml",
                "relative times are numbers and zero has no sign, and their text shows",
                "relTime|-0\\.0");
        return quirks;
    }

    private static void quirk(Map<String, Predicate<ObjectNode>> quirks, String rule, String row, String pattern) {
        var shown = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
        quirks.put(
                rule + ": " + row,
                one -> (rule.equals("any") || one.path("rule").asText().startsWith(rule))
                        && shown.matcher(one.path("expr").asText() + " "
                                        + one.path("left").asText() + " "
                                        + one.path("right").asText() + " "
                                        + one.path("answer"))
                                .find());
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

    private static boolean isNamed(ObjectNode one, JsonNode answer, String rule) {
        ObjectNode named = one.deepCopy().put("rule", rule);
        named.set("answer", answer);
        return QUIRKS.values().stream().anyMatch(quirk -> quirk.test(named));
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
        try (var out = new OutputStreamWriter(program.getOutputStream(), StandardCharsets.UTF_8);
                var in = new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
            for (long i = 0; i < CASES; i++) {
                ObjectNode one = new RandomCases(SEED * 5_000_011 + i).next(i);
                out.write(one + "\n");
                out.flush();
                JsonNode expected = JSON.readTree(in.readLine()).path("expect");
                if (!same(expected, answer(one)) && !isNamed(one, expected, "reference")) {
                    differences.add(one + "\n  " + expected + "\n  " + answer(one));
                }
            }
        } finally {
            program.destroy();
        }
        assertThat(differences).isEmpty();
    }
}
