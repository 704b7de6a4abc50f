package org.metasched.simulation.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One run of a sweep.
 *
 * @param name name of its folder; empty for the only run of a scenario without a sweep
 * @param alterations new values of settings, by path
 */
public record SweepCell(String name, Map<String, String> alterations) {

    private static final int LONGEST_NAME = 120;
    private static final int MOST_RUNS = 100_000;

    /**
     * All combinations of the swept values, with the last path changing fastest. A path in {@code fixed} is not swept.
     *
     * @throws IllegalArgumentException when there are more than {@value #MOST_RUNS}
     */
    public static List<SweepCell> of(Map<String, List<String>> sweep, Map<String, String> fixed) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (var path : sweep.entrySet()) {
            if (fixed.containsKey(path.getKey())) {
                continue;
            }
            long runs = (long) combinations.size() * path.getValue().size();
            if (runs > MOST_RUNS) {
                throw new IllegalArgumentException(
                        "The sweep has more than " + MOST_RUNS + " runs (" + runs + " up to '" + path.getKey() + "').");
            }
            var longer = new ArrayList<Map<String, String>>();
            for (var combination : combinations) {
                for (var value : path.getValue()) {
                    var extended = new LinkedHashMap<>(combination);
                    extended.put(path.getKey(), value);
                    longer.add(extended);
                }
            }
            combinations = longer;
        }
        var cells = new ArrayList<SweepCell>();
        for (var combination : combinations) {
            var all = new LinkedHashMap<>(fixed);
            all.putAll(combination);
            cells.add(new SweepCell(combination.isEmpty() ? "" : name(cells.size() + 1, combination), all));
        }
        return cells;
    }

    private static String name(int number, Map<String, String> values) {
        var name = new StringBuilder(String.format(Locale.ROOT, "%04d", number));
        values.forEach((path, value) -> name.append(
                "-" + path.substring(path.lastIndexOf('.') + 1) + "=" + value.replaceAll("[^A-Za-z0-9.]", "_")));
        return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name.toString();
    }
}
