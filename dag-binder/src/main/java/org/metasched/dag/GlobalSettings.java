package org.metasched.dag;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Settings of a DAG as a whole: as many of each kind as the limit on problems. Not thread-safe. */
final class GlobalSettings {

    boolean configured;
    boolean scripts;
    final List<String> jobAttributes = new ArrayList<>();
    final List<String> environmentSet = new ArrayList<>();
    final List<String> environmentGet = new ArrayList<>();
    /** Scripts and the like by the path from the root. */
    final Set<String> helpers = new LinkedHashSet<>();

    private final int limit;

    GlobalSettings(int limit) {
        this.limit = limit;
    }

    void note(List<String> kind, String text) {
        if (kind.size() < limit) {
            kind.add(text);
        }
    }

    /** Notes a file that has to be there when the DAG runs. */
    void helper(String directory, String name) {
        if (helpers.size() < limit && !name.isEmpty()) {
            helpers.add(DagSession.join(directory, name));
        }
    }
}
