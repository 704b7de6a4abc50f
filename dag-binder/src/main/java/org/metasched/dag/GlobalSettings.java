package org.metasched.dag;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Settings of a DAG as a whole. Not thread-safe. */
final class GlobalSettings {

    boolean hasConfiguration;
    boolean hasScripts;
    boolean hasInlineDescriptions;
    final List<String> jobAttributes = new ArrayList<>();
    /** Arguments of {@code ENV SET}. */
    final List<String> environmentSet = new ArrayList<>();
    /** Arguments of {@code ENV GET}. */
    final List<String> environmentGet = new ArrayList<>();
    /** Paths, relative to the DAG's directory, of files that must be there when the DAG runs and that no node names. */
    final Set<String> helperFiles = new LinkedHashSet<>();
}
