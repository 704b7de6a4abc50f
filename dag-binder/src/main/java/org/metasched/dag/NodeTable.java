package org.metasched.dag;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** The names of a scope by number, and which nodes or splices they are; a name may be used before it is defined. Not thread-safe. */
final class NodeTable {

    private static final NodeKind[] KINDS = NodeKind.values();

    /** The kind of a name that is not defined. A node's kind is the ordinal of its {@link NodeKind} plus 1. */
    static final byte UNDEFINED = 0;
    /** The kind of a splice's name. */
    static final byte SPLICE = 100;
    /** Flags of a name. */
    static final byte NOOP = 1;

    static final byte DONE = 2;
    /** The description stands in the DAG file. */
    static final byte INLINE = 4;
    /** A splice has brought the node. */
    static final byte ADOPTED = 8;

    private final ByteNames names = new ByteNames();
    private byte[] kinds = new byte[16];
    private byte[] flags = new byte[16];
    // By the number of a name: the numbers of its description (-1 for none) and directory in the session's tables, and
    // the line and file of its definition.
    final IntList descriptions = new IntList();
    final IntList directories = new IntList();
    final IntList lines = new IntList();
    final IntList files = new IntList();
    private final int[] firsts = new int[KINDS.length];
    /** Submit descriptions written in the scope. */
    private final Set<Integer> inlineDescriptions = new HashSet<>();

    NodeTable() {
        Arrays.fill(firsts, -1);
    }

    int intern(byte[] bytes, int from, int to) {
        int number = names.intern(bytes, from, to);
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

    /** The number of names, join nodes included. */
    int size() {
        return names.size();
    }

    String name(int number) {
        return names.text(number);
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

    /** Whether ALL_NODES stands for the node, too. */
    boolean isJobOrDag(int number) {
        return kind(number) == NodeKind.JOB || kind(number) == NodeKind.SUBDAG;
    }

    /** The node of a kind that was defined first, -1 if there is none. */
    int first(NodeKind kind) {
        return firsts[kind.ordinal()];
    }

    void define(int number, NodeKind kind, int description, int directory, int file, int line) {
        int first = firsts[kind.ordinal()];
        firsts[kind.ordinal()] = first < 0 ? number : first;
        kinds[number] = (byte) (kind.ordinal() + 1);
        descriptions.set(number, description);
        directories.set(number, directory);
        files.set(number, file);
        lines.set(number, line);
    }

    void defineSplice(int number, int file, int line) {
        kinds[number] = SPLICE;
        files.set(number, file);
        lines.set(number, line);
    }

    int addJoin() {
        int number = names.addAnonymous();
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

    /** Whether there is a job or a nested DAG that no splice has brought. */
    boolean hasNodesOfItsOwn() {
        return IntStream.range(0, size()).anyMatch(i -> isNode(i) && !has(i, ADOPTED) && isJobOrDag(i));
    }

    /** Notes that a DAG file contains the submit description itself; the number is that of its name. */
    void describeInline(int description) {
        inlineDescriptions.add(description);
    }

    /** Marks the nodes whose description is one of those. */
    void markInlineDescriptions() {
        IntStream.range(0, inlineDescriptions.isEmpty() ? 0 : size())
                .filter(i -> isNode(i) && inlineDescriptions.contains(descriptions.get(i)))
                .forEach(i -> flag(i, INLINE));
    }

    /** Takes over the node {@code inner} of a splice, its name prefixed; returns its number here. */
    int adopt(NodeTable splice, byte[] prefix, int inner) {
        int number;
        if (splice.kind(inner) == NodeKind.JOIN) {
            number = addJoin();
        } else {
            number = splice.names.copyTo(names, prefix, inner);
            grow(number);
            define(
                    number,
                    splice.kind(inner),
                    splice.descriptions.get(inner),
                    splice.directories.get(inner),
                    splice.files.get(inner),
                    splice.lines.get(inner));
        }
        flags[number] = (byte) (splice.flags[inner] | ADOPTED);
        return number;
    }
}
