package org.metasched.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.InMemoryJournal;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.simulation.SiteChooser.Advertised;
import org.metasched.simulation.result.MetaRecord;
import org.metasched.simulation.result.MetaRecord.Held;
import org.metasched.simulation.result.MetaRecord.Outcome;
import org.metasched.simulation.result.RunRecords;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.StartSearchPolicy;
import org.metasched.simulation.stream.MetaJob;
import org.metasched.simulation.stream.MetaJobStream;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;

/**
 * One run: the product's own sites, negotiation and journal on a clock that jumps from event to event. Events of one instant have this
 * order: local jobs end, local jobs arrive and are planned, meta-jobs give back reservations that they no longer need, meta-jobs arrive. A
 * negotiation takes no time on this clock. For one thread; the same scenario gives the same records.
 */
public final class Simulation {

    /** Longest interval at which sites advance, and interval of progress reports. */
    private static final Duration TICK = Duration.ofDays(1);

    private static final int MOST_CALLS = 1024;

    private final Scenario scenario;
    private final RunProgress progress;
    private final String runName;
    private final SettableClock clock;
    private final SimulatedSites sites;
    private final InMemoryJournal journal = new InMemoryJournal();
    private final OrphanSweeper sweeper;
    private final StartPolicy startPolicy;
    private final OpenSites openSites;
    private final HeldParts heldParts;
    private final List<MetaRecord> records = new ArrayList<>();
    private Instant nextTick;

    private Simulation(Scenario scenario, SiteWire wire, SiteChooser chooser, RunProgress progress) {
        this.scenario = scenario;
        this.progress = progress;
        this.runName = scenario.streams().isEmpty() ? "without meta-jobs" : "with meta-jobs";
        this.clock = new SettableClock(scenario.begin());
        this.nextTick = scenario.begin();
        this.sites = new SimulatedSites(scenario, clock);
        var directory = SiteDirectory.of(sites.behind(wire));
        var calls = new SiteCalls(directory, new CallerThread(), Duration.ofHours(1), MOST_CALLS);
        this.sweeper = new OrphanSweeper(journal, calls, clock, Duration.ZERO);
        var context = new NegotiationContext(calls, journal, sweeper, scenario.budget(), clock);
        var random = new Random(scenario.seed());
        var strategy = scenario.policy() instanceof StartSearchPolicy.ListingOne
                ? SearchStrategy.LISTING1
                : SearchStrategy.WINDOWS;
        var engine = new ParallelNegotiation(context, strategy, random);
        this.startPolicy = StartPolicy.of(scenario.policy(), engine, context, random);
        this.heldParts = new HeldParts(scenario);
        this.openSites = new OpenSites(scenario, chooser.over(directory, this::advertised), startPolicy, engine);
    }

    private List<Advertised> advertised() {
        return scenario.sites().stream()
                .map(site -> new Advertised(site, heldParts.at(site.id())))
                .toList();
    }

    /**
     * Runs a scenario over direct connections to the sites, without a chooser of sites.
     *
     * @throws InterruptedException when the thread is interrupted; nothing is left behind
     */
    public static RunRecords run(Scenario scenario, RunProgress progress) throws InterruptedException {
        return run(scenario, SiteWire.NONE, SiteChooser.NONE, progress);
    }

    /**
     * Runs a scenario.
     *
     * @param wire connection between the negotiation and the sites
     * @param chooser selector of sites, for policies that choose them
     */
    public static RunRecords run(Scenario scenario, SiteWire wire, SiteChooser chooser, RunProgress progress)
            throws InterruptedException {
        return new Simulation(scenario, wire, chooser, progress).run();
    }

    private RunRecords run() throws InterruptedException {
        for (var job : MetaJobStream.of(scenario)) {
            endUntil(job.submitted());
            goTo(job.submitted());
            negotiate(job);
        }
        endUntil(Instant.MAX);
        boolean isBusy = true;
        while (isBusy || clock.instant().isBefore(scenario.end())) {
            goTo(clock.instant().plus(TICK));
            isBusy = sites.catchUp();
        }
        int left = journal.entries().size();
        if (left > 0) {
            throw new IllegalStateException("The run ended with " + left + " reservations not given back: a defect.");
        }
        return new RunRecords(sites.records(), records);
    }

    /** Advances the clock to an instant. At every tick until then the sites advance, too, and the progress is reported. */
    private void goTo(Instant instant) throws InterruptedException {
        while (!nextTick.isAfter(instant)) {
            if (Thread.interrupted()) {
                throw new InterruptedException("The simulation was stopped at " + clock.instant() + ".");
            }
            clock.advanceTo(nextTick);
            sites.catchUp();
            progress.at(runName, sites.startedShare());
            nextTick = nextTick.plus(TICK);
        }
        clock.advanceTo(instant);
    }

    /** Ends the parts of meta-jobs that are over up to an instant, and gives back reservations that last longer. */
    private void endUntil(Instant instant) throws InterruptedException {
        for (var next = heldParts.nextEnd(instant); next.isPresent(); next = heldParts.nextEnd(instant)) {
            var end = next.get();
            goTo(end.at());
            var key = end.reservation().reservation().key();
            heldParts.release(end);
            if (end.reservation().reservation().slot().end().isAfter(end.at())) {
                journal.orphan(List.of(key), clock.instant());
                sweeper.release(List.of(key));
            } else {
                journal.released(List.of(key));
            }
        }
    }

    private void negotiate(MetaJob job) throws InterruptedException {
        boolean chooses = scenario.policy().choosesSites();
        var outcome = chooses ? openSites.negotiate(job) : startPolicy.negotiate(job.request());
        var unplaced = chooses ? job.at(part -> OpenSites.ANY) : job;
        records.add(outcome.fold(
                granted -> {
                    journal.keep(granted.reservations());
                    var reservations = granted.reservations();
                    var placed = job.at(part -> reservations.get(part).site());
                    return record(placed, outcome, Outcome.GRANTED, Optional.empty(), heldParts.hold(placed, granted));
                },
                none -> record(unplaced, outcome, Outcome.NO_COMMON_SLOT, Optional.of(none.exhausted()), List.of()),
                abandoned -> record(
                        unplaced,
                        outcome,
                        Outcome.valueOf(abandoned.why().name()),
                        Optional.of(abandoned.cause()),
                        List.of())));
    }

    private MetaRecord record(
            MetaJob job, NegotiationOutcome outcome, Outcome end, Optional<SiteId> cause, List<Held> held) {
        Optional<Instant> start = outcome.fold(
                granted -> Optional.of(granted.start()), none -> Optional.empty(), abandoned -> Optional.empty());
        var effort = outcome.effort();
        String why = cause.map(SiteId::value).orElse("");
        var second = start.map(scenario::second);
        return new MetaRecord(job, end, why, second, effort.rounds(), effort.calls(), effort.attempts(), held);
    }
}
