package org.metasched.dag;

/** Modifiers of names that were not jobs yet, or of all nodes. Not thread-safe. */
final class PendingCommands extends PlacedRows {

    private static final DagCommand[] COMMANDS = DagCommand.values();

    PendingCommands() {
        super(5);
    }

    void add(int file, int line, int column, DagCommand command, int name) {
        appendPlace(file, line);
        append(column);
        append(command.ordinal());
        append(name);
    }

    int column(int row) {
        return field(row, 2);
    }

    DagCommand command(int row) {
        return COMMANDS[field(row, 3)];
    }

    /** The name's number in the scope, or {@link Scope#ALL_NODES}. */
    int name(int row) {
        return field(row, 4);
    }
}
