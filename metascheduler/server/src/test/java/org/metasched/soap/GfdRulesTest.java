package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of rules of GFD.192 and GFD.193, {@code gfd-rules.txt}: each has tests that are there, or a limit. */
class GfdRulesTest {

    private static final Pattern NAMED = Pattern.compile("[\\w.]*Test(?:#\\w+)?");

    private static final Pattern JUPITER =
            Pattern.compile("org\\.junit\\.jupiter\\.(api|params)\\.(\\w*Test|TestFactory|TestTemplate)");

    private record Rule(String clause, String words, String shown) {}

    @Test
    void everyRuleHasATestOrALimit() throws Exception {
        var rules = rules();

        assertThat(rules).hasSizeGreaterThan(100);
        assertThat(rules).extracting(Rule::words).allMatch(words -> words.length() > 15);
        assertThat(rules).extracting(Rule::clause).allMatch(clause -> clause.matches("19[23] \\d+(\\.\\d+)*"));
        assertThat(rules)
                .allMatch(rule -> rule.shown.startsWith("limit: ")
                        || NAMED.matcher(rule.shown).lookingAt());
    }

    @Test
    void everyNamedTestIsThere() throws Exception {
        assertThat(rules().stream()
                        .flatMap(rule -> NAMED.matcher(rule.shown).results())
                        .map(found -> found.group())
                        .distinct()
                        .filter(name -> !isTest(name)))
                .isEmpty();
        assertThat(isTest("TermTreeTest#isNotThere")).isFalse();
    }

    private static boolean isTest(String name) {
        var parts = name.split("#");
        try {
            var type = Class.forName((parts[0].contains(".") ? "org.metasched." : "org.metasched.soap.") + parts[0]);
            return parts.length == 1
                    || Arrays.stream(type.getDeclaredMethods())
                            .filter(method -> method.getName().equals(parts[1]))
                            .flatMap(method -> Arrays.stream(method.getAnnotations()))
                            .anyMatch(mark -> JUPITER.matcher(
                                            mark.annotationType().getName())
                                    .matches());
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static List<Rule> rules() throws Exception {
        try (var stream = GfdRulesTest.class.getResourceAsStream("/gfd-rules.txt")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .peek(columns -> assertThat(columns).hasSize(3))
                    .map(columns -> new Rule(columns[0], columns[1], columns[2]))
                    .toList();
        }
    }
}
