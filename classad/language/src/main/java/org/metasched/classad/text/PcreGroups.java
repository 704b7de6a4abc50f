package org.metasched.classad.text;

/** The capturing groups of a PCRE pattern, which decide what a backslash and a number mean. */
final class PcreGroups {

    private PcreGroups() {}

    /** How many groups a pattern captures. */
    static int count(String pattern) {
        int groups = 0;
        boolean inClass = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[') {
                inClass = true;
            } else if (c == ']') {
                inClass = false;
            } else if (c == '(' && !inClass && captures(pattern, i)) {
                groups++;
            }
        }
        return groups;
    }

    /** Whether the parenthesis at an offset opens a group that captures. */
    static boolean captures(String pattern, int open) {
        if (!pattern.startsWith("(?", open)) {
            return !pattern.startsWith("(*", open);
        }
        boolean named = pattern.startsWith("(?<", open)
                && !pattern.startsWith("(?<=", open)
                && !pattern.startsWith("(?<!", open);
        return named || pattern.startsWith("(?P<", open) || pattern.startsWith("(?'", open);
    }
}
