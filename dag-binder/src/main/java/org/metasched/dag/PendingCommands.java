package org.metasched.dag;

/** Commands about names that were not defined as jobs when they were read, or about all nodes; to be checked. Not thread-safe. */
final class PendingCommands extends FlatRows {

    private static final DagCommand[] COMMANDS = DagCommand.values();

    PendingCommands() {
        super(5);
    }

    void add(int file, int line, int column, DagCommand command, int name) {
        append(file);
        append(line);
        append(column);
        append(command.ordinal());
        append(name);
    }

    /** The file's number in the session. */
    int file(int row) {
        return field(row, 0);
    }

    int line(int row) {
        return field(row, 1);
    }

    int column(int row) {
        return field(row, 2);
    }

    DagCommand command(int row) {
        return COMMANDS[field(row, 3)];
    }

    /** The name's number in the scope, or {@link NodeNamespace#ALL_NODES}. */
    int name(int row) {
        return field(row, 4);
    }
}
