package org.metasched.drawing;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes one SVG picture from front to back. Texts and attributes are escaped; numbers have at most one decimal. Attributes are names and
 * values in turn. No scripts, no outside references. Not thread-safe.
 */
public final class SvgWriter {

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins a picture. */
    public SvgWriter(Object... attributes) {
        tag("svg", "xmlns", "http://www.w3.org/2000/svg");
        attributes(attributes);
        out.append(">\n");
        open.push("svg");
    }

    /** Begins a picture on white paper, with small dark texts. */
    public static SvgWriter sheet(int width, int height, String title) {
        var svg = new SvgWriter(
                "viewBox",
                "0 0 " + width + " " + height,
                "width",
                width,
                "height",
                height,
                "role",
                "img",
                "font-family",
                "sans-serif",
                "font-size",
                11,
                "fill",
                "#222");
        return svg.title(title).rectangle(0, 0, width, height, "fill", "#fff");
    }

    /** Opens an element, which {@link #close} closes. */
    public SvgWriter open(String element, Object... attributes) {
        tag(element, attributes).append('>');
        open.push(element);
        return this;
    }

    /** Closes the element that was opened last. */
    public SvgWriter close() {
        out.append("</").append(open.pop()).append(">\n");
        return this;
    }

    /** A title, which a browser shows beside the pointer and a screen reader reads. */
    public SvgWriter title(String text) {
        out.append("<title>").append(XmlEscapes.escaped(text)).append("</title>");
        return this;
    }

    public SvgWriter line(double x1, double y1, double x2, double y2, Object... attributes) {
        tag("line", "x1", x1, "y1", y1, "x2", x2, "y2", y2);
        return shape(attributes);
    }

    public SvgWriter rectangle(double x, double y, double width, double height, Object... attributes) {
        tag("rect", "x", x, "y", y, "width", width, "height", height);
        return shape(attributes);
    }

    /** A rectangle with a title, which a browser shows beside the pointer. */
    public SvgWriter titled(String title, double x, double y, double width, double height, Object... attributes) {
        tag("rect", "x", x, "y", y, "width", width, "height", height);
        attributes(attributes).append('>');
        title(title);
        out.append("</rect>");
        return this;
    }

    public SvgWriter circle(double x, double y, double radius, Object... attributes) {
        tag("circle", "cx", x, "cy", y, "r", radius);
        return shape(attributes);
    }

    /** @param points x and y in turn */
    public SvgWriter polyline(double[] points, Object... attributes) {
        var places = new StringBuilder();
        for (int i = 0; i < points.length; i++) {
            places.append(i == 0 ? "" : i % 2 == 0 ? " " : ",").append(number(points[i]));
        }
        tag("polyline", "points", places, "fill", "none");
        return shape(attributes);
    }

    /** @param x a number, or a share of the width such as {@code 12%} */
    public SvgWriter text(Object x, double y, String text, Object... attributes) {
        tag("text", "x", x, "y", y);
        attributes(attributes).append('>').append(XmlEscapes.escaped(text)).append("</text>\n");
        return this;
    }

    /**
     * Closes all open elements.
     *
     * @return the whole picture
     */
    public String end() {
        while (!open.isEmpty()) {
            close();
        }
        return out.toString();
    }

    private SvgWriter shape(Object... attributes) {
        attributes(attributes).append("/>\n");
        return this;
    }

    private StringBuilder tag(String element, Object... attributes) {
        out.append('<').append(element);
        return attributes(attributes);
    }

    private StringBuilder attributes(Object... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            Object value = attributes[i + 1];
            out.append(' ').append(attributes[i]).append("=\"");
            out.append(value instanceof Double d ? number(d) : XmlEscapes.escaped(value.toString()));
            out.append('"');
        }
        return out;
    }

    private static String number(double value) {
        long tenths = Math.round(value * 10);
        String whole = (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10;
        return tenths % 10 == 0 ? whole : whole + "." + Math.abs(tenths) % 10;
    }
}
