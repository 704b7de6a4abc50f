package org.metasched.dag.binding;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nested DAGs with the values that they get from the DAGs around them. A DAG with several sets of values is there once for each set.
 */
final class NestedRuns {

    /** The greatest number of runs beyond one of each DAG. */
    private static final int MOST_MORE = 1000;

    /**
     * A DAG with the values that it gets.
     *
     * @param place the line that names it
     */
    record Run(NestedDag.Member member, SiteValues around, String place) {}

    final List<Run> all = new ArrayList<>();

    private final List<NestedDag.Member> members;
    private final Map<Object, NestedDag.Member> found = new HashMap<>();
    private final Set<List<Object>> seen = new HashSet<>();

    NestedRuns(NestedDag dag) {
        members = dag.all();
        for (NestedDag.Member member : members) {
            found.putIfAbsent(member.file(), member);
            found.put(List.of(member.file(), member.directory()), member);
        }
    }

    /** Adds a run in a directory, unless the DAG has one there with these values. */
    void add(Path file, Path directory, SiteValues around, String place) {
        NestedDag.Member member = found.getOrDefault(List.of(file, directory), found.get(file));
        if (member != null && seen.add(List.of(member, around.variables, around.inherited))) {
            if (all.size() >= members.size() + MOST_MORE) {
                throw new IllegalArgumentException(
                        place + ": The ENV lines of the nested DAGs differ in more than " + MOST_MORE + " ways.");
            }
            all.add(new Run(member, around, place));
        }
    }
}
