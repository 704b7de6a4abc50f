package org.metasched.simulation.report;

import java.util.Locale;

/** Writes one drawing, shape by shape. No scripts, no outside references. */
final class Svg {

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " font-family=\"sans-serif\" font-size=\"11\">%n<title>%s</title>%n"
                        + "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>%n",
                width,
                height,
                width,
                height,
                escaped(title),
                width,
                height));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    void line(double x1, double y1, double x2, double y2, String colour, double width) {
        text.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour,
                width));
    }

    /** @param points {@code x,y} pairs with blanks between them */
    void polyline(String points, String colour) {
        text.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>%n",
                points,
                colour));
    }

    void circle(double x, double y, String colour) {
        text.append(
                String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, colour));
    }

    void rectangle(double x, double y, double width, double height, String colour) {
        text.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x,
                y,
                width,
                height,
                colour));
    }

    /** @param anchor start, middle or end */
    void text(double x, double y, String anchor, String what) {
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222\">%s</text>%n",
                x,
                y,
                anchor,
                escaped(what)));
    }

    String end() {
        return text + "</svg>\n";
    }
}
