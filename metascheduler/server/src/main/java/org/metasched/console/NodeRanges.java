package org.metasched.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of nodes as schedulers write long lists: {@code fzj-[1-4,9]}. */
final class NodeRanges {

    private static final Pattern NUMBERED = Pattern.compile("(.*\\D|)(\\d{1,9})(\\D*)");

    private NodeRanges() {}

    /** @param width digits to which a number is padded with zeros; 0 for none, {@link #UNNUMBERED} for a name without a number */
    private record NamePattern(String prefix, int width, String suffix) {

        static final int UNNUMBERED = -1;

        String with(Integer number) {
            return width == 0 ? number.toString() : String.format("%0" + width + "d", number);
        }
    }

    /**
     * Names that differ in a number only become ranges. Of the names with one prefix, numbers with the same count of digits are
     * padded with zeros to this count if one of them has a leading zero.
     */
    static String folded(List<String> names) {
        // Each is a prefix, then the number of digits. A single 0 has no leading zero.
        var paddedWidths = names.stream()
                .map(NUMBERED::matcher)
                .filter(numbered -> numbered.matches() && numbered.group(2).matches("0\\d+"))
                .map(numbered -> numbered.group(1) + numbered.group(2).length())
                .collect(Collectors.toSet());
        Map<NamePattern, TreeSet<Integer>> numbers = new LinkedHashMap<>();
        for (String name : names) {
            var numbered = NUMBERED.matcher(name);
            if (numbered.matches()) {
                String digits = numbered.group(2);
                int width = paddedWidths.contains(numbered.group(1) + digits.length()) ? digits.length() : 0;
                var pattern = new NamePattern(numbered.group(1), width, numbered.group(3));
                numbers.computeIfAbsent(pattern, unseen -> new TreeSet<>()).add(Integer.valueOf(digits));
            } else {
                numbers.put(new NamePattern(name, NamePattern.UNNUMBERED, ""), new TreeSet<>());
            }
        }
        return numbers.entrySet().stream()
                .map(entry -> folded(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String folded(NamePattern shape, TreeSet<Integer> numbers) {
        List<String> ranges = new ArrayList<>();
        for (int first : numbers) {
            if (!numbers.contains(first - 1)) {
                int last = first;
                while (numbers.contains(last + 1)) {
                    last++;
                }
                ranges.add(shape.with(first) + (last == first ? "" : "-" + shape.with(last)));
            }
        }
        String inside = String.join(",", ranges);
        return shape.prefix() + (numbers.size() < 2 ? inside : "[" + inside + "]") + shape.suffix();
    }
}
