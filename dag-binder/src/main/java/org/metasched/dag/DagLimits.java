package org.metasched.dag;

/**
 * Limits on reading a DAG. A file that asks for more is refused with a message.
 *
 * @param lineBytes length of one line, continuations joined
 * @param nodes nodes of the whole DAG, those of its splices included; also lines of ENV SET, of ENV GET, and of SET_JOB_ATTR
 * @param splices splices of the whole DAG, nested ones counted each time they are used
 * @param depth nesting of splices and includes
 * @param problems errors that are kept, and warnings; further errors are counted, further warnings are dropped
 */
public record DagLimits(int lineBytes, int nodes, int splices, int depth, int problems) {

    /** Room for ten million nodes, lines of 8 MiB, 100,000 splices nested 64 deep. */
    public static final DagLimits DEFAULT = new DagLimits(8 << 20, 10_000_000, 100_000, 64, 10_000);

    public DagLimits {
        if (lineBytes < 1 || nodes < 1 || splices < 0 || depth < 1 || problems < 1) {
            throw new IllegalArgumentException(
                    "The limits must be positive (splices: 0 or more): " + lineBytes + " bytes, " + nodes + " nodes, "
                            + splices + " splices, depth " + depth + ", " + problems + " problems.");
        }
    }
}
