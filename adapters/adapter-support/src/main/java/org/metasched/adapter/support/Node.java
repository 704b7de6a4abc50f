package org.metasched.adapter.support;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.metasched.adapter.Need;

/**
 * A compute node as a request can ask for it.
 *
 * @param name the scheduler's name for it
 * @param cores cores that one job may use on it, at least 1
 * @param properties features, queues, architectures: whatever the site lets a request name
 */
public record Node(String name, int cores, SortedSet<String> properties) {

    public Node {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a node must not be blank.");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("The cores (" + cores + ") of node " + name + " must be at least 1.");
        }
        properties = Collections.unmodifiableSortedSet(new TreeSet<>(properties));
    }

    public Node(String name, int cores, Set<String> properties) {
        this(name, cores, new TreeSet<>(properties));
    }

    /** Whether the node has what every node of the request must have. */
    public boolean suits(Need.Nodes need) {
        return cores >= need.coresPerNode() && properties.containsAll(need.properties());
    }
}
