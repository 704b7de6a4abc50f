package org.metasched.dag;

/** The kind of a node. {@link #JOIN} nodes are ours: one stands between the parents and the children of one PARENT line. */
public enum NodeKind {
    JOB,
    SUBDAG,
    FINAL,
    PROVISIONER,
    SERVICE,
    JOIN;

    /** Whether the node may have edges; the others run before, beside or after the graph. */
    public boolean hasDependencies() {
        return this == JOB || this == SUBDAG || this == JOIN;
    }
}
