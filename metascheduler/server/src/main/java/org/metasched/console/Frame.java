package org.metasched.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Objects;
import org.metasched.trust.Subject;

/** What all pages have around them: head, style, title line. */
final class Frame {

    private static final String SHEET = resource("console.css");
    /** Often enough to follow a job, seldom enough to read a page. */
    private static final String REFRESH_SECONDS = "15";

    private Frame() {}

    /** Begins a page; {@link #end} ends it. */
    static Markup begin(String title, PageContext view) {
        return begin(title, view, true);
    }

    /** @param refreshed whether the page comes again by itself */
    static Markup begin(String title, PageContext view, boolean refreshed) {
        var page = new Markup();
        page.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml");
        page.open("head");
        page.empty("meta", "charset", "utf-8");
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.empty("meta", "name", "color-scheme", "content", "light dark");
        // Else browsers ask for /favicon.ico, which is not theirs to see.
        page.empty("link", "rel", "icon", "href", "data:,");
        if (refreshed) {
            page.open("noscript").empty("meta", "http-equiv", "refresh", "content", REFRESH_SECONDS);
            page.close().element("script", "", "src", view.home() + "/console.js", "defer", "defer");
        }
        page.element("title", title + " · metasched");
        page.style(SHEET).close();
        page.open("body", "data-events", view.home() + "/events?since=" + view.changes());
        page.open("header").element("a", "metasched", "href", view.home(), "class", "brand");
        page.element("h1", title, "class", "where");
        person(page, view);
        page.element(
                "time",
                TimeLabels.second(view.now()) + " UTC",
                "datetime",
                view.now().toString());
        page.close();
        page.open("main");
        return page;
    }

    /** A page that says one thing. */
    static String message(String title, String text, PageContext view) {
        var page = begin(title, view, false);
        page.element("p", text, "role", "alert").open("p");
        page.element("a", "To the console", "href", view.home()).close();
        return end(page);
    }

    private static void person(Markup page, PageContext view) {
        var subject = view.call().subject();
        if (subject.isKnown()) {
            page.element("span", subject.name(), "class", "where person");
        }
        if (subject.kind() == Subject.Kind.TOKEN || subject.kind() == Subject.Kind.PASSWORD) {
            view.form(page, "/logout").element("button", "Sign out").close();
        }
    }

    static String end(Markup page) {
        return page.close().close().close().toString();
    }

    /** A table's head. Names that begin with {@code #} are of columns of numbers. */
    static void head(Markup page, String... columns) {
        headOf(page, "plain", columns);
    }

    /** @param kind by which the style sheet names the cells on narrow screens */
    static void headOf(Markup page, String kind, String... columns) {
        page.open("div", "class", "wide")
                .open("table", "class", kind)
                .open("thead")
                .open("tr");
        for (var column : columns) {
            if (column.startsWith("#")) {
                page.element("th", column.substring(1), "class", "number", "scope", "col");
            } else {
                page.element("th", column, "scope", "col");
            }
        }
        page.close().close().open("tbody");
    }

    /** @param none the word for no choice */
    static void choice(Markup page, String label, String name, String none, Collection<String> values, String chosen) {
        page.open("label").text(label + " ").open("select", "name", name).element("option", none, "value", "");
        for (String one : values) {
            page.element(
                    "option",
                    one,
                    one.equalsIgnoreCase(chosen) ? new String[] {"selected", "selected"} : new String[0]);
        }
        page.close().close();
    }

    /** One of a list of definitions. */
    static void fact(Markup page, String name, String value) {
        page.open("div").element("dt", name).element("dd", value).close();
    }

    static void endOfTable(Markup page) {
        page.close().close().close();
    }

    static void number(Markup page, String text) {
        page.element("td", text, "class", "number");
    }

    /** @param kind picks the colour */
    static void badge(Markup page, String text, String kind) {
        page.element("span", text, "class", "badge " + kind);
    }

    static String resource(String name) {
        try (var in = Objects.requireNonNull(Frame.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The file " + name + " of the console cannot be read.", e);
        }
    }
}
