package org.metasched.dag;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Connects splices by their pins. condor_dag_checker does not look at them; condor_dagman does, and so do we. */
final class PinResolver {

    private final Scope scope;
    private final ScopeResolver resolver;
    private final ProblemList problems;
    private final Connections connections;

    PinResolver(Scope scope, ScopeResolver resolver) {
        this.scope = scope;
        this.resolver = resolver;
        this.problems = scope.session.problems;
        this.connections = scope.pins.connections;
    }

    void resolve() {
        Pins pins = scope.pins;
        for (int pin = 0; pin < pins.size(); pin++) {
            int node = pins.node(pin);
            if (!scope.nodes.isNode(node)) {
                String command = pins.isOutgoing(pin) ? "PIN_OUT" : "PIN_IN";
                String reason = "References undefined node " + scope.nodes.name(node);
                error(pins.file(pin), pins.line(pin), command, reason, resolver.nearest(node));
            }
        }
        BitSet fed = new BitSet();
        for (int connection = 0; connection < connections.size(); connection++) {
            connect(connection, fed);
        }
        for (int connection = 0; connection < connections.size(); connection++) {
            checkFed(connection, fed);
        }
    }

    private void connect(int connection, BitSet fed) {
        int parent = connections.parent(connection);
        int child = connections.child(connection);
        Optional<List<IntList>> outs = resolver.pins(parent, true);
        Optional<List<IntList>> ins = resolver.pins(child, false);
        String parentName = scope.nodes.name(parent);
        String childName = scope.nodes.name(child);
        if (outs.isEmpty()) {
            error(connection, "Connect parent splice " + parentName + " does not exist", resolver.nearest(parent));
        }
        if (ins.isEmpty()) {
            error(connection, "Connect child splice " + childName + " does not exist", resolver.nearest(child));
        }
        if (outs.isEmpty() || ins.isEmpty()) {
            return;
        }
        if (outs.get().isEmpty()) {
            error(connection, "parent splice " + parentName + " has 0 pin_outs", "");
        } else if (ins.get().isEmpty()) {
            error(connection, "child splice " + childName + " has 0 pin_ins", "");
        } else if (outs.get().size() != ins.get().size()) {
            error(
                    connection,
                    "pin_in/out mismatch: parent splice " + parentName + " has "
                            + outs.get().size() + " pin_outs; child splice " + childName + " has "
                            + ins.get().size() + " pin_ins",
                    "");
        } else {
            connect(connection, outs.get(), ins.get(), fed);
        }
    }

    private void connect(int connection, List<IntList> outs, List<IntList> ins, BitSet fed) {
        for (int pin = 0; pin < outs.size(); pin++) {
            if (outs.get(pin).isEmpty() || ins.get(pin).isEmpty()) {
                error(connection, "No node has pin " + (pin + 1), "Pins are numbered from 1 without gaps.");
                return;
            }
            resolver.connectPin(outs.get(pin), ins.get(pin));
            for (int i = 0; i < ins.get(pin).size(); i++) {
                fed.set(ins.get(pin).get(i));
            }
        }
    }

    private void checkFed(int connection, BitSet fed) {
        if (fed.isEmpty()) {
            return;
        }
        for (int node : resolver.initialNodes(connections.child(connection))) {
            if (!fed.get(node)) {
                error(
                        connection,
                        "child splice node " + scope.nodes.name(node)
                                + " has no parents after making pin connections; add pin_in or parent",
                        "");
            }
        }
    }

    private void error(int connection, String reason, String hint) {
        error(connections.file(connection), connections.line(connection), "CONNECT", reason, hint);
    }

    private void error(int file, int line, String command, String reason, String hint) {
        problems.error(new DagProblem(scope.session.sources.name(file), line, 1, command, reason, hint));
    }
}
