package org.metasched.soap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.metasched.agreement.AgreementOffer;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.soap.CreationConstraints.Violation;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The tree of terms of an offer, as its alternatives: each a list of leaves.
 *
 * <p>{@code All} wants every branch. {@code ExactlyOne} wants one branch, the first that can be had. {@code OneOrMore} wants as many as can
 * be had: of up to {@value #MOST_SUBSET_BRANCHES} branches every subset, the largest and first ones first; of more branches all or one.
 * The depth, the leaves and the number of alternatives are bounded.
 */
final class TermTree {

    private static final int DEEPEST = 16;
    private static final int MOST_LEAVES = 1024;

    /** Branches of which every subset is tried. */
    private static final int MOST_SUBSET_BRANCHES = 6;

    private TermTree() {}

    /** @param terms a {@code wsag:Terms} element */
    static List<List<Element>> alternatives(Element terms) {
        var all = XmlTrees.child(terms, XmlNames.WSAG, "All")
                .orElseThrow(() -> new InvalidOfferException("The offer has no terms (wsag:All)."));
        return alternatives(all, 0);
    }

    /**
     * The alternatives of an offer that violate nothing; none if a violation lies outside the terms. A candidate host that is not allowed is taken
     * out of the terms, where another one is left.
     *
     * @param terms a {@code wsag:Terms} element
     */
    static List<List<Element>> allowed(Element terms, List<Violation> violations) {
        var ways = alternatives(terms);
        var wrong = new ArrayList<Node>();
        for (var violation : violations) {
            if (violation.where().filter(n -> isIn(n, terms)).isEmpty()) {
                return List.of();
            }
            wrong.add(violation.where().get());
        }
        wrong.removeIf(TermTree::takeOutHost);
        return ways.stream()
                .filter(way -> way.stream().noneMatch(leaf -> wrong.stream().anyMatch(n -> isNested(n, leaf))))
                .toList();
    }

    private static boolean isIn(Node node, Node around) {
        return (around.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_CONTAINED_BY) != 0;
    }

    /** Whether two nodes are the same, or one stands in the other. */
    private static boolean isNested(Node node, Node other) {
        return node.isSameNode(other) || isIn(node, other) || isIn(other, node);
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

    private static List<List<Element>> alternatives(Element term, int depth) {
        if (depth > DEEPEST) {
            throw new InvalidOfferException("The terms are nested deeper than " + DEEPEST + ".");
        }
        return switch (term.getLocalName()) {
            case "All" -> allOf(XmlTrees.children(term), depth);
            case "ExactlyOne" -> oneOf(XmlTrees.children(term), depth);
            case "OneOrMore" -> oneOrMore(XmlTrees.children(term), depth);
            default -> List.of(List.of(term));
        };
    }

    private static List<List<Element>> allOf(List<Element> branches, int depth) {
        List<List<Element>> alternatives = List.of(List.of());
        for (var branch : branches) {
            alternatives = bounded(product(alternatives, alternatives(branch, depth + 1)));
        }
        return alternatives;
    }

    private static List<List<Element>> oneOrMore(List<Element> branches, int depth) {
        int count = branches.size();
        if (count > MOST_SUBSET_BRANCHES) {
            return bounded(concat(allOf(branches, depth), oneOf(branches, depth)));
        }
        var alternatives = new ArrayList<List<Element>>();
        IntStream.range(1, 1 << count)
                .boxed()
                .sorted(Comparator.comparing(Integer::bitCount).reversed().thenComparing(Comparator.reverseOrder()))
                .map(subset -> IntStream.range(0, count)
                        .filter(i -> (subset >> (count - 1 - i) & 1) == 1)
                        .mapToObj(branches::get)
                        .toList())
                .forEach(subset -> alternatives.addAll(allOf(subset, depth)));
        return bounded(alternatives);
    }

    private static List<List<Element>> oneOf(List<Element> branches, int depth) {
        return bounded(branches.stream()
                .flatMap(branch -> alternatives(branch, depth + 1).stream())
                .toList());
    }

    private static List<List<Element>> bounded(List<List<Element>> alternatives) {
        if (alternatives.size() > AgreementOffer.MOST_ALTERNATIVES) {
            throw new InvalidOfferException("The terms leave " + alternatives.size()
                    + " alternatives to choose from; at most " + AgreementOffer.MOST_ALTERNATIVES + " are tried.");
        }
        if (alternatives.stream().mapToInt(List::size).max().orElse(0) > MOST_LEAVES) {
            throw new InvalidOfferException("The offer has more than " + MOST_LEAVES + " terms.");
        }
        return alternatives;
    }

    /** Each of the first lists, followed by each of the second. */
    static <T> List<List<T>> product(List<List<T>> first, List<List<T>> second) {
        return first.stream()
                .flatMap(prefix -> second.stream().map(rest -> concat(prefix, rest)))
                .toList();
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        var both = new ArrayList<T>(first);
        both.addAll(second);
        return both;
    }
}
