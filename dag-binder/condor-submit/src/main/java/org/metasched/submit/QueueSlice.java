package org.metasched.submit;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A slice of the items of a queue statement, {@code [first:last:step]}, as in Python but for negative steps. */
record QueueSlice(
        @Nullable Integer first,
        @Nullable Integer last,
        @Nullable Integer step) {

    static final QueueSlice ALL = new QueueSlice(null, null, null);

    private static final Pattern FORM =
            Pattern.compile("\\[\\s*([-+]?\\d+|)(?::\\s*([-+]?\\d+|))?(?::\\s*([-+]?\\d+|))?\\]");

    /** The slice at the beginning of a text; its end is put into {@code end[0]}. */
    static Optional<QueueSlice> at(String text, int[] end) {
        Matcher slice = FORM.matcher(text);
        if (!slice.lookingAt()) {
            return Optional.empty();
        }
        end[0] = slice.end();
        try {
            return Optional.of(new QueueSlice(number(slice.group(1)), number(slice.group(2)), number(slice.group(3))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static @Nullable Integer number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? null : Integer.valueOf(digits);
    }

    /** Whether the slice has the item at an index, from 0, of so many items. */
    boolean selects(int index, int length) {
        int from = first == null ? 0 : first < 0 ? first + length : first;
        int to = last == null ? length : last < 0 ? last + length : last;
        int by = step == null ? 1 : Math.max(1, step);
        return index >= from && index < to && (index - from) % by == 0;
    }
}
