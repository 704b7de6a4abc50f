package org.metasched.dag;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One name space of nodes: a DAG with its includes, or one splice. Collects nodes and dependencies by number while files are read;
 * names may be used before they are defined. Not thread-safe.
 */
final class NodeNamespace {

    /** Stands in place of a name's number, for every job and nested DAG of the scope. */
    static final int ALL_NODES = -1;

    /**
     * A command that is checked when the scope ends.
     *
     * @param name number of the name, or {@link #ALL_NODES}
     */
    record PendingCommand(int file, int line, int column, DagCommand command, int name) {}

    final DagSession session;
    /** Prefix of this scope's names in the whole DAG; empty for the DAG itself. */
    final String prefix;
    /** Directory from which this scope's files are named. */
    final String directory;

    final NodeTable nodes = new NodeTable();
    /** Dependencies as written. */
    final ParentChildSets families = new ParentChildSets();
    /** Dependencies by number; between several parents and several children there is a join node. */
    final DependencyEdges edges = new DependencyEdges();
    /** Dependencies that come from connected pins. */
    final DependencyEdges pinEdges = new DependencyEdges();

    /** Commands about names that were not defined as jobs when they were read, or about all nodes; to be checked. */
    final List<PendingCommand> pending = new ArrayList<>();

    final SplicePins pins = new SplicePins();
    final Map<Integer, NodeNamespace> splices = new LinkedHashMap<>();
    final CategoryThrottles categories = new CategoryThrottles();
    /** The properties of the nodes, if they are wanted. */
    final NodeDrafts drafts;

    NodeNamespace(DagSession session, String prefix, String directory) {
        this.session = session;
        this.prefix = prefix;
        this.directory = directory;
        this.drafts = new NodeDrafts(session, nodes, prefix);
    }

    void defineSplice(int number, NodeNamespace splice, int file, int line) {
        nodes.defineSplice(number, file, line);
        splices.put(number, splice);
        drafts.addAll(splice.drafts);
    }

    /** Whether a command on a line of the file {@code usedIn} may use a name. */
    boolean isUsable(int number, int usedIn, int line) {
        int definedIn = nodes.files.get(number);
        return nodes.isDefined(number)
                && (definedIn == usedIn
                        || nodes.has(number, NodeTable.ADOPTED)
                        || session.sources.isKnown(usedIn, line, definedIn));
    }

    /** A category's name in the whole DAG: each splice has categories of its own, except those that begin with {@code +}. */
    String categoryName(String category) {
        return category.startsWith("+") ? category : prefix + category;
    }

    /** A node's name in the whole DAG. */
    String fullName(int number) {
        return prefix + nodes.name(number);
    }
}
