package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LabelBindings;
import org.metasched.classad.Limits;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;

/**
 * The definition of a gang, evaluated apart from all matchers: every port of every member is docked, no ad is in the gang twice,
 * and both constraints of every docking are true when all labels are bound. Knows ports with one neighbour only.
 */
final class Definition {

    private static final class Node {
        final Gang.Member member;
        final Map<Integer, Node> neighbourAt = new HashMap<>();
        final Map<Integer, Integer> neighboursPort = new HashMap<>();
        final Map<Integer, LabelBindings> labels = new HashMap<>();
        final Map<Integer, Scope> scopes = new HashMap<>();

        Node(Gang.Member member) {
            this.member = member;
            List<String> names = member.ad().ports().stream().map(Port::label).toList();
            for (Port port : member.ad().ports()) {
                var inScope = new LabelBindings(names.subList(0, port.index() + 1), LookupMode.OLD, Limits.DEFAULT);
                ClassAd inner = port.side().port();
                if (inner == null) {
                    throw new IllegalArgumentException("Only ads with ports are judged here.");
                }
                labels.put(port.index(), inScope);
                scopes.put(port.index(), inScope.scope(inner, member.ad().ad()));
            }
        }
    }

    private Definition() {}

    /** What is wrong with a gang, nothing if it is one. */
    static List<String> violations(Gang gang) {
        var problems = new ArrayList<String>();
        var nodes = new ArrayList<Node>();
        build(gang.root(), nodes, problems);
        var seen = new HashSet<Integer>();
        var seenAds = new IdentityHashMap<ClassAd, Boolean>();
        for (Node node : nodes) {
            if (node.member.offer() >= 0 && !seen.add(node.member.offer())
                    || seenAds.put(node.member.ad().ad(), true) != null) {
                problems.add(node.member.ad().name() + " is in the gang twice");
            }
            bindLabels(node);
        }
        nodes.forEach(node -> judge(node, problems));
        return problems;
    }

    private static Node build(Gang.Member member, List<Node> nodes, List<String> problems) {
        var node = new Node(member);
        nodes.add(node);
        for (Gang.Docking docking : member.dockings()) {
            if (docking.members().size() != 1) {
                problems.add(member.ad().name() + " has " + docking.members().size() + " at " + docking.label());
                continue;
            }
            Node below = build(docking.members().get(0), nodes, problems);
            int port = docking.port().index();
            int dock = below.member.dock();
            node.neighbourAt.put(port, below);
            node.neighboursPort.put(port, dock);
            below.neighbourAt.put(dock, node);
            below.neighboursPort.put(dock, port);
        }
        return node;
    }

    private static void bindLabels(Node node) {
        node.labels.forEach((port, labels) -> {
            for (int label = 0; label <= port; label++) {
                Node neighbour = node.neighbourAt.get(label);
                if (neighbour != null) {
                    labels.bind(label, neighbour.scopes.get(node.neighboursPort.get(label)));
                }
            }
        });
    }

    private static void judge(Node node, List<String> problems) {
        for (Port port : node.member.ad().ports()) {
            if (node.neighbourAt.get(port.index()) == null) {
                problems.add(node.member.ad().name() + " has nobody at " + port.label());
            }
            ClassAd inner = port.side().port();
            Expr constraint = inner == null ? null : inner.lookup("Constraint").orElse(null);
            if (constraint == null
                    || !constraint.evaluate(node.scopes.get(port.index())).satisfies()) {
                problems.add(node.member.ad().name() + ": the constraint at " + port.label() + " is not true");
            }
        }
    }
}
