package org.metasched.classad.function;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Call;
import org.metasched.classad.CompiledExpr;
import org.metasched.classad.Evaluation;
import org.metasched.classad.Expr;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Regex;

/** The functions of regular expressions. */
final class PatternFunctions {

    /** Looks of a regular expression at characters that take about the time of one step of an evaluation. */
    private static final int LOOKS_OF_A_STEP = 8;

    private PatternFunctions() {}

    static void addTo(FunctionTable table) {
        table.addCompiled("regexp", 2, 3, PatternFunctions::searching);
        table.addPure("regexpmember", 2, 3, PatternFunctions::searchList);
        table.addPure("regexps", 3, 4, (e, a) -> substitute(e, a, ""));
        table.addPure("replace", 3, 4, (e, a) -> substitute(e, a, "f"));
        table.addPure("replaceall", 3, 4, (e, a) -> substitute(e, a, "fg"));
        table.addPure("stringlist_regexpmember", 2, 4, PatternFunctions::searchStringList);
    }

    /** The code of {@code regexp}. A constant pattern is translated when the call is compiled. */
    private static CompiledExpr searching(Call call, CompiledExpr[] a) {
        Value pattern = a[0] instanceof CompiledExpr.Constant constant ? constant.value : Value.UNDEFINED;
        return a.length == 2 && pattern instanceof Value.Text text
                ? new KnownPattern(Regex.of(text.octets(), ""), a[1])
                : FunctionTable.code(PatternFunctions::search, call, a);
    }

    /** The code of {@code regexp} with a constant pattern; the regular expression is null if the pattern is malformed. */
    private static final class KnownPattern extends CompiledExpr.Truth {

        private final @Nullable Regex regex;
        private final CompiledExpr target;

        KnownPattern(@Nullable Regex regex, CompiledExpr target) {
            super(target);
            this.regex = regex;
            this.target = target;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            Value value = target.value(e, s);
            if (value == Value.UNDEFINED) {
                return UNDEFINED;
            }
            return regex == null || !(value instanceof Value.Text text)
                    ? ERROR
                    : CompiledExpr.truthOf(found(e, regex, text.octets()));
        }
    }

    /** {@code regexp}: whether the pattern is found in the target. */
    private static Value search(Evaluation e, Value[] a) {
        Value refused = refused(a);
        if (refused != null) {
            return refused;
        }
        Regex regex = Regex.of(FunctionArguments.octets(a[0]), a.length == 3 ? FunctionArguments.octets(a[2]) : "");
        return regex == null ? Value.ERROR : found(e, regex, FunctionArguments.octets(a[1]));
    }

    /** The result of a function whose arguments are not all strings; null if they are. */
    private static @Nullable Value refused(Value[] a) {
        Value exceptional = FunctionArguments.errorFirst(a);
        return exceptional != null || allTexts(a) ? exceptional : Value.ERROR;
    }

    private static boolean allTexts(Value[] a) {
        return Arrays.stream(a).allMatch(Value.Text.class::isInstance);
    }

    /** Whether a regular expression is found in a target; ERROR if that takes too many looks. */
    private static Value found(Evaluation e, Regex regex, String target) {
        try {
            return Value.of(e.finds(regex, target));
        } catch (Regex.TooMuchWork | StackOverflowError tooMuch) {
            return Value.ERROR;
        }
    }

    /**
     * {@code regexpMember}: whether the pattern is found in any element. If it is found in none, UNDEFINED if any element is; ERROR at an
     * element that is no string. A malformed pattern is found in none.
     */
    private static Value searchList(Evaluation e, Value[] a) {
        Value exceptional = FunctionArguments.errorFirst(a);
        if (exceptional != null) {
            return exceptional;
        }
        if (!(a[0] instanceof Value.Text pattern)
                || !(a[1] instanceof Value.ListOf list)
                || a.length == 3 && !(a[2] instanceof Value.Text)) {
            return Value.ERROR;
        }
        Regex regex = Regex.of(pattern.octets(), a.length == 3 ? FunctionArguments.octets(a[2]) : "");
        Value result = Value.FALSE;
        for (Expr element : list.elements()) {
            Value value = e.element(list, element);
            if (value == Value.UNDEFINED) {
                result = value;
            } else if (!(value instanceof Value.Text text)) {
                return Value.ERROR;
            } else if (regex != null && found(e, regex, text.octets()) == Value.TRUE) {
                return Value.TRUE;
            }
        }
        return result;
    }

    /**
     * {@code stringList_regexpMember}: whether the pattern is found in any item; UNDEFINED without items. Option letters may be
     * capital.
     */
    private static Value searchStringList(Evaluation e, Value[] a) {
        if (!allTexts(a)) {
            return Value.ERROR;
        }
        Regex regex = Regex.of(
                FunctionArguments.octets(a[0]), a.length == 4 ? Bytes.lower(FunctionArguments.octets(a[3])) : "");
        if (regex == null) {
            return Value.ERROR;
        }
        String separators = a.length >= 3 ? FunctionArguments.octets(a[2]) : StringListFunctions.SEPARATORS;
        List<String> items = StringListFunctions.items(e, FunctionArguments.octets(a[1]), separators);
        Value result = items.isEmpty() ? Value.UNDEFINED : Value.FALSE;
        for (String item : items) {
            if (found(e, regex, item) == Value.TRUE) {
                result = Value.TRUE;
            }
        }
        return result;
    }

    /** Whether a pattern matches a part of any name, ignoring case. A match of the empty text does not count. */
    static Value anyMatches(Evaluation e, String pattern, List<String> names) {
        Regex regex = Regex.of(pattern, "i");
        if (regex == null) {
            return Value.ERROR;
        }
        Regex.Search search = regex.search();
        try {
            for (String name : names) {
                Matcher matcher = search.over(Bytes.encode(name), e.limits().regexSteps());
                while (matcher.find() && e.spend(1)) {
                    if (matcher.end() > matcher.start()) {
                        return Value.TRUE;
                    }
                }
                e.spend(search.looks());
            }
            return Value.FALSE;
        } catch (Regex.TooMuchWork | StackOverflowError tooMuch) {
            e.spend(search.looks());
            return Value.ERROR;
        }
    }

    /**
     * {@code regexps}, {@code replace} and {@code replaceAll}: the template filled in for the first match.
     *
     * @param a pattern, target, template, and perhaps options
     * @param built the options that the function implies: {@code f} keeps the text around the match, {@code g} replaces all matches
     */
    private static Value substitute(Evaluation e, Value[] a, String built) {
        Value refused = refused(a);
        if (refused != null) {
            return refused;
        }
        String options = built + (a.length == 4 ? FunctionArguments.octets(a[3]) : "");
        Regex regex = Regex.of(FunctionArguments.octets(a[0]), options);
        if (regex == null) {
            return Value.ERROR;
        }
        var substitution = new Substitution(
                regex,
                FunctionArguments.octets(a[1]),
                FunctionArguments.octets(a[2]),
                options.indexOf('f') >= 0,
                options.indexOf('g') >= 0);
        try {
            String result = substitution.apply(e);
            return result == null ? Value.ERROR : new Value.Text(result);
        } catch (Regex.TooMuchWork | StackOverflowError tooMuch) {
            return Value.ERROR;
        }
    }

    /**
     * A substitution to be made in a target.
     *
     * @param full whether the result has the text around the matches, too
     * @param global whether all matches are replaced
     */
    private record Substitution(Regex regex, String target, String template, boolean full, boolean global) {

        /**
         * The result, or null for an error. As in the reference, after an empty match a longer match is sought at the same offset. If there
         * is none, one byte is copied, and the search continues behind it. At the end of the target, where no byte is left, this is an error.
         */
        @Nullable
        String apply(Evaluation e) {
            Regex.Search search = regex.search();
            try {
                return apply(e, search.over(target, e.limits().regexSteps()));
            } finally {
                e.spend(search.looks() / LOOKS_OF_A_STEP);
            }
        }

        private @Nullable String apply(Evaluation e, Matcher matcher) {
            var out = new StringBuilder();
            int most = e.limits().stringBytes();
            int step = 1 + matcher.groupCount() / LOOKS_OF_A_STEP;
            int at = 0;
            boolean afterEmpty = false;
            while (e.spend(step)) {
                if (afterEmpty && !matchesLonger(matcher, at)) {
                    if (at >= target.length()) {
                        return null;
                    }
                    out.append(target.charAt(at++));
                    afterEmpty = false;
                    continue;
                }
                if (!afterEmpty && !matcher.find(at)) {
                    break;
                }
                if (full) {
                    out.append(target, at, matcher.start());
                }
                if (!expand(matcher, out, most)) {
                    return null;
                }
                at = matcher.end();
                if (!global) {
                    break;
                }
                afterEmpty = matcher.start() == at;
            }
            if (full) {
                out.append(target, at, target.length());
            }
            return out.toString();
        }

        private static boolean matchesLonger(Matcher matcher, int at) {
            return matcher.find(at) && matcher.start() == at && matcher.end() > at;
        }

        /** Appends the template with the groups of a match; false if a group does not exist or the text becomes too long. */
        private boolean expand(Matcher matcher, StringBuilder out, int most) {
            int last = lastParticipating(matcher);
            for (int i = 0; i < template.length() && out.length() <= most; i++) {
                char c = template.charAt(i);
                char digit = i + 1 < template.length() ? template.charAt(i + 1) : 0;
                if (c != '\\' || !Bytes.isDigit(digit)) {
                    out.append(c);
                    continue;
                }
                i++;
                int group = digit - '0';
                if (group > last) {
                    return false;
                }
                String text = matcher.group(group);
                out.append(text == null ? "" : text);
            }
            return out.length() <= most;
        }

        /**
         * The last group that matched. For the reference, groups behind it do not exist; groups before it that did not match are
         * empty.
         */
        private static int lastParticipating(Matcher matcher) {
            int last = matcher.groupCount();
            while (last > 0 && matcher.start(last) < 0) {
                last--;
            }
            return last;
        }
    }
}
