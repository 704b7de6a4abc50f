package org.metasched.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.Component;
import net.fortuna.ical4j.model.component.VEvent;
import net.fortuna.ical4j.util.CompatibilityHints;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.fakes.TestGrid;

class CalendarTextTest {

    private static final String LABEL = "Strahlzeit; Messung, Ä🛰\\ ".repeat(7);

    private static AgreementOffer called(AgreementOffer offer, String label) {
        return new AgreementOffer(
                offer.key(),
                label,
                offer.template(),
                offer.alternatives(),
                offer.guarantees(),
                Optional.empty(),
                offer.document(),
                Optional.empty(),
                Optional.empty());
    }

    private static List<String> uids(String text) {
        return Pattern.compile("UID:(\\S+)")
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void anEventKeepsItsUidAndCountsItsChanges() throws Exception {
        try (var grid = new TestGrid().site("fzj", 8).site("scai", 8)) {
            var started = grid.start();
            var made = make(started, called(grid.offer("o1", 2, "fzj", "scai"), LABEL));
            String first = CalendarText.ofPerson(List.of(made));
            started.service.end(made.id(), "Enough.");
            var ended = started.service.find(made.id()).orElseThrow();
            String later = CalendarText.ofPerson(List.of(ended));
            String site = CalendarText.ofSite("fzj", List.of(ended));

            assertThat(CalendarText.ofPerson(List.of(made))).isEqualTo(first);
            assertThat(uids(first)).containsExactly(made.id() + "@metasched").isEqualTo(uids(later));
            assertThat(first).contains("STATUS:CONFIRMED\r\n", "SEQUENCE:" + made.version() + "\r\n");
            assertThat(later).contains("STATUS:CANCELLED\r\n", "SEQUENCE:" + ended.version() + "\r\n");
            assertThat(ended.version()).isGreaterThan(made.version());
            assertThat(first.replace("\r\n ", ""))
                    .contains("SUMMARY:" + LABEL.replaceAll("([\\\\;,])", "\\\\$1") + " at fzj\\, scai\r\n");
            assertThat(first.lines()).allMatch(line -> line.getBytes(StandardCharsets.UTF_8).length <= 75);
            assertThat(site).doesNotContain("Strahlzeit", "scai").contains("SUMMARY:2 nodes reserved");
            for (String text : List.of(first, later, site, CalendarText.ofPerson(List.of()))) {
                accepts(text);
            }
        }
    }

    private static Agreement make(TestGrid.Started started, AgreementOffer offer) throws InterruptedException {
        return started.service.offer(offer).fold(created -> created.agreement(), refused -> {
            throw new AssertionError(refused.reason());
        });
    }

    /** ical4j, as strict as it can be. */
    private static Calendar accepts(String text) throws IOException, ParserException {
        for (String hint : List.of(
                CompatibilityHints.KEY_RELAXED_PARSING,
                CompatibilityHints.KEY_RELAXED_UNFOLDING,
                CompatibilityHints.KEY_RELAXED_VALIDATION,
                CompatibilityHints.KEY_OUTLOOK_COMPATIBILITY,
                CompatibilityHints.KEY_NOTES_COMPATIBILITY,
                CompatibilityHints.KEY_VCARD_COMPATIBILITY)) {
            CompatibilityHints.setHintEnabled(hint, false);
        }
        var calendar = new CalendarBuilder().build(new StringReader(text));
        var verdict = calendar.validate(true);
        assertThat(verdict.hasErrors()).as(verdict + "\n" + text).isFalse();
        return calendar;
    }

    /** As a calendar program does: an event of the same UID is replaced, but not by an older one. */
    private static void take(Map<String, VEvent> held, String text) throws IOException, ParserException {
        for (VEvent event : accepts(text).<VEvent>getComponents(Component.VEVENT)) {
            held.merge(
                    event.getUid().orElseThrow().getValue(),
                    event,
                    (old, renewed) -> sequence(renewed) >= sequence(old) ? renewed : old);
        }
    }

    private static int sequence(VEvent event) {
        return event.getSequence().getSequenceNo();
    }

    @Test
    void whatIsImportedTwiceOrLateLeavesNoDoubles() throws Exception {
        try (var grid = new TestGrid().site("fzj", 8).site("scai", 8)) {
            var started = grid.start();
            var one = make(started, called(grid.offer("o1", 2, "fzj", "scai"), "one"));
            var two = make(started, called(grid.offer("o2", 2, "fzj"), "two"));
            String before = CalendarText.ofPerson(List.of(one, two));
            started.service.end(one.id(), "Enough.");
            String after =
                    CalendarText.ofPerson(List.of(started.service.find(one.id()).orElseThrow(), two));
            Map<String, VEvent> held = new HashMap<>();

            for (String feed : List.of(before, before, after, after, before)) {
                take(held, feed);
            }

            assertThat(held).containsOnlyKeys(one.id() + "@metasched", two.id() + "@metasched");
            assertThat(held.get(one.id() + "@metasched").getStatus().getValue()).isEqualTo("CANCELLED");
            assertThat(held.get(two.id() + "@metasched").getStatus().getValue()).isEqualTo("CONFIRMED");
        }
    }
}
