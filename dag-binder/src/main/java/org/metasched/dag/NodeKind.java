package org.metasched.dag;

/** Kind of a node. A {@link #JOIN} stands in no file: the parser puts it between several parents and several children of a PARENT line. */
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
