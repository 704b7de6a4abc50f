package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * Fuzzing for cost: a text of up to a megabyte, in any form, is read, evaluated and written within a second of processor time, and
 * memory is taken in proportion to the text. As a test, the inputs of the test resources are run once; {@code test/fuzz.sh}
 * looks for new ones.
 *
 * <p>An input is a recipe: a first line with a letter for the form, then lines with a number and a piece of text that is repeated so
 * often.
 */
class CostFuzzTest {

    private static final int LONGEST = 1 << 20;
    private static final int MOST_PIECES = 64;
    private static final int MOST_EVALUATED = 8;

    /** Bytes that may be allocated for each byte of the text while it is read or written, and for the smallest text. */
    private static final long BYTES_FOR_A_BYTE = 600;

    private static final long BYTES_FOR_NOTHING = 8 << 20;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    @FuzzTest
    void costsInProportion(byte[] recipe) {
        String[] lines = new String(recipe, StandardCharsets.ISO_8859_1).split("\n", MOST_PIECES);
        Syntax syntax = switch (lines[0].isEmpty() ? 'n' : lines[0].charAt(0)) {
            case 'o' -> Syntax.OLD;
            case 'j' -> Syntax.JSON;
            case 'x' -> Syntax.XML;
            default -> Syntax.NEW;
        };
        String text = text(lines);
        CpuBudget.spend(() -> {
            for (ClassAd ad : read(text, ReadOptions.NEW.with(syntax))) {
                use(ad, text.length());
            }
        });
    }

    private static String text(String[] lines) {
        var text = new StringBuilder();
        for (int i = 1; i < lines.length && text.length() < LONGEST; i++) {
            int blank = lines[i].indexOf(' ');
            String piece = lines[i].substring(blank + 1);
            int most = (LONGEST - text.length()) / Math.max(1, piece.length());
            text.append(piece.repeat(Math.min(most, times(lines[i].substring(0, Math.max(0, blank))))));
        }
        return text.toString();
    }

    private static int times(String number) {
        try {
            return Math.max(0, Integer.parseInt(number));
        } catch (NumberFormatException none) {
            return 1;
        }
    }

    private static List<ClassAd> read(String text, ReadOptions reading) {
        return inProportion(text.length(), () -> {
            try {
                List<ClassAd> ads = ClassAd.parseAll(text, reading);
                return ads.subList(0, Math.min(1, ads.size()));
            } catch (ClassAdSyntaxException expected) {
                return List.of();
            }
        });
    }

    private static void use(ClassAd ad, int length) {
        for (Syntax syntax : Syntax.values()) {
            assertThat(inProportion(length, () -> ad.print(syntax))).isNotNull();
        }
        ad.names().stream()
                .limit(MOST_EVALUATED)
                .forEach(name -> assertThat(ad.evaluate(
                                name, Scope.of(ad, LookupMode.OLD, Limits.DEFAULT.withEvaluationSteps(1_000_000))))
                        .isNotNull());
    }

    /** What an action gives; it is repeated before it counts as too costly: the first time it may load classes, which a fuzzer rewrites. */
    private static <T> T inProportion(int length, Supplier<T> action) {
        long most = BYTES_FOR_NOTHING + BYTES_FOR_A_BYTE * length;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        T result = action.get();
        if (THREADS.getCurrentThreadAllocatedBytes() - before > most) {
            before = THREADS.getCurrentThreadAllocatedBytes();
            result = action.get();
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(most);
        }
        return result;
    }
}
