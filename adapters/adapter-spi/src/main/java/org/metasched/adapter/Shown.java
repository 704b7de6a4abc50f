package org.metasched.adapter;

/** Makes text of unknown origin fit for a message: control characters escaped, at most 80 characters. */
final class Shown {

    private static final int LONGEST = 80;

    private Shown() {}

    static String of(String text) {
        var shown = new StringBuilder();
        for (int i = 0; i < text.length() && shown.length() < LONGEST; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return text.length() > LONGEST ? shown + "…" : shown.toString();
    }
}
