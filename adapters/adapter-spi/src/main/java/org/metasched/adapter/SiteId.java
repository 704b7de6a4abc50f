package org.metasched.adapter;

import java.util.regex.Pattern;

/** Name of a site: 1 to 64 letters, digits, dots, underscores and hyphens, beginning with a letter or digit. */
public record SiteId(String value) implements Comparable<SiteId> {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public SiteId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("The site name (" + DisplayText.of(value)
                    + ") must be 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit.");
        }
    }

    @Override
    public int compareTo(SiteId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
