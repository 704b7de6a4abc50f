package org.metasched.cli.classad;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Conformance cases without answers, from the grammar of the language: all functions that do not look at the clock, odd literals, both
 * dialects of strings, nested ads, lists, times with zones. One seed, one case. A tenth or so are syntax errors on purpose.
 */
final class RandomCases {

    private static final String[] FUNCTIONS =
            ("floor ceiling round pow quantize join substr size strcmp stricmp versioncmp versionLT"
                            + " versionGE version_in_range member identicalMember sum avg min max anyCompare allCompare eval unparse"
                            + " unresolved evalInEachContext countMatches stringListSize stringListSum stringListAvg stringListMin"
                            + " stringListMax stringListMember stringListIMember stringListSubsetMatch stringListsIntersect split"
                            + " splitUserName splitSlotName splitTime absTime relTime interval formatTime isUndefined isError isString"
                            + " isInteger isReal isList isClassad isBoolean isAbsTime isRelTime int real string bool regexp regexpMember"
                            + " regexps replace replaceAll stringList_regexpMember ifThenElse strcat toUpper toLower nosuch")
                    .split(" ");
    private static final String[] BINARY = {
        "+", "-", "*", "/", "%", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "is", "isnt", "=?=", "=!=", "&", "|",
        "^", "<<", ">>", ">>>", "?:"
    };
    private static final String[] LITERALS = {
        "0",
        "1",
        "-1",
        "7",
        "010",
        "0x1F",
        "9223372036854775807",
        "2147483648",
        "-2147483649",
        "0.0",
        "-0.0",
        "1.5",
        "1e300",
        "1e-320",
        ".5",
        "5.",
        "0.1",
        "3.0e0",
        "1K",
        "2.5M",
        "true",
        "FALSE",
        "undefined",
        "error",
        "\"\"",
        "\"abc\"",
        "\"ABC\"",
        "\"a\\\"b\"",
        "\"\\n\\t\\\\\"",
        "\"1,2, 3\"",
        "\"x.y@z\"",
        "\"10\"",
        "\"1.5\"",
        "\"[a-c]+\"",
        "\"(.)(.)\"",
        "\"\\303\\251\"",
        "\"a\" \"b\"",
        "\"8.9.1\"",
        "\"2020-01-02T03:04:05Z\"",
        "absTime(\"2020-01-02T03:04:05+01:30\")",
        "absTime(\"1999-12-31\")",
        "absTime(86400, -3600)",
        "relTime(\"1:30:00\")",
        "relTime(\"-2+00:00:01.5\")",
        "relTime(90)",
        "{}",
        "{ 1, 2.0, \"x\" }",
        "[]",
        "[ p = 1; q = p + 1 ]",
        "{ [ p = 1 ], [ p = 2 ] }"
    };
    private static final String[] NAMES = {
        "a", "B", "c", "d", "e", "p", "MY.a", "TARGET.b", "parent.a", ".a", "'odd name'", "missing", "self"
    };

    private final SplittableRandom random;

    RandomCases(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A case of an expression in an ad, perhaps opposite another. */
    ObjectNode next(long id) {
        ObjectNode one = JsonNodeFactory.instance.objectNode();
        one.put("id", id);
        one.put("mode", random.nextBoolean() ? "old" : "new");
        one.put("expr", expression(random.nextInt(1, 4)));
        one.put("left", ad());
        if (random.nextInt(4) == 0) {
            one.put("right", ad());
        }
        return one;
    }

    private String ad() {
        var text = new StringBuilder("[ ");
        for (String name : new String[] {"a", "B", "c", "'odd name'", "d", "e"}) {
            if (random.nextInt(3) > 0) {
                text.append(name)
                        .append(" = ")
                        .append(expression(random.nextInt(3)))
                        .append("; ");
            }
        }
        return text.append("]").toString();
    }

    private String expression(int depth) {
        if (depth == 0) {
            return random.nextInt(3) == 0 ? pick(NAMES) : pick(LITERALS);
        }
        Supplier<String> inner = () -> expression(random.nextInt(depth));
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> inner.get() + " " + pick(BINARY) + " " + inner.get();
            case 4 -> "(" + inner.get() + ")";
            case 5 -> pick("-", "+", "!", "~", "- ") + inner.get();
            case 6 -> inner.get() + " ? " + inner.get() + " : " + inner.get();
            case 7 -> "{ " + inner.get() + ", " + inner.get() + " }";
            case 8 -> "[ p = " + inner.get() + "; q = " + inner.get() + " ]";
            case 9 -> "(" + inner.get() + ")." + pick("p", "q", "a", "'odd name'");
            case 10 -> "(" + inner.get() + ")[" + inner.get() + "]";
            case 11 -> random.nextInt(4) == 0 ? inner.get() + pick(" )", " +", " \"", " junk") : inner.get();
            default -> call(inner);
        };
    }

    private String call(Supplier<String> inner) {
        int count = random.nextInt(1, 4);
        var text = new StringBuilder(pick(FUNCTIONS)).append('(');
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append(inner.get());
        }
        return text.append(')').toString();
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
