package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists written inside a string, as job ads carry them, and splitting of strings. */
final class StringListFunctions {

    private static final String DEFAULT_SEPARATORS = ", ";

    private StringListFunctions() {}

    static void addTo(Map<String, Functions.Entry> table) {
        Functions.add(table, "stringlistsize", 1, 2, (e, a) -> aggregate(a, Aggregate.SIZE));
        Functions.add(table, "stringlistsum", 1, 2, (e, a) -> aggregate(a, Aggregate.SUM));
        Functions.add(table, "stringlistavg", 1, 2, (e, a) -> aggregate(a, Aggregate.AVERAGE));
        Functions.add(table, "stringlistmin", 1, 2, (e, a) -> aggregate(a, Aggregate.LEAST));
        Functions.add(table, "stringlistmax", 1, 2, (e, a) -> aggregate(a, Aggregate.GREATEST));
        Functions.add(table, "stringlistmember", 2, 3, (e, a) -> member(a, false));
        Functions.add(table, "stringlistimember", 2, 3, (e, a) -> member(a, true));
        Functions.add(table, "stringlistsubsetmatch", 2, 3, (e, a) -> subset(a, false));
        Functions.add(table, "stringlistisubsetmatch", 2, 3, (e, a) -> subset(a, true));
        Functions.add(table, "stringlistsintersect", 2, 3, (e, a) -> intersect(a));
        Functions.add(table, "split", 1, 2, (e, a) -> split(a));
        Functions.one(table, "splitusername", v -> splitAt(v, false));
        Functions.one(table, "splitslotname", v -> splitAt(v, true));
    }

    /** The items of a list, without white space around them; empty ones are dropped. */
    static List<String> items(String list, String separators) {
        var items = new ArrayList<String>();
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            if (i == list.length() || separators.indexOf(list.charAt(i)) >= 0) {
                String item = trimmed(list, start, i);
                if (!item.isEmpty()) {
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
        while (start < end && Lexer.isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && Lexer.isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static @Nullable String separators(Value[] a, int index) {
        if (a.length <= index) {
            return DEFAULT_SEPARATORS;
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

    private static Value aggregate(Value[] a, Aggregate kind) {
        String separators = separators(a, 1);
        if (!(a[0] instanceof Value.Text list) || separators == null) {
            return Value.ERROR;
        }
        List<String> items = items(list.octets(), separators);
        if (kind == Aggregate.SIZE) {
            return Value.of((long) items.size());
        }
        if (items.isEmpty()) {
            return kind == Aggregate.SUM || kind == Aggregate.AVERAGE ? Value.of(0.0) : Value.UNDEFINED;
        }
        double sum = 0;
        double least = Double.MAX_VALUE;
        // The reference starts from the smallest positive double, so a list of negatives has no maximum of its own.
        double greatest = Double.MIN_NORMAL;
        boolean integers = true;
        for (String item : items) {
            if (!(Numbers.prefix(item) instanceof Value.Real number)) {
                return Value.ERROR;
            }
            integers &= item.chars().allMatch(c -> c >= '0' && c <= '9' || c == '-' || c == '+');
            sum += number.value();
            least = Math.min(least, number.value());
            greatest = Math.max(greatest, number.value());
        }
        double result = switch (kind) {
            case SUM -> sum;
            case AVERAGE -> sum / items.size();
            case LEAST -> least;
            default -> greatest;
        };
        return integers ? Value.of((long) result) : Value.of(result);
    }

    private static Value member(Value[] a, boolean ignoringCase) {
        if (a[0] == Value.UNDEFINED && a[1] == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        String separators = separators(a, 2);
        String item = textOrEmpty(a[0]);
        String list = textOrEmpty(a[1]);
        if (separators == null || item == null || list == null) {
            return Value.ERROR;
        }
        return Value.of(contains(items(list, separators), item, ignoringCase));
    }

    private static @Nullable String textOrEmpty(Value value) {
        return value instanceof Value.Text text ? text.octets() : value == Value.UNDEFINED ? "" : null;
    }

    private static boolean contains(List<String> items, String wanted, boolean ignoringCase) {
        for (String item : items) {
            if (ignoringCase ? Bytes.equalIgnoringCase(item, wanted) : item.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private static Value subset(Value[] a, boolean ignoringCase) {
        if (a[0] == Value.UNDEFINED && a[1] == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        String separators = separators(a, 2);
        String some = textOrEmpty(a[0]);
        String all = textOrEmpty(a[1]);
        if (separators == null || some == null || all == null) {
            return Value.ERROR;
        }
        List<String> items = items(all, separators);
        for (String item : items(some, separators)) {
            if (!contains(items, item, ignoringCase)) {
                return Value.FALSE;
            }
        }
        return Value.TRUE;
    }

    private static Value intersect(Value[] a) {
        Value exceptional = Functions.errorFirst(a);
        if (exceptional != null) {
            return exceptional;
        }
        String separators = separators(a, 2);
        if (separators == null || !(a[0] instanceof Value.Text x) || !(a[1] instanceof Value.Text y)) {
            return Value.ERROR;
        }
        List<String> items = items(y.octets(), separators);
        for (String item : items(x.octets(), separators)) {
            if (contains(items, item, false)) {
                return Value.TRUE;
            }
        }
        return Value.FALSE;
    }

    /** White space around an item belongs to the separator; two separators that are no white space have an empty item between. */
    private static Value split(Value[] a) {
        String separators = a.length == 2 ? separators(a, 1) : ", \t";
        if (!(a[0] instanceof Value.Text text) || separators == null) {
            Value exceptional = Functions.undefinedFirst(a);
            return exceptional == null ? Value.ERROR : exceptional;
        }
        var items = new ArrayList<Value>();
        for (String item : items(text.octets(), separators)) {
            items.add(new Value.Text(item));
        }
        return Value.ListOf.of(items);
    }

    private static Value splitAt(Value value, boolean slot) {
        if (!(value instanceof Value.Text text)) {
            return value == Value.UNDEFINED ? value : Value.ERROR;
        }
        String name = text.octets();
        int at = name.indexOf('@');
        Value whole = new Value.Text(name);
        if (at < 0) {
            return Value.ListOf.of(slot ? List.of(Value.Text.EMPTY, whole) : List.of(whole, Value.Text.EMPTY));
        }
        return Value.ListOf.of(List.of(new Value.Text(name.substring(0, at)), new Value.Text(name.substring(at + 1))));
    }
}
