package org.metasched.example.coallocation;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.simulated.SimulatedGrid;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.EmbeddedGrid;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.SearchStrategy;

/** Sixteen nodes for two hours at three sites at once; and the same when one of them is full. */
public final class Main {

    private static final DateTimeFormatter SHOWN =
            DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private final SimulatedGrid grid = SimulatedGrid.at("2026-01-05T08:00:00Z")
            .site("lausanne", 32)
            .site("uppsala", 48)
            .site("brno", 64)
            .busy("lausanne", 32, "PT0S", "PT2H")
            .busy("uppsala", 40, "PT1H", "PT2H")
            .busy("uppsala", 48, "PT6H", "PT1H")
            .busy("brno", 64, "PT4H", "PT90M");
    private final List<AskedSite> sites =
            grid.sites().stream().map(AskedSite::new).toList();
    private final PrintStream out;

    Main(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Main(System.out).run();
    }

    void run() throws InterruptedException {
        // No lead and no pause, as the clock stands still: at most 1000 rounds of questions and 8 attempts to reserve.
        var budget = new NegotiationBudget(Duration.ZERO, 1000, 8, Duration.ofMinutes(1), Duration.ZERO);
        try (var embedded = new EmbeddedGrid(sites, SearchStrategy.LISTING1, budget, grid.clock())) {
            negotiate(embedded.engine());
            grid.advance(Duration.ofDays(1));
            grid.busy("brno", 64, "PT0S", "PT36H");
            out.println("The next day other users have all of brno.");
            negotiate(embedded.engine());
        }
    }

    private void negotiate(NegotiationEngine engine) throws InterruptedException {
        var need = ResourceRequest.nodes(16, Duration.ofHours(2));
        var parts = sites.stream().map(site -> new SitePart(site.site(), need)).toList();
        var request = new CoAllocationRequest(parts, grid.now(), grid.nowPlus("PT12H"));
        sites.forEach(AskedSite::forgetAnswers);

        NegotiationOutcome outcome = engine.negotiate(request);

        printRounds();
        out.println(outcome.<String, RuntimeException>fold(
                slot -> "Reserved at " + SHOWN.format(slot.start()) + ": " + slot.reservations(),
                none -> "No common slot that starts by " + SHOWN.format(none.limit()) + ", because of "
                        + none.exhausted() + ".",
                abandoned -> "Abandoned because of " + abandoned.cause() + ": " + abandoned.reason()));
    }

    /** The candidate only grows, so each instant that sites were asked about is one round. */
    private void printRounds() {
        Map<Instant, String> rounds = new TreeMap<>();
        for (var site : sites) {
            site.answers()
                    .forEach((asked, start) ->
                            rounds.merge(asked, site.site() + " " + shown(start), (a, b) -> a + ", " + b));
        }
        int number = 0;
        for (var round : rounds.entrySet()) {
            number++;
            out.println("round " + number + ", from " + SHOWN.format(round.getKey()) + ": " + round.getValue());
        }
    }

    private static String shown(Optional<Instant> start) {
        return start.map(SHOWN::format).orElse("never");
    }
}
