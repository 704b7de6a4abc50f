package org.metasched.classad.function;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Evaluation;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;

/** The functions of string lists, which are lists written inside a string, and the functions that split strings. */
final class StringListFunctions {

    /** The separators of items unless the call has others; members and {@code split} have more by default. */
    static final String SEPARATORS = ", ";

    private static final String MEMBER_SEPARATORS = ", \t\r\n";
    private static final String SPLIT_SEPARATORS = ", \t";

    /** The initial minimum and maximum in the reference: the limits of a C float. */
    private static final double LARGEST_FLOAT = Float.MAX_VALUE;

    private static final double SMALLEST_FLOAT = Float.MIN_NORMAL;

    private static final Value EMPTY = new Value.Text("");

    private StringListFunctions() {}

    static void addTo(FunctionTable table) {
        table.addPure("stringlistsize", 1, 2, (e, a) -> aggregate(e, a, Aggregate.SIZE));
        table.addPure("stringlistsum", 1, 2, (e, a) -> aggregate(e, a, Aggregate.SUM));
        table.addPure("stringlistavg", 1, 2, (e, a) -> aggregate(e, a, Aggregate.AVERAGE));
        table.addPure("stringlistmin", 1, 2, (e, a) -> aggregate(e, a, Aggregate.LEAST));
        table.addPure("stringlistmax", 1, 2, (e, a) -> aggregate(e, a, Aggregate.GREATEST));
        table.addPure("stringlistmember", 2, 3, (e, a) -> member(e, a, false));
        table.addPure("stringlistimember", 2, 3, (e, a) -> member(e, a, true));
        table.addPure("stringlistsubsetmatch", 2, 3, (e, a) -> subset(e, a, false));
        table.addPure("stringlistisubsetmatch", 2, 3, (e, a) -> subset(e, a, true));
        table.addPure("stringlistsintersect", 2, 3, (e, a) -> intersect(e, a));
        table.addPure("split", 1, 2, (e, a) -> split(e, a));
        table.addUnary("splitusername", v -> splitAt(v, false));
        table.addUnary("splitslotname", v -> splitAt(v, true));
    }

    /** The items of a string list, without white space around them and without empty ones; cut short if they take too much memory. */
    static List<String> items(Evaluation e, String list, String separators) {
        return items(e, list, separators, true);
    }

    private static List<String> items(Evaluation e, String list, String separators, boolean trims) {
        var items = new ArrayList<String>();
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            if (i == list.length() || separators.indexOf(list.charAt(i)) >= 0) {
                String item = trims ? trimmed(list, start, i) : list.substring(start, i);
                if (!item.isEmpty()) {
                    if (!e.keepsItem()) {
                        return items;
                    }
                    items.add(item);
                }
                start = i + 1;
            }
        }
        return items;
    }

    private static String trimmed(String text, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && Bytes.isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && Bytes.isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    /** The separators given as an argument, or the default; null if the argument is no string. */
    private static @Nullable String separators(Value[] a, int index, String byDefault) {
        if (a.length <= index) {
            return byDefault;
        }
        return a[index] instanceof Value.Text text ? text.octets() : null;
    }

    private enum Aggregate {
        SIZE,
        SUM,
        AVERAGE,
        LEAST,
        GREATEST
    }

    /** {@code stringListSize}, {@code Sum}, {@code Avg}, {@code Min}, {@code Max}; an integer if all items are. */
    private static Value aggregate(Evaluation e, Value[] a, Aggregate kind) {
        String separators = separators(a, 1, SEPARATORS);
        if (!(a[0] instanceof Value.Text list) || separators == null) {
            return Value.ERROR;
        }
        List<String> items = items(e, list.octets(), separators);
        if (kind == Aggregate.SIZE) {
            return Value.of((long) items.size());
        }
        if (items.isEmpty()) {
            return kind == Aggregate.SUM || kind == Aggregate.AVERAGE ? Value.of(0.0) : Value.UNDEFINED;
        }
        double sum = 0;
        double least = LARGEST_FLOAT;
        // So the maximum of negative numbers is the smallest positive float, as in the reference.
        double greatest = SMALLEST_FLOAT;
        boolean integers = true;
        for (String item : items) {
            if (!(TypeFunctions.prefix(item) instanceof Value.Real number)) {
                return Value.ERROR;
            }
            integers &= item.chars().allMatch(c -> c >= '0' && c <= '9' || c == '-' || c == '+');
            sum += number.value();
            least = number.value() < least ? number.value() : least;
            greatest = number.value() > greatest ? number.value() : greatest;
        }
        double result = switch (kind) {
            case SUM -> sum;
            case AVERAGE -> sum / items.size();
            case LEAST -> least;
            default -> greatest;
        };
        return integers ? Value.of((long) result) : Value.of(result);
    }

    /** {@code stringListMember} and {@code stringListIMember}. */
    private static Value member(Evaluation e, Value[] a, boolean ignoringCase) {
        return compared(
                a,
                (item, list, separators) -> items(e, list, separators).stream()
                        .anyMatch(known -> ignoringCase ? Bytes.equalIgnoringCase(known, item) : known.equals(item)));
    }

    /** A relation between two strings, at least one of which is a string list with these separators. */
    private interface Compared {
        boolean hold(String first, String second, String separators);
    }

    /**
     * Whether a relation holds between the first two arguments; the third is the separators. An UNDEFINED argument is an empty
     * string.
     */
    private static Value compared(Value[] a, Compared compared) {
        if (a[0] == Value.UNDEFINED && a[1] == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        boolean undefined = a.length == 3 && a[2] == Value.UNDEFINED;
        String separators = undefined ? MEMBER_SEPARATORS : separators(a, 2, MEMBER_SEPARATORS);
        String first = textOrEmpty(a[0]);
        String second = textOrEmpty(a[1]);
        return separators == null || first == null || second == null
                ? Value.ERROR
                : Value.of(compared.hold(first, second, separators));
    }

    private static @Nullable String textOrEmpty(Value value) {
        return value instanceof Value.Text text ? text.octets() : value == Value.UNDEFINED ? "" : null;
    }

    /** {@code stringListSubsetMatch} and {@code stringListISubsetMatch}: whether the second list has all items of the first. */
    private static Value subset(Evaluation e, Value[] a, boolean ignoringCase) {
        return compared(a, (some, all, separators) -> {
            List<String> wanted = items(e, some, separators);
            // The empty string is a subset of all, but a string of separators alone is a subset of none, as in the
            // reference.
            return setOf(items(e, all, separators), ignoringCase).containsAll(setOf(wanted, ignoringCase))
                    && (some.isEmpty() || !wanted.isEmpty());
        });
    }

    private static Set<String> setOf(List<String> items, boolean ignoringCase) {
        var set = new HashSet<String>(items.size() * 2);
        items.forEach(item -> set.add(ignoringCase ? Bytes.lower(item) : item));
        return set;
    }

    /** {@code stringListsIntersect}: whether two lists have an item in common. White space that is no separator belongs to an item. */
    private static Value intersect(Evaluation e, Value[] a) {
        Value exceptional = FunctionArguments.errorFirst(a);
        if (exceptional != null) {
            return exceptional;
        }
        String separators = separators(a, 2, SEPARATORS);
        if (separators == null || !(a[0] instanceof Value.Text x) || !(a[1] instanceof Value.Text y)) {
            return Value.ERROR;
        }
        String cutAt = separators.isEmpty() ? SEPARATORS : separators;
        Set<String> items = setOf(items(e, y.octets(), cutAt, false), false);
        return Value.of(!Collections.disjoint(items, items(e, x.octets(), cutAt, false)));
    }

    /**
     * {@code split}: cuts at each separator and drops empty items, except between two of the same separator that is no white space:
     * {@code "a,,b"} has three items, {@code "a , b"} two.
     */
    private static Value split(Evaluation e, Value[] a) {
        String separators = separators(a, 1, SPLIT_SEPARATORS);
        if (!(a[0] instanceof Value.Text text) || separators == null) {
            return Value.ERROR;
        }
        var items = new ArrayList<Value>();
        String octets = text.octets();
        int start = 0;
        int last = -1;
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            if (separators.indexOf(c) < 0) {
                continue;
            }
            if (!e.keepsItem()) {
                return Value.ERROR;
            }
            if (i > start) {
                items.add(new Value.Text(octets.substring(start, i)));
            } else if (c == last) {
                items.add(EMPTY);
            }
            last = Bytes.isSpace(c) ? last : c;
            start = i + 1;
        }
        if (octets.length() > start) {
            items.add(new Value.Text(octets.substring(start)));
        }
        return Value.ListOf.of(items);
    }

    /**
     * {@code splitUserName} and {@code splitSlotName}: the parts before and behind the first {@code @}. Without one, the whole is the user
     * name, with an empty second part, or the machine of the slot, with an empty first part.
     */
    private static Value splitAt(Value value, boolean slot) {
        if (!(value instanceof Value.Text text)) {
            return Value.ERROR;
        }
        String name = text.octets();
        int at = name.indexOf('@');
        Value whole = new Value.Text(name);
        if (at < 0) {
            return Value.ListOf.of(slot ? List.of(EMPTY, whole) : List.of(whole, EMPTY));
        }
        return Value.ListOf.of(List.of(new Value.Text(name.substring(0, at)), new Value.Text(name.substring(at + 1))));
    }
}
