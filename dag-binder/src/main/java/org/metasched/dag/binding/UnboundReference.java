package org.metasched.dag.binding;

/**
 * A reference of a DAG that the site's ad does not answer.
 *
 * @param node the first node that needs it; empty if it belongs to no node
 * @param file where it stands
 * @param line in that file, from 1
 * @param reference as written
 * @param reason why it cannot be settled
 */
public record UnboundReference(String node, String file, int line, String reference, String reason) {

    @Override
    public String toString() {
        return file + ":" + line + ": " + (node.isEmpty() ? "" : "node " + node + ": ") + reference + " " + reason;
    }
}
