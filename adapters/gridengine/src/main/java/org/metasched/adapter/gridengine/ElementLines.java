package org.metasched.adapter.gridengine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;

/**
 * Reads Grid Engine's form of XML, with one element a line. An XML parser would not do, because {@code qrstat} does not escape names: a
 * reservation called {@code a<b>&c} is valid to Grid Engine and would make the whole output unreadable. Names hold no line end and no
 * slash, so they cannot pretend to be an element here.
 */
final class ElementLines {

    private static final int DEEPEST = 32;

    private static final Pattern LEAF = Pattern.compile("<([A-Za-z_-]+)((?: [^>]*)?)>(.*)</\\1>");
    private static final Pattern EMPTY = Pattern.compile("<([A-Za-z_-]+)((?: [^>]*)?)/>");
    /** Tried after {@link #EMPTY}. */
    private static final Pattern OPEN = Pattern.compile("<([A-Za-z_-]+)((?: [^>]*)?)>");

    private static final Pattern CLOSE = Pattern.compile("</([A-Za-z_-]+)>");
    private static final Pattern ATTRIBUTE = Pattern.compile("([A-Za-z_:]+)=(?:\"([^\"]*)\"|'([^']*)')");

    private ElementLines() {}

    /** One element with its content: a text or other elements. */
    record Element(String name, Map<String, String> attributes, String text, List<Element> inside) {

        List<Element> all(String wanted) {
            return inside.stream()
                    .filter(element -> element.name().equals(wanted))
                    .toList();
        }

        /** The wanted elements in all elements of another name. */
        List<Element> all(String outer, String wanted) {
            return all(outer).stream()
                    .flatMap(element -> element.all(wanted).stream())
                    .toList();
        }

        /** The one wanted element; empty if there is none. */
        Optional<Element> find(String wanted) {
            List<Element> elements = all(wanted);
            OutputFormatException.throwIf(
                    elements.size() > 1, "<%s> comes %s times in one <%s>", wanted, elements.size(), name);
            return elements.stream().findFirst();
        }

        Element get(String wanted) {
            return find(wanted).orElseThrow(() -> new OutputFormatException("<" + name + "> has no <" + wanted + ">"));
        }

        String text(String wanted, Pattern form) {
            String text = get(wanted).text();
            if (!form.matcher(text).matches()) {
                throw new OutputFormatException("<" + wanted + "> should have the form " + form.pattern() + ", not ("
                        + DisplayText.of(text) + ")");
            }
            return text;
        }

        long number(String wanted, long most) {
            long number = Long.parseLong(text(wanted, Pattern.compile("\\d{1,15}")));
            OutputFormatException.throwIf(number > most, "<%s> (%s) should be at most %s", wanted, number, most);
            return number;
        }

        String attribute(String wanted, Pattern form) {
            String value = attributes.get(wanted);
            if (value == null || !form.matcher(value).matches()) {
                throw new OutputFormatException("<" + name + "> should have a " + wanted + " of the form "
                        + form.pattern() + ", not (" + DisplayText.of(String.valueOf(value)) + ")");
            }
            return value;
        }
    }

    /**
     * Reads a whole output.
     *
     * @param root the name of its outermost element
     * @throws OutputFormatException when a line is something else, or an element is not closed: the output was cut
     */
    static Element read(String output, String root) {
        List<String> lines = OutputTable.lines(output);
        Deque<Element> open = new ArrayDeque<>();
        Element whole = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || open.isEmpty() && whole == null && line.startsWith("<?xml ")) {
                continue;
            }
            if (whole != null || open.isEmpty() && !opens(line, root)) {
                throw problem(i, "expected one <" + root + ">", line);
            }
            Element closed = readLine(i, line, open);
            if (closed != null && open.isEmpty()) {
                whole = closed;
            } else if (closed != null) {
                open.element().inside().add(closed);
            }
        }
        if (whole == null) {
            throw new OutputFormatException("expected one whole <" + root + ">, not (" + DisplayText.of(output) + ")");
        }
        return whole;
    }

    private static boolean opens(String line, String root) {
        Matcher matcher = OPEN.matcher(line);
        return matcher.matches() && matcher.group(1).equals(root);
    }

    /** Reads a line; returns the element that it completes, or null when it opens one. */
    private static @Nullable Element readLine(int number, String line, Deque<Element> open) {
        Matcher leaf = LEAF.matcher(line);
        if (leaf.matches()) {
            return new Element(leaf.group(1), attributes(leaf.group(2)), leaf.group(3), List.of());
        }
        Matcher empty = EMPTY.matcher(line);
        if (empty.matches()) {
            return new Element(empty.group(1), attributes(empty.group(2)), "", List.of());
        }
        Matcher close = CLOSE.matcher(line);
        if (close.matches()) {
            if (open.isEmpty() || !open.element().name().equals(close.group(1))) {
                throw problem(number, "an element is closed that is not open", line);
            }
            return open.pop();
        }
        Matcher begun = OPEN.matcher(line);
        if (begun.matches() && open.size() < DEEPEST) {
            open.push(new Element(begun.group(1), attributes(begun.group(2)), "", new ArrayList<>()));
            return null;
        }
        throw problem(number, "expected an element", line);
    }

    private static Map<String, String> attributes(String text) {
        var attributes = new HashMap<String, String>();
        Matcher matcher = ATTRIBUTE.matcher(text);
        while (matcher.find()) {
            attributes.put(matcher.group(1), matcher.group(2) == null ? matcher.group(3) : matcher.group(2));
        }
        return attributes;
    }

    private static OutputFormatException problem(int line, String problem, String text) {
        return new OutputFormatException(
                "line " + (line + 1) + ": " + problem + ", not (" + DisplayText.of(text) + ")");
    }
}
