package org.metasched.cli.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metasched.classad.Dialect;

/** Every case of the public corpus agrees with the reference, in the sense of the corpus's format description. */
class PublicConformanceTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CORPUS =
            Path.of(System.getProperty("metasched.shared", "../shared"), "classad", "conformance-public.jsonl");

    private final TimeZone zone = TimeZone.getDefault();

    /** The answers were recorded in UTC, which absTime takes for a text without an offset. */
    @BeforeEach
    void liveInUtc() {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    }

    @AfterEach
    void goHome() {
        TimeZone.setDefault(zone);
    }

    @Test
    void everyPublicCaseAgreesWithTheReference() throws Exception {
        assumeTrue(Files.exists(CORPUS), "The conformance corpus is not beside this checkout.");
        assertAgree(CORPUS, 7_000);
    }

    /** Cases of {@code RandomCases} with the answers of HTCondor's library 23.9.6, recorded by {@code DifferentialTest}. */
    @Test
    void everyRecordedCaseAgreesWithTheReference() throws Exception {
        assertAgree(
                Path.of(Objects.requireNonNull(PublicConformanceTest.class.getResource("reference-answers.jsonl"))
                        .toURI()),
                5_000);
    }

    private static void assertAgree(Path corpus, int least) throws Exception {
        var cases = new ConformanceCases(Dialect.REFERENCE);
        List<String> differences = new ArrayList<>();
        int count = 0;

        for (String line : Files.readAllLines(corpus)) {
            JsonNode test = JSON.readTree(line);
            JsonNode answer = JSON.readTree(cases.answer(line));
            count++;
            if (!answer.path("id").equals(test.path("id")) || !agree(test.path("expect"), answer.path("got"))) {
                differences.add(line + "\n  got " + answer.path("got"));
            }
        }

        assertThat(count).isGreaterThan(least);
        assertThat(differences).isEmpty();
    }

    @Test
    void answersWhateverALineHolds() {
        var cases = new ConformanceCases(Dialect.REFERENCE);

        assertThat(cases.answer("not json")).isEqualTo("{\"id\":null,\"got\":{\"t\":\"parse_error\"}}");
        assertThat(cases.answer("{\"id\":7,\"expr\":\"1 +\"}")).isEqualTo("{\"id\":7,\"got\":{\"t\":\"parse_error\"}}");
        assertThat(cases.answer("{\"id\":\"x\",\"expr\":\"a\",\"left\":\"[\"}"))
                .isEqualTo("{\"id\":\"x\",\"got\":{\"t\":\"ad_parse_error\",\"which\":\"left\"}}");
    }

    static boolean agree(JsonNode expected, JsonNode got) {
        String type = expected.path("t").asText();
        return switch (type) {
            case "fail" -> got.path("t").asText().equals("error");
            case "real", "reltime" -> sameType(expected, got) && number(expected.path("v")) == number(got.path("v"));
            case "list" -> sameType(expected, got) && listsAgree(expected, got);
            case "ad" -> sameType(expected, got) && adsAgree(expected.path("v"), got.path("v"));
            case "refs" -> referencesAgree(expected, got);
            default -> fieldsAgree(expected, got);
        };
    }

    private static boolean sameType(JsonNode expected, JsonNode got) {
        return expected.path("t").equals(got.path("t"));
    }

    private static long number(JsonNode text) {
        return Double.doubleToLongBits(Double.parseDouble(text.asText()) + 0.0);
    }

    private static boolean listsAgree(JsonNode expected, JsonNode got) {
        if (expected.has("deep")) {
            return true;
        }
        boolean agree = expected.path("v").size() == got.path("v").size();
        for (int i = 0; agree && i < expected.path("v").size(); i++) {
            agree = agree(expected.path("v").get(i), got.path("v").get(i));
        }
        return agree;
    }

    private static boolean adsAgree(JsonNode expected, JsonNode got) {
        var attributes = new TreeMap<String, JsonNode>(String.CASE_INSENSITIVE_ORDER);
        got.properties().forEach(e -> attributes.put(e.getKey(), e.getValue()));
        return expected.size() == attributes.size()
                && expected.properties().stream()
                        .allMatch(e ->
                                attributes.containsKey(e.getKey()) && agree(e.getValue(), attributes.get(e.getKey())));
    }

    private static boolean referencesAgree(JsonNode expected, JsonNode got) {
        for (String key : List.of("external_full", "external_top", "internal_full")) {
            boolean refused = expected.path(key).isNull();
            if (refused != got.path(key).isNull() || !names(expected.path(key)).equals(names(got.path(key)))) {
                return false;
            }
        }
        return true;
    }

    private static TreeSet<String> names(JsonNode array) {
        var names = new TreeSet<String>();
        array.forEach(n -> names.add(n.asText().toLowerCase(Locale.ROOT)));
        return names;
    }

    /** All fields but the printed value, which is not part of the agreement; values inside are compared as values. */
    private static boolean fieldsAgree(JsonNode expected, JsonNode got) {
        ObjectNode rest = ((ObjectNode) got).deepCopy();
        rest.remove("unparsed");
        int fields = 0;
        for (var field : expected.properties()) {
            if (field.getKey().equals("unparsed")) {
                continue;
            }
            fields++;
            JsonNode other = rest.path(field.getKey());
            boolean same = field.getValue().isObject()
                    ? agree(field.getValue(), other)
                    : field.getValue().equals(other);
            if (!same) {
                return false;
            }
        }
        return fields == rest.size();
    }
}
