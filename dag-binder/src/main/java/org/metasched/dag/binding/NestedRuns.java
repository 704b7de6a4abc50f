package org.metasched.dag.binding;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

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
     * @param isOriginal whether an absolute name leads to its directory: then it runs in the original, not in the bound DAG
     */
    record Run(NestedDag.Member member, SiteValues around, String place, boolean isOriginal) {}

    final List<Run> all = new ArrayList<>();

    private final Map<List<Path>, NestedDag.Member> members;
    private final Set<List<Object>> seen = new HashSet<>();

    NestedRuns(NestedDag dag) {
        members = dag.all().stream()
                .collect(Collectors.toMap(
                        member -> NestedDag.key(member.file(), member.directory()), Function.identity()));
    }

    /** Adds a run in a directory, unless the DAG has one there with these values. */
    void add(Path file, Path directory, SiteValues around, String place, boolean isOriginal) {
        NestedDag.Member member = members.get(NestedDag.key(file, directory));
        if (member != null && seen.add(List.of(member, around.variables, around.inherited, isOriginal))) {
            if (all.size() >= members.size() + MOST_MORE) {
                throw new IllegalArgumentException(
                        place + ": The ENV lines of the nested DAGs differ in more than " + MOST_MORE + " ways.");
            }
            all.add(new Run(member, around, place, isOriginal));
        }
    }
}
