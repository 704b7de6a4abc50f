package org.metasched.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Advice;
import org.metasched.agreement.Advice.Way;
import org.metasched.agreement.CreationOutcome;
import org.metasched.console.Wishes.Part;
import org.metasched.console.Wishes.Wish;

/** When could I have this? The question as a form, and the answer: plans or, if there is none, why not and what could be had. */
final class WhenPage {

    private final View view;
    private final List<SiteId> sites;
    private final WishForm fields;

    WhenPage(View view, List<SiteId> sites, WishForm fields) {
        this.view = view;
        this.sites = sites;
        this.fields = fields;
    }

    String write(Optional<Advice> advice) {
        var page = begin();
        advice.ifPresent(found -> {
            if (found.ways().isEmpty()) {
                refusal(page, found.code().map(Enum::name).orElse(""), found.reason());
            } else {
                page.element("h2", "Plans");
                page.element("p", "Nothing is held: a plan is good until others take its nodes.", "class", "quiet");
                head(page);
                found.ways().forEach(way -> plan(page, "", way, deadline()));
                Frame.endOfTable(page);
            }
            nearest(page, found);
        });
        return Frame.end(page);
    }

    /** The question again, with what is wrong with it. */
    String refused(String why) {
        return Frame.end(begin().element("p", why, "class", "problem", "role", "alert"));
    }

    /** The answer to an offer. */
    String refused(CreationOutcome.Refused refusal) {
        var page = begin();
        refusal(page, refusal.code().name(), refusal.reason());
        return Frame.end(page);
    }

    private Optional<Instant> deadline() {
        return fields.read().deadline();
    }

    private static void refusal(Markup page, String code, String reason) {
        page.open("p", "class", "problem", "role", "alert").element("b", code).text(" " + reason);
        page.close();
    }

    private void nearest(Markup page, Advice advice) {
        if (advice.nearest().isEmpty()) {
            return;
        }
        page.element("h2", "What could be had instead");
        head(page);
        advice.nearest()
                .forEach(one -> plan(page, one.words(), one.way(), one.request().deadline()));
        Frame.endOfTable(page);
    }

    private static void head(Markup page) {
        Frame.head(page, "Start (UTC)", "End (UTC)", "Sites", "#Cost", "What is other", "");
    }

    private void plan(Markup page, String other, Way way, Optional<Instant> deadline) {
        page.open("tr").element("th", Times.minute(way.start()), "scope", "row", "class", "time");
        page.element("td", Times.minute(way.end()), "class", "time").open("td");
        for (var piece : way.pieces()) {
            page.open("span", "class", "part").text(piece.site().value() + " ");
            page.element("span", Words.amount(piece.need()), "class", "quiet").close();
        }
        page.close();
        Frame.number(page, way.cost() == 0 ? Words.NONE : String.valueOf(way.cost()));
        page.element("td", other).open("td");
        view.form(page, "/offer");
        WishForm.hide(page, wish(way, deadline));
        page.element("button", "Reserve", "aria-label", "Reserve from " + Times.minute(way.start()));
        page.close().close().close();
    }

    /** Just this plan, though it may begin later by the time it is offered. */
    private static Wish wish(Way way, Optional<Instant> deadline) {
        var parts = way.pieces().stream()
                .map(p -> new Part(p.site().value(), p.need().amount(), ""))
                .toList();
        var duration = way.pieces().get(0).part().request().duration();
        return new Wish("console-" + UUID.randomUUID(), parts, duration, Optional.of(way.start()), deadline);
    }

    private Markup begin() {
        var page = Frame.begin("When could I…?", view, false);
        page.open("form", "action", view.home() + "/when", "class", "filter wish");
        for (int row = 1; row <= WishForm.ROWS; row++) {
            page.open("fieldset").element("legend", row == 1 ? "Nodes" : "and at the same time");
            field(page, "Nodes", "nodes" + row, "number", row == 1 ? "required" : "");
            site(page, row);
            page.close();
        }
        page.open("fieldset").element("legend", "For how long, and when (UTC)");
        field(page, "Hours", "hours", "number", "");
        field(page, "Minutes", "minutes", "number", "");
        field(page, "Not before", "earliest", "datetime-local", "");
        field(page, "All done by", "deadline", "datetime-local", "");
        page.close().open("fieldset").element("legend", "Where any site will do");
        field(page, "Requirements (ClassAd)", "where", "text", "");
        page.close().element("button", "Ask").close();
        return page;
    }

    private void field(Markup page, String label, String name, String type, String required) {
        var attributes = new ArrayList<>(Arrays.asList("type", type, "name", name, "value", fields.text(name)));
        if (type.equals("number")) {
            attributes.addAll(List.of("min", "0"));
        }
        if (!required.isEmpty()) {
            attributes.addAll(List.of("required", "required"));
        }
        page.open("label").text(label + " ");
        page.empty("input", attributes.toArray(new String[0])).close();
    }

    private void site(Markup page, int row) {
        String name = "site" + row;
        page.open("label").text("Site ").open("select", "name", name);
        page.element("option", "any", "value", "");
        for (var site : sites) {
            page.element(
                    "option",
                    site.value(),
                    site.value().equals(fields.text(name)) ? new String[] {"selected", "selected"} : new String[0]);
        }
        page.close().close();
    }
}
