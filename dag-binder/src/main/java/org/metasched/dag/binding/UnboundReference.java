package org.metasched.dag.binding;

/**
 * A reference of a DAG that the site's ad does not answer.
 *
 * @param node the first node that needs it; empty if it belongs to no node
 * @param file name of the file with the reference
 * @param line number of the line in that file, from 1
 * @param reference as written
 * @param reason reason for which it has no value, as the end of a sentence that begins with the reference
 */
public record UnboundReference(String node, String file, int line, String reference, String reason) {

    @Override
    public String toString() {
        return file + ":" + line + ": " + (node.isEmpty() ? "" : "node " + node + ": ") + reference + " " + reason;
    }
}
