package org.metasched.dag;

/** The commands that define the graph: dependencies, and the pins by which splices are connected. */
final class GraphCommands {

    private final CommandReader reader;
    private final DagLexer lexer;

    GraphCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    /** {@code PARENT a b CHILD c d}. Names are kept as numbers; whether they are nodes or splices is known only at the end. */
    void dependencies(boolean isWeak) throws RefusedCommandException {
        reader.refuseIf(isWeak && (!lexer.next() || !lexer.is("PARENT")), "WEAK dependency missing PARENT keyword");
        ParentChildSets sets = reader.scope.families;
        int set = sets.begin(reader.file, reader.line());
        int parents = 0;
        boolean childSeen = false;
        boolean childLast = false;
        while (lexer.next()) {
            childLast = lexer.is("CHILD");
            if (childLast) {
                childSeen = true;
            } else {
                sets.add(reader.internName());
                parents += childSeen ? 0 : 1;
            }
        }
        sets.end(set, parents);
        if (lexer.unclosed || parents == 0 || sets.childCount(set) == 0 || childLast) {
            sets.drop(set);
            throw reader.refused(
                    parents == 0
                            ? "No parent node(s) specified"
                            : childSeen ? "No children node(s) specified" : "Missing CHILD specifier");
        }
        reader.session.details.family(reader.scope, set, isWeak);
    }

    void connect() throws RefusedCommandException {
        reader.requireWord("Missing splice(s) to connect");
        int parent = reader.internName();
        reader.requireWord("Missing splice(s) to connect");
        int child = reader.internName();
        reader.requireEnd();
        reader.scope.pins.connections.add(new SplicePins.Connection(reader.file, reader.line(), parent, child));
    }

    void pin(boolean isOutgoing) throws RefusedCommandException {
        reader.requireWord("No node name specified");
        int node = reader.internName();
        reader.requireWord("No pin number specified");
        int number = reader.integer("Invalid pin number '%s'", "Pins are numbered from 1.", 1, Integer.MAX_VALUE);
        reader.requireEnd();
        reader.scope.pins.pins.add(new SplicePins.Pin(reader.file, reader.line(), node, number, isOutgoing));
    }
}
