package org.metasched.adapter;

import java.util.regex.Pattern;

/**
 * Names one attempt to reserve at one site, chosen by the caller before the site is asked. Repeating a
 * {@link LocalScheduler#reserve reservation} with the same key makes no second one (rule R2), and {@link LocalScheduler#find find} looks a
 * reservation up by its key after a lost answer.
 *
 * <p>At most 40 characters {@code [A-Za-z0-9_-]}, beginning with a letter: the form that every supported scheduler takes as a reservation
 * or job name.
 */
public record RequestKey(String value) implements Comparable<RequestKey> {

    private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,39}");

    public RequestKey {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("The request key (" + DisplayText.of(value)
                    + ") must be 1 to 40 letters, digits, '_' or '-', beginning with a letter.");
        }
    }

    @Override
    public int compareTo(RequestKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
