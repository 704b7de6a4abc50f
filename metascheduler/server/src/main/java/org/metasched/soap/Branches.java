package org.metasched.soap;

import java.util.ArrayList;
import java.util.List;
import org.metasched.client.xml.Names;
import org.metasched.client.xml.Xml;
import org.metasched.soap.CreationConstraints.Violation;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What creation constraints leave of an offer that has choices: a branch that violates one is out, and the others stand. */
final class Branches {

    private Branches() {}

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
        wrong.removeIf(Branches::isTakenOut);
        return ways.stream()
                .filter(way -> way.stream().noneMatch(leaf -> wrong.stream().anyMatch(n -> isIn(n, leaf))))
                .toList();
    }

    private static boolean isIn(Node node, Node around) {
        return (around.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_CONTAINED_BY) != 0;
    }

    private static boolean isTakenOut(Node node) {
        var parent = node.getParentNode();
        if (!Xml.is(node, Names.JSDL, "HostName") || Xml.children(parent).size() < 2) {
            return false;
        }
        parent.removeChild(node);
        return true;
    }
}
