package org.metasched.console;

import java.time.Instant;
import java.util.Optional;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.making.Advice;
import org.metasched.agreement.making.Advice.Way;

/** What an advice says: why not, or the plans, and what could be had instead, each with the button that offers it. */
record AdviceTables(PageContext view, Fields fields) {

    /** Writes the hidden fields of a form that offers a way; false when no form can. */
    @FunctionalInterface
    interface Fields {
        boolean hide(Markup page, AgreementRequest request, Way way);
    }

    void write(Markup page, Advice advice) {
        if (advice.ways().isEmpty()) {
            refusal(page, advice.code().map(Enum::name).orElse(""), advice.reason());
        } else {
            page.element("h2", "Plans");
            page.element("p", "Nothing is held: a plan is good until others take its nodes.", "class", "quiet");
            head(page);
            advice.ways().forEach(way -> plan(page, "", way.request(), way));
            Frame.endOfTable(page);
        }
        if (!advice.nearest().isEmpty()) {
            page.element("h2", "What could be had instead");
            head(page);
            advice.nearest().forEach(one -> plan(page, one.words(), one.request(), one.way()));
            Frame.endOfTable(page);
        }
    }

    static void refusal(Markup page, String code, String reason) {
        page.open("p", "class", "problem", "role", "alert").element("b", code).text(" " + reason);
        page.close();
    }

    private static void head(Markup page) {
        Frame.head(page, "Start (UTC)", "End (UTC)", "Sites", "#Cost", "What is other", "");
    }

    private void plan(Markup page, String other, AgreementRequest request, Way way) {
        page.open("tr").element("th", TimeLabels.minute(way.start()), "scope", "row", "class", "time");
        page.element("td", TimeLabels.minute(way.end()), "class", "time").open("td");
        for (var piece : way.pieces()) {
            var start = Optional.of(piece.start()).filter(s -> !s.equals(way.start()));
            page.open("span", "class", "part").text(piece.site().value() + " ");
            page.element("span", Labels.amount(piece.need()) + from(start), "class", "quiet")
                    .close();
        }
        page.close();
        Frame.number(page, way.cost() == 0 ? Labels.NONE : String.valueOf(way.cost()));
        page.element("td", other).open("td");
        view.form(page, "/offer");
        if (fields.hide(page, request, way)) {
            page.element("button", "Reserve", "aria-label", "Reserve from " + TimeLabels.minute(way.start()));
        }
        page.close().close().close();
    }

    private static String from(Optional<Instant> start) {
        return start.map(s -> " from " + TimeLabels.minute(s)).orElse("");
    }
}
