package org.metasched.soap;

import java.util.ArrayList;
import java.util.List;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.soap.CreationConstraints.Violation;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Branches of an offer that satisfy the creation constraints: a branch that violates a constraint is left out. */
final class OfferBranches {

    private OfferBranches() {}

    /**
     * The ways of fulfilling an offer that violate nothing; none if a violation lies outside every choice. Takes candidate hosts that are not
     * allowed out of the terms, where another one is left.
     *
     * @param terms a {@code wsag:Terms} element
     */
    static List<List<Element>> allowed(Element terms, List<Violation> violations) {
        var ways = TermTree.alternatives(terms);
        var wrong = new ArrayList<Node>();
        for (var violation : violations) {
            if (violation.where().filter(n -> isIn(n, terms)).isEmpty()) {
                return List.of();
            }
            wrong.add(violation.where().get());
        }
        wrong.removeIf(OfferBranches::takeOutHost);
        return ways.stream()
                .filter(way -> way.stream().noneMatch(leaf -> wrong.stream().anyMatch(n -> isIn(n, leaf))))
                .toList();
    }

    private static boolean isIn(Node node, Node around) {
        return (around.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_CONTAINED_BY) != 0;
    }

    private static boolean takeOutHost(Node node) {
        var parent = node.getParentNode();
        if (!XmlTrees.is(node, XmlNames.JSDL, "HostName")
                || XmlTrees.children(parent).size() < 2) {
            return false;
        }
        parent.removeChild(node);
        return true;
    }
}
