package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile texts and expressions in small heaps end in ERROR or a syntax error, not in an OutOfMemoryError. */
class HeapLimitsTest {

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {64, 256})
    void noEvaluationExhaustsTheHeap(int megabytes) throws Exception {
        var java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + megabytes + "m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeapLimitsTest.class.getName())
                .redirectErrorStream(true)
                .start();

        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(java.waitFor()).as(said).isZero();
        assertThat(said).doesNotContain("Error").endsWith("done\n").hasLineCount(15 + 14 + 1);
    }

    /** Evaluates and parses in this JVM; one line for each. */
    public static void main(String[] none) {
        int size = (int) (Runtime.getRuntime().maxMemory() / 40);
        ClassAd ad = new ClassAd.Builder()
                .set("S", "a ".repeat(size / 2))
                .set("N", "1,".repeat(size / 2))
                .set("L", Value.ListOf.of(Collections.nCopies(size / 64, Value.of(1L))))
                .build();
        for (String text : new String[] {
            "size(split(S))",
            "max(split(S))",
            "stringListSubsetMatch(S, S)",
            "stringListSize(N)",
            "stringListMax(N)",
            "stringListMember(\"b\", S)",
            "stringListsIntersect(S, N)",
            "stringList_regexpMember(\"b\", S)",
            "join(split(S))",
            "size(strcat(S, S, S, S, S, S, S, S, S, S))",
            "size(replaceAll(\"a\", S, \"bbbbbbbb\"))",
            "size(string(split(N)))",
            "evalInEachContext(x, split(N))",
            "{L, L, L}.x.x",
            "size(toUpper(strcat(S, S))) + size(toLower(strcat(S, N)))"
        }) {
            System.out.println(text + " " + attempt(() -> Expr.parse(text).evaluate(Scope.of(ad))));
        }
        for (String part : new String[] {"1234,", "a,", "{},", "g(),", "[a=1],", "(a+a),", "\"\","}) {
            for (int bytes : new int[] {size / 2, size * 2}) {
                String text = "f(" + part.repeat(bytes / part.length()) + "1)";
                System.out.println(part + " "
                        + attempt(() -> Value.of((long) Expr.parse(text).height())));
            }
        }
        System.out.println("done");
    }

    private interface Attempt {
        Value value() throws ClassAdSyntaxException;
    }

    private static String attempt(Attempt attempt) {
        try {
            Value value = attempt.value();
            return value instanceof Value.ListOf list ? "list " + list.size() : value.print();
        } catch (ClassAdSyntaxException refused) {
            return "refused";
        } catch (OutOfMemoryError exhausted) {
            return "OutOfMemoryError";
        }
    }
}
