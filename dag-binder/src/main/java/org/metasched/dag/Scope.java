package org.metasched.dag;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One name space of nodes: a DAG with its includes, or one splice. Collects nodes and dependencies by number while files are read;
 * names may be used before they are defined. Not thread-safe.
 */
final class Scope {

    private static final NodeKind[] KINDS = NodeKind.values();

    static final byte UNDEFINED = 0;
    static final byte SPLICE = 100;
    static final byte NOOP = 1;
    static final byte DONE = 2;
    static final byte INLINE = 4;
    static final byte ADOPTED = 8;
    /** Stands for a name: every job and nested DAG of the scope. */
    static final int ALL_NODES = -1;

    final DagSession session;
    /** The scope's name in the enclosing one; empty for the whole DAG. */
    final String name;
    /** Directory from which this scope's files are named. */
    final String directory;

    final ByteNames names = new ByteNames();
    private byte[] kinds = new byte[16];
    private byte[] flags = new byte[16];
    private final IntList descriptions = new IntList();
    private final IntList directories = new IntList();
    private final IntList lines = new IntList();
    private final IntList files = new IntList();

    /** Dependencies as written. */
    Families families = new Families();
    /** Dependencies by number; many-to-many ones go over a join node. */
    final Edges edges = new Edges();
    /** Dependencies that come from connected pins. */
    final Edges pinEdges = new Edges();

    final PendingCommands pending = new PendingCommands();
    final Pins pins = new Pins();
    final Connections connections = new Connections();
    /** Submit descriptions written in this scope. */
    final Set<Integer> inlineDescriptions = new HashSet<>();

    final Map<Integer, Scope> splices = new LinkedHashMap<>();
    final Set<String> usedCategories = new HashSet<>();
    final Map<String, DagProblem> throttles = new HashMap<>();

    int finalNode = -1;
    int provisioner = -1;

    Scope(DagSession session, String name, String directory) {
        this.session = session;
        this.name = name;
        this.directory = directory;
    }

    int number(byte[] bytes, int from, int to) {
        int number = names.number(bytes, from, to);
        grow(number);
        return number;
    }

    private void grow(int number) {
        if (number >= kinds.length) {
            int wanted = Math.max(number + 1, kinds.length + (kinds.length >> 1));
            kinds = Arrays.copyOf(kinds, wanted);
            flags = Arrays.copyOf(flags, wanted);
        }
        while (descriptions.size() <= number) {
            descriptions.add(-1);
            directories.add(0);
            lines.add(0);
            files.add(0);
        }
    }

    boolean isDefined(int number) {
        return kinds[number] != UNDEFINED;
    }

    boolean isSplice(int number) {
        return kinds[number] == SPLICE;
    }

    boolean isNode(int number) {
        return kinds[number] != UNDEFINED && kinds[number] != SPLICE;
    }

    NodeKind kind(int number) {
        return KINDS[kinds[number] - 1];
    }

    boolean isJob(int number) {
        return kinds[number] == NodeKind.JOB.ordinal() + 1;
    }

    void define(int number, NodeKind kind, int description, int directoryNumber, int file, int line) {
        kinds[number] = (byte) (kind.ordinal() + 1);
        descriptions.set(number, description);
        directories.set(number, directoryNumber);
        files.set(number, file);
        lines.set(number, line);
    }

    void defineSplice(int number, Scope splice, int file, int line) {
        kinds[number] = SPLICE;
        files.set(number, file);
        lines.set(number, line);
        splices.put(number, splice);
    }

    /** Whether a command on a line of a file may use a name. */
    boolean isDefined(int number, int usedIn, int line) {
        int definedIn = files.get(number);
        return isDefined(number)
                && (definedIn == usedIn || has(number, ADOPTED) || session.isKnown(usedIn, line, definedIn));
    }

    int join() {
        int number = names.anonymous();
        grow(number);
        kinds[number] = (byte) (NodeKind.JOIN.ordinal() + 1);
        return number;
    }

    void flag(int number, byte flag) {
        flags[number] |= flag;
    }

    boolean has(int number, byte flag) {
        return (flags[number] & flag) != 0;
    }

    int description(int number) {
        return descriptions.get(number);
    }

    int directory(int number) {
        return directories.get(number);
    }

    int line(int number) {
        return lines.get(number);
    }

    int file(int number) {
        return files.get(number);
    }

    int size() {
        return names.size();
    }

    /** Whether there is a job or a nested DAG that no splice has brought. */
    boolean hasNodesOfItsOwn() {
        for (int i = 0; i < size(); i++) {
            boolean own = isNode(i) && !has(i, ADOPTED);
            if (own && (kind(i) == NodeKind.JOB || kind(i) == NodeKind.SUBDAG)) {
                return true;
            }
        }
        return false;
    }

    void markInlineDescriptions() {
        if (inlineDescriptions.isEmpty()) {
            return;
        }
        for (int i = 0; i < size(); i++) {
            if (isNode(i) && inlineDescriptions.contains(descriptions.get(i))) {
                flag(i, INLINE);
            }
        }
    }

    /** Takes over a node of a splice under the splice's name, and gives its number here. */
    int adopt(Scope splice, byte[] prefix, int inner) {
        int number;
        if (splice.kind(inner) == NodeKind.JOIN) {
            number = join();
        } else {
            number = splice.names.copyTo(names, prefix, inner);
            grow(number);
            define(
                    number,
                    splice.kind(inner),
                    splice.description(inner),
                    splice.directory(inner),
                    splice.file(inner),
                    splice.line(inner));
        }
        flags[number] = (byte) (splice.flags[inner] | ADOPTED);
        return number;
    }

    static byte[] prefix(String spliceName) {
        return (spliceName + "+").getBytes(StandardCharsets.UTF_8);
    }
}
