package org.metasched.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.making.Advice;
import org.metasched.agreement.making.Advice.Way;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.console.OfferApi.Part;
import org.metasched.console.OfferApi.SlotRequest;

/** When could I have this? The question as a form, and the answer: plans or, if there is none, why not and what could be had. */
final class WhenPage {

    private final PageContext view;
    private final List<SiteId> sites;
    private final OfferForm fields;

    WhenPage(PageContext view, List<SiteId> sites, OfferForm fields) {
        this.view = view;
        this.sites = sites;
        this.fields = fields;
    }

    String write(Optional<Advice> advice) {
        var page = begin();
        if (advice.isPresent()) {
            new AdviceTables(view, WhenPage::hide).write(page, advice.get());
            SlotQuery.of(fields).ifPresent(wanted -> picture(page, wanted));
        }
        return Frame.end(page);
    }

    private void picture(Markup page, SlotQuery wanted) {
        String sites = wanted.unnamed() > 0 ? "&" + SlotQuery.AT_ONCE + "=" + wanted.unnamed() : "";
        String words =
                "Free windows in the picture" + (fields.text("where").isEmpty() ? "" : ", whatever the requirements");
        page.open("p")
                .element("a", words, "href", view.home() + "?span=week" + wanted.query() + sites)
                .close();
    }

    /** The question again, with what is wrong with it. */
    String refused(String why) {
        return Frame.end(begin().element("p", why, "class", "problem", "role", "alert"));
    }

    /** The answer to an offer. */
    String refused(CreationOutcome.Refused refusal) {
        var page = begin();
        AdviceTables.refusal(page, refusal.code().name(), refusal.reason());
        return Frame.end(page);
    }

    private static boolean hide(Markup page, AgreementRequest request, Way way) {
        OfferForm.hide(page, wish(way, request.deadline()));
        return true;
    }

    /** Just this plan, though it may begin later by the time it is offered. */
    private static SlotRequest wish(Way way, Optional<Instant> deadline) {
        var parts = way.pieces().stream()
                .map(p -> new Part(p.site().value(), p.need().amount(), ""))
                .toList();
        var duration = way.pieces().get(0).part().request().duration();
        return new SlotRequest("console-" + UUID.randomUUID(), parts, duration, Optional.of(way.start()), deadline);
    }

    private Markup begin() {
        var page = Frame.begin("When could I…?", view, false);
        page.open("form", "action", view.home() + "/when", "class", "filter wish");
        for (int row = 1; row <= OfferForm.ROWS; row++) {
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
        Frame.choice(
                page, "Site", name, "any", sites.stream().map(SiteId::value).toList(), fields.text(name));
    }
}
