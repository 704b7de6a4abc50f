package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the files in {@code conformance/}: lines that say what is the same, what differs, and what cannot be parsed. */
class ConformanceTextTest {

    private static final List<String> FILES =
            List.of("operators.txt", "tokens.txt", "lookups.txt", "functions.txt", "patterns.txt", "times.txt");

    private ClassAd ad = ClassAd.EMPTY;
    private ClassAd target = ClassAd.EMPTY;
    private boolean matched;
    private ReadOptions reading = ReadOptions.NEW;

    @TestFactory
    List<DynamicTest> everyLineHolds() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (String file : FILES) {
            var context = new ConformanceTextTest();
            int number = 0;
            for (String line : lines(file)) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    context.add(file + ":" + number + " " + line, line.strip(), tests);
                }
            }
        }
        return tests;
    }

    private static List<String> lines(String file) throws IOException {
        try (var in = ConformanceTextTest.class.getResourceAsStream("/conformance/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private void add(String name, String line, List<DynamicTest> tests) throws ClassAdSyntaxException {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        String rest = space < 0 ? "" : line.substring(space).strip();
        switch (word) {
            case "mode" -> reading = reading.with(LookupMode.valueOf(rest.toUpperCase(java.util.Locale.ROOT)));
            case "dialect" -> reading = reading.with(Dialect.valueOf(rest.toUpperCase(java.util.Locale.ROOT)));
            case "ad" -> {
                ad = ClassAd.parse(rest, reading);
                matched = false;
            }
            case "target" -> {
                target = ClassAd.parse(rest, reading);
                matched = true;
            }
            case "same", "diff" -> tests.add(comparison(name, word.equals("same"), rest.split(" +~ +", -1)));
            case "error" -> {
                ReadOptions now = reading;
                tests.add(DynamicTest.dynamicTest(name, () -> refuses(rest, now)));
            }
            default -> fail("%s: a line begins with same, diff, error, mode, dialect, ad or target", name);
        }
    }

    private static void refuses(String text, ReadOptions reading) {
        try {
            Expr expr = Expr.parse(text, reading);
            fail("parsed as %s", expr);
        } catch (ClassAdSyntaxException expected) {
            assertThat(expected.getMessage()).contains("line 1, column").contains("^");
        }
    }

    private DynamicTest comparison(String name, boolean same, String[] sides) {
        Scope scope = matched ? Scope.matching(ad, target, reading.mode()) : Scope.of(ad, reading.mode());
        ReadOptions now = reading;
        return DynamicTest.dynamicTest(name, () -> {
            String left = shown(Expr.parse(sides[0], now).evaluate(scope));
            String right = shown(Expr.parse(sides[1], now).evaluate(scope));

            assertThat(left.equals(right)).as("%s and %s", left, right).isEqualTo(same);
        });
    }

    private static String shown(Value value) {
        if (value instanceof Value.ListOf list) {
            var elements = new ArrayList<String>();
            for (int i = 0; i < list.size(); i++) {
                elements.add(shown(list.get(i)));
            }
            return elements.toString();
        }
        return value.print();
    }
}
