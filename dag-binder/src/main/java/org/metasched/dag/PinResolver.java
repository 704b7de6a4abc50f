package org.metasched.dag;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.metasched.dag.SplicePins.Connection;
import org.metasched.dag.SplicePins.Pin;

/** Connects splices by their pins. condor_dag_checker does not look at pins; condor_dagman does, and so does this class. */
record PinResolver(NodeNamespace scope, ScopeResolver resolver) {

    void resolve() {
        for (Pin pin : scope.pins.pins) {
            if (!scope.nodes.isNode(pin.node())) {
                String command = pin.isOutgoing() ? "PIN_OUT" : "PIN_IN";
                String reason = "References undefined node " + scope.nodes.name(pin.node());
                scope.session.error(pin.file(), pin.line(), 1, command, reason, hint(pin.node()));
            }
        }
        BitSet withPinParent = new BitSet();
        for (Connection connection : scope.pins.connections) {
            connect(connection, withPinParent);
        }
        for (Connection connection : scope.pins.connections) {
            checkPinParents(connection, withPinParent);
        }
    }

    private void connect(Connection connection, BitSet withPinParent) {
        int parent = connection.parent();
        int child = connection.child();
        Optional<List<IntList>> outs = resolver.pins(parent, true);
        Optional<List<IntList>> ins = resolver.pins(child, false);
        String parentName = scope.nodes.name(parent);
        String childName = scope.nodes.name(child);
        if (outs.isEmpty()) {
            error(connection, "Connect parent splice " + parentName + " does not exist", hint(parent));
        }
        if (ins.isEmpty()) {
            error(connection, "Connect child splice " + childName + " does not exist", hint(child));
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
            connect(connection, outs.get(), ins.get(), withPinParent);
        }
    }

    private void connect(Connection connection, List<IntList> outs, List<IntList> ins, BitSet withPinParent) {
        for (int pin = 0; pin < outs.size(); pin++) {
            if (outs.get(pin).isEmpty() || ins.get(pin).isEmpty()) {
                error(connection, "No node has pin " + (pin + 1), "Pins are numbered from 1 without gaps.");
                return;
            }
            resolver.connect(outs.get(pin), ins.get(pin), scope.pinEdges);
            for (int i = 0; i < ins.get(pin).size(); i++) {
                withPinParent.set(ins.get(pin).get(i));
            }
        }
    }

    /** Reports the initial nodes of a connected child splice that got no parent by any pin. */
    private void checkPinParents(Connection connection, BitSet withPinParent) {
        if (withPinParent.isEmpty()) {
            return;
        }
        for (int node : resolver.initialNodes(connection.child())) {
            if (!withPinParent.get(node)) {
                error(
                        connection,
                        "child splice node " + scope.nodes.name(node)
                                + " has no parents after making pin connections; add pin_in or parent",
                        "");
            }
        }
    }

    /** A hint for a name of the wrong kind: the command needs a splice, or a node; may be empty. */
    private String hint(int name) {
        NodeTable nodes = scope.nodes;
        return nodes.isSplice(name) ? "It is a splice." : nodes.isNode(name) ? "It is a node." : resolver.hint(name);
    }

    private void error(Connection connection, String reason, String hint) {
        scope.session.error(connection.file(), connection.line(), 1, "CONNECT", reason, hint);
    }
}
