package org.metasched.dag;

import java.nio.file.Path;

/**
 * A file to which a DAG refers.
 *
 * @param role purpose of the file in the DAG
 * @param owner the DAG file that names it
 * @param line number of the line that names it, from 1
 * @param node the node or splice that needs it, the first if there are several; empty for an include
 * @param directory the directory, relative to the DAG's, from which it is named; empty for the DAG's own
 * @param name as written
 * @param path the name resolved in the directory
 */
public record DagPart(Role role, String owner, int line, String node, String directory, String name, Path path) {

    /** Role of a file in the DAG that names it. */
    public enum Role {
        SUBMIT_FILE,
        SPLICE,
        SUBDAG,
        INCLUDE
    }
}
