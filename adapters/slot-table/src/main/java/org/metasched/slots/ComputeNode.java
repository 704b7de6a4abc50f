package org.metasched.slots;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A compute node as a request can ask for it. Immutable and thread-safe.
 *
 * @param name the scheduler's name for it
 * @param cores cores that one job may use on it, at least 1
 * @param properties features, queues, architectures: whatever the site lets a request name
 */
public record ComputeNode(String name, int cores, SortedSet<String> properties) {

    /**
     * Checks the parts and copies the properties.
     *
     * @throws IllegalArgumentException when the name is blank, or the cores are fewer than one
     */
    public ComputeNode {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a node must not be blank.");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("The cores (" + cores + ") of node " + name + " must be at least 1.");
        }
        properties = properties.isEmpty()
                ? Collections.emptySortedSet()
                : Collections.unmodifiableSortedSet(new TreeSet<>(properties));
    }

    /**
     * A node whose properties come in any order.
     *
     * @throws IllegalArgumentException as the canonical constructor
     */
    public ComputeNode(String name, int cores, Set<String> properties) {
        this(name, cores, new TreeSet<>(properties));
    }

    /**
     * Whether the node has what a request wants of each of its nodes.
     *
     * @param wantedCores cores on this node
     * @param wantedProperties names that must all be among {@link #properties()}
     */
    public boolean suits(int wantedCores, Set<String> wantedProperties) {
        return cores >= wantedCores && properties.containsAll(wantedProperties);
    }
}
