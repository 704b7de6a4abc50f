package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.text.BoundedCache;

/** What a built-in function, a reader or a writer does costs steps, bytes and time in proportion. */
class CostTest {

    private static final int MEGABYTE = 1 << 20;

    /** Generous: what is quadratic takes minutes. */
    private static final long BOUND = 12_000_000_000L;

    private interface Work {
        void run() throws Exception;
    }

    private static void soon(Work work) throws Exception {
        var threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        work.run();
        assertThat(threads.getCurrentThreadCpuTime() - began).isLessThan(BOUND);
    }

    private static Value evaluate(String text, int steps) throws Exception {
        return Expr.parse(text)
                .evaluate(Scope.of(ClassAd.EMPTY, LookupMode.NEW, Limits.DEFAULT.withEvaluationSteps(steps)));
    }

    /** Names that differ and have one hash: in both halves, 31 times the first byte and the second make the same sum. */
    private static List<String> colliding(int bits) {
        return IntStream.range(0, 1 << bits)
                .mapToObj(i -> IntStream.range(0, bits)
                        .mapToObj(b -> (i >> b & 1) == 0 ? "_o" : "a1")
                        .collect(Collectors.joining()))
                .toList();
    }

    private static String written(List<String> names, Syntax syntax) {
        return switch (syntax) {
            case NEW -> names.stream().map(n -> "'" + n + "' = 1").collect(Collectors.joining("; ", "[", "]"));
            case OLD -> names.stream().map(n -> n + " = 1\n").collect(Collectors.joining());
            case JSON -> names.stream().map(n -> "\"" + n + "\": 1").collect(Collectors.joining(", ", "{", "}"));
            case XML ->
                names.stream()
                        .map(n -> "<a n=\"" + n + "\"><i>1</i></a>")
                        .collect(Collectors.joining("", "<c>", "</c>"));
        };
    }

    @ParameterizedTest
    @EnumSource(Syntax.class)
    void readsAndWritesNamesWithOneHashAsSoonAsOthers(Syntax syntax) throws Exception {
        List<String> names = colliding(14);
        assertThat(names.get(1)).hasSameSizeAs(names.get(2));
        String text = written(names, syntax);

        soon(() -> {
            ClassAd ad = ClassAd.parse(text, ReadOptions.NEW.with(syntax));
            assertThat(ad.size()).isEqualTo(1 << 14);
            assertThat(ad.has(names.get(4711))).isTrue();
            assertThat(ad.has(names.get(4711) + "x")).isFalse();
            assertThat(ad.print(syntax)).isNotEmpty();
            assertThat(ad.evaluate(names.get(815))).isEqualTo(Value.of(1L));
        });
    }

    @Test
    void keepsTheLastOfRepeatedNamesWithOneHash() throws Exception {
        List<String> names = colliding(12);
        String all = written(names, Syntax.OLD);

        ClassAd ad = ClassAd.parse(all + names.get(77) + " = 2\n", ReadOptions.OLD);

        assertThat(ad.size()).isEqualTo(names.size());
        assertThat(ad.evaluate(names.get(77))).isEqualTo(Value.of(2L));
        assertThat(ad.evaluate(names.get(78))).isEqualTo(Value.of(1L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\" ", "\"a\"", "\"\\1\" "})
    void joinsAdjacentStringsInLinearTime(String one) throws Exception {
        soon(() -> Expr.parse(one.repeat(MEGABYTE / one.length())));
        soon(() -> assertThat(ClassAd.parse(
                                "{\"a\": " + one.replace("\\1", "\\n").repeat(MEGABYTE / one.length()) + "}",
                                ReadOptions.NEW.with(Syntax.JSON))
                        .size())
                .isEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"regexps", "replace", "replaceAll"})
    void aSubstitutionThatGrowsWithoutBoundIsAnError(String function) throws Exception {
        var ad = ClassAd.EMPTY.with("S", "x".repeat(MEGABYTE));

        soon(() -> assertThat(Expr.parse("%s(\"(.*)\", S, \"%s\")".formatted(function, "\\\\1".repeat(10_000)))
                        .evaluate(Scope.of(ad)))
                .isEqualTo(Value.ERROR));
        assertThat(Expr.parse("regexps(\"(.*)\", S, \"<\\\\1>\")").evaluate(Scope.of(ad)))
                .isEqualTo(Value.of("<" + "x".repeat(MEGABYTE) + ">"));
    }

    @Test
    void intersectsListsInLinearTimeAndCountsTheWork() throws Exception {
        String left = IntStream.range(0, 40_000).mapToObj(i -> "a" + i).collect(Collectors.joining(","));
        String right = IntStream.range(0, 40_000).mapToObj(i -> "b" + i).collect(Collectors.joining(","));

        for (String function : List.of("stringListsIntersect", "stringListSubsetMatch", "stringListISubsetMatch")) {
            String call = "%s(\"%s\", \"%s\")".formatted(function, left, right);
            soon(() -> assertThat(evaluate(call, 1_000_000)).isEqualTo(Value.FALSE));
            assertThat(evaluate(call, 5_000)).isEqualTo(Value.ERROR);
        }
    }

    /** Each looks at a string of a megabyte, or makes one: ten thousand steps do not pay for that. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "toUpper(S)",
                "strcat(S, S)",
                "join(S, {1, 2, 3})",
                "substr(S, 1)",
                "strcmp(S, S)",
                "stricmp(S, T)",
                "S == T",
                "S < T",
                "S is T",
                "S == S",
                "member(S, {S, S, S})",
                "identicalMember(S, {T})",
                "anyCompare(\"==\", {S}, T)",
                "split(S)",
                "stringListSize(S)",
                "stringListMember(\"q\", S)",
                "stringListSubsetMatch(\"q\", S)",
                "regexp(\"y$\", S)",
                "regexps(\"(.*)\", S, \"\\\\1\")",
                "replaceAll(\"x\", S, \"y\")",
                "eval(S)",
                "int(S)",
                "splitUserName(S)",
                "versioncmp(S, T)",
                "stringList_regexpMember(\"y\", S)",
                "regexpMember(\"y$\", {S})",
                "bool(S)",
                "size(toLower(S))",
                "sum(L)",
                "member(7, L)",
                "allCompare(\"<\", L, 7)",
                "join(L)"
            })
    void whatLooksAtMuchSpendsMuch(String call) throws Exception {
        var ad = ClassAd.EMPTY
                .with("S", "X".repeat(MEGABYTE))
                .with("T", "X".repeat(MEGABYTE - 1) + "Y")
                .with("L", Expr.parse("{" + "1,".repeat(100_000) + "1}"));
        Expr expr = Expr.parse(call);

        soon(() -> assertThat(expr.evaluate(Scope.of(ad, LookupMode.NEW, Limits.DEFAULT.withEvaluationSteps(10_000))))
                .isEqualTo(Value.ERROR));
    }

    @Test
    void oneEvaluationDoesNotFillTheMemoryWithStrings() throws Exception {
        var text = new StringBuilder("[S = \"%s\"; L = size({".formatted("x".repeat(1 << 20)));
        text.append("0").append(", size(strcat(S, S, S))".repeat(1_000)).append("})");
        text.append("; M = {0").append(", strcat(S, S, S, S)".repeat(100)).append("}; N = member(1, M)]");
        ClassAd ad = ClassAd.parse(text.toString());

        soon(() -> assertThat(ad.evaluate("N")).isEqualTo(Value.ERROR));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:(?:(?:){60000}){60000}){60000}",
                "(?:(?:a?){60000}){60000}",
                "(a|a)*b",
                "(.*)(.*)(.*)(.*)y",
                "(?:.?){500}y",
                "^(([a-z])+.)+[A-Z]([a-z])+$"
            })
    void aRegularExpressionEndsSoon(String pattern) throws Exception {
        var ad = ClassAd.EMPTY.with("S", "x".repeat(MEGABYTE)).with("P", pattern);

        soon(() -> Expr.parse("regexp(P, S)").evaluate(Scope.of(ad)));
        soon(() -> Expr.parse("replaceAll(P, S, \"y\")").evaluate(Scope.of(ad)));
        soon(() -> Expr.parse("{%s0}".formatted("regexp(P, substr(S, 0, 50)), ".repeat(10_000)))
                .evaluate(Scope.of(ad)));
    }

    @Tag("full")
    @Test
    void manySearchesOfShortTextsAreCounted() throws Exception {
        var calls = new StringBuilder("0");
        for (int i = 0; i < 200; i++) {
            calls.append(" + regexp(\"x*x*x*[y]\", S)");
        }
        var ad = ClassAd.parse("[S = \"%s\"; T = %s; L = {%s 0}; M = member(7, L)]"
                .formatted("x".repeat(60), calls, "T, ".repeat(10_000)));

        soon(() -> assertThat(ad.evaluate("M")).isEqualTo(Value.ERROR));
    }

    @Test
    void anEvictionDoesNotLookThroughTablesThatAreEmpty() throws Exception {
        new BoundedCache<String>(1 << 20, text -> 1);
        var full = new BoundedCache<String>(1 << 14, text -> (int) BoundedCache.budget() / 256);

        soon(() -> {
            for (int i = 0; i < 20_000; i++) {
                full.put(i, "entry");
            }
        });

        assertThat(BoundedCache.bytes()).isLessThanOrEqualTo(BoundedCache.budget());
    }

    @Test
    void keepsItsCachesWithinTheirBudget() throws Exception {
        var ads = new ArrayList<ClassAd>();
        for (int i = 0; i < 3_000; i++) {
            String sum = " + a%d".formatted(i).repeat(500);
            ads.add(ClassAd.parse("[x%d = 1%s; y = \"%s\"]".formatted(i, sum, "s".repeat(i % 200) + i)));
            ads.get(0).evaluate("y");
        }

        assertThat(BoundedCache.bytes()).isLessThanOrEqualTo(BoundedCache.budget());
        assertThat(ads).hasSize(3_000);
    }

    @Test
    void aTimeIsFormattedNoFurtherThanItsTextMayGo() throws Exception {
        Expr expr = Expr.parse("formatTime(0, \"%s\")".formatted("%c".repeat(MEGABYTE / 2)));
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(expr.evaluate(Scope.NOWHERE)).isEqualTo(Value.of(""));

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64L * MEGABYTE);
    }

    @Test
    void writesControlCharactersInJsonSoon() throws Exception {
        var ad = ClassAd.EMPTY.with("S", "\u0001".repeat(MEGABYTE));

        soon(() -> assertThat(ad.print(Syntax.JSON)).startsWith("{\"S\": \"\\u0001\\u0001"));
    }

    @Test
    void anErrorAtTheEndOfAMegabyteIsFoundSoon() {
        String text = "[" + "a = 1;\n".repeat(MEGABYTE / 8) + "b = ]";
        assertThatThrownBy(() -> soon(() -> ClassAd.parse(text))).isInstanceOf(ClassAdSyntaxException.class);
    }
}
