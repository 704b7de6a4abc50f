package org.metasched.dag;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Settings of a DAG as a whole; keeps at most {@code limit} of each kind. Not thread-safe. */
final class GlobalSettings {

    boolean hasConfiguration;
    boolean hasScripts;
    boolean hasInlineDescriptions;
    final List<String> jobAttributes = new ArrayList<>();
    final List<String> environmentSet = new ArrayList<>();
    final List<String> environmentGet = new ArrayList<>();
    /** Paths of the scripts and of the configuration file, relative to the DAG's directory. */
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
    void noteHelper(String directory, String name) {
        if (helpers.size() < limit && !name.isEmpty()) {
            helpers.add(DagSession.join(directory, name));
        }
    }
}
