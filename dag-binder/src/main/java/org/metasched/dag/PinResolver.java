package org.metasched.dag;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.metasched.dag.SplicePins.Connection;
import org.metasched.dag.SplicePins.Pin;

/** Connects splices by their pins. condor_dag_checker does not look at them; condor_dagman does, and so do we. */
final class PinResolver {

    private final NodeNamespace scope;
    private final ScopeResolver resolver;

    PinResolver(NodeNamespace scope, ScopeResolver resolver) {
        this.scope = scope;
        this.resolver = resolver;
    }

    void resolve() {
        for (Pin pin : scope.pins.pins) {
            if (!scope.nodes.isNode(pin.node())) {
                String command = pin.isOutgoing() ? "PIN_OUT" : "PIN_IN";
                String reason = "References undefined node " + scope.nodes.name(pin.node());
                scope.session.error(pin.file(), pin.line(), 1, command, reason, resolver.nearest(pin.node()));
            }
        }
        BitSet fed = new BitSet();
        for (Connection connection : scope.pins.connections) {
            connect(connection, fed);
        }
        for (Connection connection : scope.pins.connections) {
            checkFed(connection, fed);
        }
    }

    private void connect(Connection connection, BitSet fed) {
        int parent = connection.parent();
        int child = connection.child();
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

    private void connect(Connection connection, List<IntList> outs, List<IntList> ins, BitSet fed) {
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

    private void checkFed(Connection connection, BitSet fed) {
        if (fed.isEmpty()) {
            return;
        }
        for (int node : resolver.initialNodes(connection.child())) {
            if (!fed.get(node)) {
                error(
                        connection,
                        "child splice node " + scope.nodes.name(node)
                                + " has no parents after making pin connections; add pin_in or parent",
                        "");
            }
        }
    }

    private void error(Connection connection, String reason, String hint) {
        scope.session.error(connection.file(), connection.line(), 1, "CONNECT", reason, hint);
    }
}
