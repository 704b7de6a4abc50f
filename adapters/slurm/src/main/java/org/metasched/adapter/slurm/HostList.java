package org.metasched.adapter.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.command.OutputFormatException;

/**
 * Slurm's short form of many node names: {@code n[1-3,7],login}, {@code rack[1-2]n[01-16]}. Numbers keep their leading
 * zeros. Expands to at most {@value #MOST} names.
 */
final class HostList {

    static final int MOST = 200_000;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.-]+");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private HostList() {}

    /** @throws OutputFormatException when the text is not of that form */
    static List<String> expand(String text) {
        if (PLAIN.matcher(text).matches()) {
            return List.of(text);
        }
        var names = new ArrayList<String>();
        int from = 0;
        int depth = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            if (c == '[') {
                depth++;
            } else if (c == ']') {
                depth--;
            } else if (c == ',' && depth == 0) {
                names.addAll(expandOne(text.substring(from, i), text));
                from = i + 1;
            }
            if (depth < 0 || depth > 1) {
                throw refuse(text);
            }
            refuseMany(names.size(), text);
        }
        if (depth != 0) {
            throw refuse(text);
        }
        return names;
    }

    private static List<String> expandOne(String word, String whole) {
        List<String> heads = List.of("");
        int at = 0;
        while (at < word.length()) {
            int open = word.indexOf('[', at);
            String plain = open < 0 ? word.substring(at) : word.substring(at, open);
            if (!plain.isEmpty() && !PLAIN.matcher(plain).matches()) {
                throw refuse(whole);
            }
            List<String> numbers = List.of("");
            at = word.length();
            if (open >= 0) {
                int close = word.indexOf(']', open);
                numbers = numbers(word.substring(open + 1, close), whole);
                at = close + 1;
            }
            refuseMany((long) heads.size() * numbers.size(), whole);
            var longer = new ArrayList<String>();
            for (String head : heads) {
                for (String number : numbers) {
                    longer.add(head + plain + number);
                }
            }
            heads = longer;
        }
        if (heads.get(0).isEmpty()) {
            throw refuse(whole);
        }
        return heads;
    }

    private static List<String> numbers(String ranges, String whole) {
        var numbers = new ArrayList<String>();
        for (String range : ranges.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (!matcher.matches()) {
                throw refuse(whole);
            }
            String first = matcher.group(1);
            String last = matcher.group(2) == null ? first : matcher.group(2);
            long low = Long.parseLong(first);
            long high = Long.parseLong(last);
            if (high < low) {
                throw refuse(whole);
            }
            refuseMany(numbers.size() + high - low + 1, whole);
            for (long number = low; number <= high; number++) {
                String digits = Long.toString(number);
                numbers.add("0".repeat(Math.max(0, first.length() - digits.length())) + digits);
            }
        }
        return numbers;
    }

    private static void refuseMany(long count, String text) {
        OutputFormatException.throwIf(
                count > MOST, "the list of nodes (%s) has more than %s names", DisplayText.of(text), MOST);
    }

    private static OutputFormatException refuse(String text) {
        return new OutputFormatException(
                "expected a list of nodes such as n[1-3,7], not (" + DisplayText.of(text) + ")");
    }
}
