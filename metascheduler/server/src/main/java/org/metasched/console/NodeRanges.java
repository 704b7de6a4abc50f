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

    /** Names that differ in a number become ranges. Numbers are padded to a width where one of that width has leading zeros. */
    static String folded(List<String> names) {
        var padded = names.stream()
                .map(NUMBERED::matcher)
                .filter(numbered -> numbered.matches() && numbered.group(2).startsWith("0"))
                .map(numbered -> numbered.group(1) + numbered.group(2).length())
                .collect(Collectors.toSet());
        Map<List<String>, TreeSet<Integer>> numbers = new LinkedHashMap<>();
        for (String name : names) {
            var numbered = NUMBERED.matcher(name);
            if (numbered.matches()) {
                String digits = numbered.group(2);
                String width = String.valueOf(digits.length());
                width = padded.contains(numbered.group(1) + width) ? width : "";
                numbers.computeIfAbsent(List.of(numbered.group(1), width, numbered.group(3)), k -> new TreeSet<>())
                        .add(Integer.valueOf(digits));
            } else {
                numbers.put(List.of(name, "", ""), new TreeSet<>());
            }
        }
        return numbers.entrySet().stream()
                .map(entry -> folded(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String folded(List<String> prefixWidthSuffix, TreeSet<Integer> numbers) {
        String format = prefixWidthSuffix.get(1).isEmpty() ? "%d" : "%0" + prefixWidthSuffix.get(1) + "d";
        List<String> ranges = new ArrayList<>();
        for (int first : numbers) {
            if (!numbers.contains(first - 1)) {
                int last = first;
                while (numbers.contains(last + 1)) {
                    last++;
                }
                ranges.add(String.format(format, first) + (last == first ? "" : "-" + String.format(format, last)));
            }
        }
        String inside = String.join(",", ranges);
        return prefixWidthSuffix.get(0) + (numbers.size() < 2 ? inside : "[" + inside + "]") + prefixWidthSuffix.get(2);
    }
}
