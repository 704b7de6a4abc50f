package org.metasched.soap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.metasched.agreement.AgreementOffer;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

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
            var longer = new ArrayList<List<Element>>();
            for (var prefix : alternatives) {
                for (var alternative : alternatives(branch, depth + 1)) {
                    longer.add(concat(prefix, alternative));
                }
            }
            alternatives = bounded(longer);
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

    private static <T> List<T> concat(List<T> first, List<T> second) {
        var both = new ArrayList<T>(first);
        both.addAll(second);
        return both;
    }
}
