package org.metasched.dag;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Connects splices by their pins. condor_dag_checker does not look at them; condor_dagman does, and so do we. */
final class PinResolver {

    private final Scope scope;
    private final ScopeResolver resolver;
    private final ProblemList problems;

    PinResolver(Scope scope, ScopeResolver resolver) {
        this.scope = scope;
        this.resolver = resolver;
        this.problems = scope.session.problems;
    }

    void resolve() {
        IntList pins = scope.pins;
        for (int i = 0; i < pins.size(); i += 4) {
            if (!scope.isNode(pins.get(i + 2))) {
                String command = pins.get(i + 3) < 0 ? "PIN_OUT" : "PIN_IN";
                String reason = "References undefined node " + scope.names.text(pins.get(i + 2));
                error(pins.get(i), pins.get(i + 1), command, reason, resolver.nearest(pins.get(i + 2)));
            }
        }
        IntList connections = scope.connections;
        BitSet fed = new BitSet();
        for (int i = 0; i < connections.size(); i += 4) {
            connect(connections, i, fed);
        }
        for (int i = 0; i < connections.size(); i += 4) {
            checkFed(connections, i, fed);
        }
    }

    private void connect(IntList connections, int at, BitSet fed) {
        int parent = connections.get(at + 2);
        int child = connections.get(at + 3);
        Optional<List<IntList>> outs = resolver.pins(parent, true);
        Optional<List<IntList>> ins = resolver.pins(child, false);
        String parentName = scope.names.text(parent);
        String childName = scope.names.text(child);
        if (outs.isEmpty()) {
            error(connections, at, "Connect parent splice " + parentName + " does not exist", resolver.nearest(parent));
        }
        if (ins.isEmpty()) {
            error(connections, at, "Connect child splice " + childName + " does not exist", resolver.nearest(child));
        }
        if (outs.isEmpty() || ins.isEmpty()) {
            return;
        }
        if (outs.get().isEmpty()) {
            error(connections, at, "parent splice " + parentName + " has 0 pin_outs", "");
        } else if (ins.get().isEmpty()) {
            error(connections, at, "child splice " + childName + " has 0 pin_ins", "");
        } else if (outs.get().size() != ins.get().size()) {
            error(
                    connections,
                    at,
                    "pin_in/out mismatch: parent splice " + parentName + " has "
                            + outs.get().size() + " pin_outs; child splice " + childName + " has "
                            + ins.get().size() + " pin_ins",
                    "");
        } else {
            connect(connections, at, outs.get(), ins.get(), fed);
        }
    }

    private void connect(IntList connections, int at, List<IntList> outs, List<IntList> ins, BitSet fed) {
        for (int pin = 0; pin < outs.size(); pin++) {
            if (outs.get(pin).isEmpty() || ins.get(pin).isEmpty()) {
                error(connections, at, "No node has pin " + (pin + 1), "Pins are numbered from 1 without gaps.");
                return;
            }
            resolver.connectPin(outs.get(pin), ins.get(pin));
            for (int i = 0; i < ins.get(pin).size(); i++) {
                fed.set(ins.get(pin).get(i));
            }
        }
    }

    private void checkFed(IntList connections, int at, BitSet fed) {
        if (fed.isEmpty()) {
            return;
        }
        for (int node : resolver.initialNodes(connections.get(at + 3))) {
            if (!fed.get(node)) {
                error(
                        connections,
                        at,
                        "child splice node " + scope.names.text(node)
                                + " has no parents after making pin connections; add pin_in or parent",
                        "");
            }
        }
    }

    private void error(IntList connections, int at, String reason, String hint) {
        error(connections.get(at), connections.get(at + 1), "CONNECT", reason, hint);
    }

    private void error(int file, int line, String command, String reason, String hint) {
        problems.error(new DagProblem(scope.session.files.get(file), line, 1, command, reason, hint));
    }
}
