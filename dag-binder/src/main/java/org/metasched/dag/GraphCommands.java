package org.metasched.dag;

/** The commands that draw the graph: dependencies, and the pins by which splices are connected. */
final class GraphCommands {

    private final CommandReader reader;
    private final DagLexer lexer;

    GraphCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    void execute(DagCommand command) {
        if (command == DagCommand.CONNECT) {
            connect();
        } else {
            pin(command == DagCommand.PIN_OUT);
        }
    }

    /** {@code PARENT a b CHILD c d}. Names are kept as numbers; whether they are nodes or splices is known only at the end. */
    boolean family(boolean weak) {
        if (weak && (!lexer.next() || !lexer.is("PARENT"))) {
            return reader.fail("WEAK dependency missing PARENT keyword");
        }
        Families families = reader.scope.families;
        int family = families.begin(reader.file, reader.line());
        int parents = 0;
        boolean childSeen = false;
        boolean childLast = false;
        while (lexer.next()) {
            childLast = lexer.is("CHILD");
            if (childLast) {
                childSeen = true;
            } else {
                families.add(reader.scope.number(lexer.bytes(), lexer.from(), lexer.to()));
                parents += childSeen ? 0 : 1;
            }
        }
        families.end(family, parents);
        if (lexer.unclosed() || parents == 0 || families.children(family) == 0 || childLast) {
            families.drop(family);
            return reader.fail(
                    lexer.unclosed()
                            ? DagLexer.UNCLOSED
                            : parents == 0
                                    ? "No parent node(s) specified"
                                    : childSeen ? "No children node(s) specified" : "Missing CHILD specifier");
        }
        return true;
    }

    private boolean connect() {
        if (!lexer.next()) {
            return reader.fail("Missing splice(s) to connect");
        }
        int parent = reader.scope.number(lexer.bytes(), lexer.from(), lexer.to());
        if (!lexer.next()) {
            return reader.fail("Missing splice(s) to connect");
        }
        int child = reader.scope.number(lexer.bytes(), lexer.from(), lexer.to());
        if (!reader.nothingLeft()) {
            return false;
        }
        reader.scope.connections.add(reader.file, reader.line(), parent, child);
        return true;
    }

    private boolean pin(boolean out) {
        if (!lexer.next()) {
            return reader.fail("No node name specified");
        }
        int node = reader.scope.number(lexer.bytes(), lexer.from(), lexer.to());
        if (!lexer.next()) {
            return reader.fail("No pin number specified");
        }
        int number = pinNumber();
        if (number < 1) {
            return reader.fail("Invalid pin number '" + lexer.text() + "'", "Pins are numbered from 1.");
        }
        if (!reader.nothingLeft()) {
            return false;
        }
        reader.scope.pins.add(reader.file, reader.line(), node, number, out);
        return true;
    }

    private int pinNumber() {
        try {
            return lexer.integer();
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
