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
        IntList families = reader.scope.families;
        int begin = families.size();
        families.add(reader.file);
        families.add(reader.line());
        families.add(0);
        families.add(0);
        int parents = 0;
        int children = 0;
        boolean childSeen = false;
        boolean childLast = false;
        while (lexer.next()) {
            childLast = lexer.is("CHILD");
            if (childLast) {
                childSeen = true;
            } else {
                families.add(reader.scope.number(lexer.bytes(), lexer.from(), lexer.to()));
                parents += childSeen ? 0 : 1;
                children += childSeen ? 1 : 0;
            }
        }
        if (lexer.unclosed() || parents == 0 || children == 0 || childLast) {
            families.setSize(begin);
            return reader.fail(
                    lexer.unclosed()
                            ? DagLexer.UNCLOSED
                            : parents == 0
                                    ? "No parent node(s) specified"
                                    : childSeen ? "No children node(s) specified" : "Missing CHILD specifier");
        }
        families.set(begin + 2, parents);
        families.set(begin + 3, children);
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
        IntList connections = reader.scope.connections;
        connections.add(reader.file);
        connections.add(reader.line());
        connections.add(parent);
        connections.add(child);
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
        IntList pins = reader.scope.pins;
        pins.add(reader.file);
        pins.add(reader.line());
        pins.add(node);
        pins.add(out ? -number : number);
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
