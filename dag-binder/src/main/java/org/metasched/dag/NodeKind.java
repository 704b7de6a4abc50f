package org.metasched.dag;

/** The kind of a node. {@link #JOIN} nodes are ours: they stand between many parents and many children of one line. */
public enum NodeKind {
    JOB,
    SUBDAG,
    FINAL,
    PROVISIONER,
    SERVICE,
    JOIN;

    /** Runs in the order of the graph; the others run before, beside or after it and have no dependencies. */
    public boolean hasDependencies() {
        return this == JOB || this == SUBDAG || this == JOIN;
    }
}
