package org.metasched.soap;

import java.util.regex.Pattern;
import javax.xml.xpath.XPathExpressionException;
import org.w3c.dom.Document;

/**
 * Upper bound on the cost of a stranger's XPath 1.0 expression over a document: the number of nodes and characters that it may look at, by its
 * form. Each place in the expression at which all nodes may be looked at again for each node multiplies the cost by the size of the document.
 */
final class PathCost {

    private static final int LONGEST = 1_000;
    private static final int MOST_BRACKETS = 24;
    private static final double MOST_COST = 2e7;
    /** Characters that cost as much as a node. */
    private static final int CHARACTERS_PER_NODE = 32;

    private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"|'[^']*'");
    /** A predicate about one attribute, or a position. */
    private static final Pattern CHEAP =
            Pattern.compile("\\[\\s*(?:@[\\w.:-]+\\s*(?:!?=\\s*'')?|\\d+|last\\s*\\(\\s*\\))\\s*]");

    private static final Pattern WIDE = Pattern.compile(
            "//|\\.\\.|\\[|(?:ancestor|descendant|following|preceding|parent)[a-z-]*\\s*::|(?<!')(?:!=|<=?|>=?|=)(?!'|\\d)");
    /** Functions that compare all characters of one text with those of another; not with a literal. */
    private static final Pattern TEXTS =
            Pattern.compile("(?:translate|substring-before|substring-after|contains)\\s*\\((?![^()]*,''\\))");

    private static final Pattern BRACKET = Pattern.compile("[(\\[]");

    private PathCost() {}

    /** @throws XPathExpressionException when the expression is longer or more nested than one that is read */
    static void checkForm(String expression) throws XPathExpressionException {
        if (expression.length() > LONGEST) {
            throw new XPathExpressionException("it has " + expression.length() + " characters, of at most " + LONGEST);
        } else if (LITERAL.matcher(expression)
                .replaceAll("''")
                .replace("$this", "")
                .contains("$")) {
            throw new XPathExpressionException("it uses a variable, and there are none");
        } else if (BRACKET.matcher(expression).results().count() > MOST_BRACKETS) {
            throw new XPathExpressionException("it has more than " + MOST_BRACKETS + " brackets");
        }
    }

    /** @throws IllegalArgumentException when the expression may take too long */
    static void check(String expression, Document document) {
        var plain = LITERAL.matcher(expression)
                .replaceAll("''")
                .replaceAll("\\s*(,|!=|<=|>=|=|<|>|\\))\\s*", "$1")
                .strip();
        var bare = CHEAP.matcher(plain.startsWith("//") ? plain.substring(2) : plain)
                .replaceAll("");
        long passes = 1
                + WIDE.matcher(bare).results().count()
                + 2 * TEXTS.matcher(plain).results().count();
        double size = document.getElementsByTagName("*").getLength()
                + (double) document.getDocumentElement().getTextContent().length() / CHARACTERS_PER_NODE;
        if (Math.pow(size, passes) > MOST_COST) {
            throw new IllegalArgumentException("it may look at " + (long) size + " nodes " + passes
                    + " times over; a path with fewer of //, .., predicates and comparisons of paths does not");
        }
    }
}
