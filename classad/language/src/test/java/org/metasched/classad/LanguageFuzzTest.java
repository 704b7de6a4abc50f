package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Fuzzing: nothing but a syntax error may come out of any text, and soon. As a test, the inputs of the test resources are run
 * once; {@code test/fuzz.sh} looks for new ones.
 */
@Tag("slow")
class LanguageFuzzTest {

    private static final Limits SMALL = new Limits(1 << 16, 500, 400, 100_000, 1 << 16, 1 << 20, 100_000);
    private static final ClassAd OTHER =
            ClassAd.EMPTY.with("Memory", 64).with("Arch", "INTEL").with("Requirements", AttributeRef.to("Memory"));

    private static final String[] FUNCTIONS = {
        "absTime",
        "allCompare",
        "anyCompare",
        "avg",
        "bool",
        "countMatches",
        "eval",
        "evalInEachContext",
        "floor",
        "formatTime",
        "getHours",
        "identicalMember",
        "int",
        "interval",
        "join",
        "max",
        "member",
        "pow",
        "quantize",
        "real",
        "regexp",
        "regexpMember",
        "regexps",
        "relTime",
        "replace",
        "replaceAll",
        "size",
        "split",
        "splitSlotName",
        "splitTime",
        "strcat",
        "strcmp",
        "string",
        "stringListAvg",
        "stringListMember",
        "stringListSubsetMatch",
        "stringList_regexpMember",
        "stringListsIntersect",
        "substr",
        "sum",
        "toUpper",
        "unparse",
        "unresolved",
        "versioncmp",
        "version_in_range"
    };

    @FuzzTest
    void readsAnyBytesAsAnyForm(FuzzedDataProvider data) {
        Syntax syntax = data.pickValue(Syntax.values());
        ReadOptions reading =
                new ReadOptions(syntax, data.pickValue(LookupMode.values()), data.pickValue(Dialect.values()), SMALL);
        String text = data.consumeRemainingAsString();
        CpuBudget.spend(() -> {
            try {
                exercise(ClassAd.parse(text, reading), reading);
            } catch (ClassAdSyntaxException expected) {
                assertThat(expected.line()).isPositive();
            }
            try {
                ClassAd.parseAll(text, reading);
                Expr.parse(text, reading).evaluate(Scope.of(OTHER, reading.mode(), SMALL));
            } catch (ClassAdSyntaxException expected) {
                assertThat(expected.line()).isPositive();
            }
        });
    }

    /** Ads have a fast reader beside the parser of expressions; they must agree, but for one level of nesting. */
    @FuzzTest
    void readsAnAdAsTheParserDoes(FuzzedDataProvider data) {
        ReadOptions reading = new ReadOptions(
                Syntax.NEW, data.pickValue(LookupMode.values()), data.pickValue(Dialect.values()), SMALL);
        String text = data.consumeRemainingAsString();
        CpuBudget.spend(() -> {
            ClassAd ad;
            try {
                ad = ClassAd.parse(text, reading);
            } catch (ClassAdSyntaxException refused) {
                assertThat(parsed(text, reading) instanceof RecordExpr)
                        .as("the parser takes what was refused with (%s)", refused.reason())
                        .isFalse();
                return;
            }
            assertThat(parsed(text, reading)).isIn(new RecordExpr(ad), Literal.ERROR);
        });
    }

    /** The expression that a text is, null for none, ERROR for one that is nested too deeply. */
    private static @Nullable Expr parsed(String text, ReadOptions reading) {
        try {
            return Expr.parse(text, reading);
        } catch (ClassAdSyntaxException refused) {
            return refused.reason().contains("deeply") ? Literal.ERROR : null;
        }
    }

    @FuzzTest
    void evaluatesAnyTree(FuzzedDataProvider data) {
        var expressions = new RandomExpressions(new Random(data.consumeLong()));
        ClassAd ad = expressions.ad(data.consumeInt(1, 6));
        CpuBudget.spend(() -> exercise(ad, ReadOptions.NEW.with(SMALL)));
    }

    @FuzzTest
    void callsAnyFunctionWithAnything(FuzzedDataProvider data) {
        String function = data.pickValue(FUNCTIONS);
        List<Expr> arguments = new ArrayList<>();
        for (int i = data.consumeInt(0, 4); i > 0; i--) {
            arguments.add(argument(data, 2));
        }
        CpuBudget.spend(() -> {
            Value value = Call.of(function, arguments).evaluate(Scope.of(OTHER, LookupMode.OLD, SMALL));
            assertThat(value.print()).isNotEmpty();
        });
    }

    private static Expr argument(FuzzedDataProvider data, int depth) {
        return switch (data.consumeInt(0, depth > 0 ? 8 : 6)) {
            case 0 -> Literal.of(data.consumeLong());
            case 1 -> Literal.of(data.consumeDouble());
            case 2 -> Literal.of(data.consumeBoolean());
            case 3 -> Literal.of(data.consumeBoolean() ? Value.UNDEFINED : Value.ERROR);
            case 4 -> Call.of("absTime", List.of(Literal.of(data.consumeLong()), Literal.of(data.consumeInt())));
            case 5, 6 -> Literal.of(data.consumeString(40));
            case 7 ->
                new RecordExpr(ClassAd.EMPTY.with("Year", argument(data, 0)).with("Month", argument(data, 0)));
            default -> new ListExpr(List.of(argument(data, depth - 1), argument(data, depth - 1)));
        };
    }

    private static void exercise(ClassAd ad, ReadOptions reading) throws ClassAdSyntaxException {
        var context = new MatchContext(reading.mode(), reading.dialect(), SMALL);
        context.left(ad);
        context.right(OTHER);
        context.symmetricMatch();
        context.rightRank();
        for (String name : ad.names()) {
            ad.evaluate(name, context.leftScope()).print();
            ad.lookup(name)
                    .orElseThrow()
                    .flatten(Scope.of(ad, reading.mode(), SMALL))
                    .print();
            ad.lookup(name).orElseThrow().references(ad, reading.mode());
        }
        for (Syntax syntax : Syntax.values()) {
            ad.print(syntax);
        }
        // The reference prints a minus without the blank before its number, to which it then belongs; before a zero it
        // is
        // gone at the next reading. So printing may take some turns to come to rest, each shorter than the one before.
        ReadOptions plain = ReadOptions.NEW.with(reading.dialect());
        String printed = ClassAd.parse(ad.print(), plain).print();
        String again = ClassAd.parse(printed, plain).print();
        while (!again.equals(printed)) {
            if (again.length() >= printed.length()) {
                throw new AssertionError("printed as %s, read as %s".formatted(printed, again));
            }
            printed = again;
            again = ClassAd.parse(printed, plain).print();
        }
    }
}
