package org.metasched.cli.demo;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationId;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.AgreementView;
import org.metasched.client.Credentials;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.soap.collector.RemoteCollector;

/** The steps of the demo with their texts. */
final class DemoStory {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final DemoGrid grid;
    private final OutputOptions output;
    private final AgreementClient client;
    private int step;

    DemoStory(DemoGrid grid, OutputOptions output) {
        this.grid = grid;
        this.output = output;
        this.client = new AgreementClient(
                grid.server(), TIMEOUT, new Credentials(grid.caller().tls(), grid.caller()::authorization));
    }

    /**
     * Results of the demo.
     *
     * @param chosen the agreement whose sites the server chose
     * @param dag the bound DAG
     */
    record Result(
            @JsonUnwrapped AgreementView agreement, long negotiationMillis, AgreementView chosen, DemoDag.Bound dag) {}

    /** Performs and narrates all steps. */
    Result tell() throws IOException, AgreementFaultException, LocalSchedulerException {
        output.say("The server answers at " + grid.server() + ".");
        showSites();
        List<Part> parts = wanted();
        Instant asked = Instant.now();
        AgreementView agreement = offer(parts);
        long millis = Duration.between(asked, Instant.now()).toMillis();
        tellAgreement(agreement, asked, millis);
        confirmAtSites(agreement);
        AgreementView chosen = chooseByGang();
        next(
                "A production manager's DAG names no site. It is bound to the one with the most room, which counts it as a match:");
        DemoDag.Bound dag = DemoDag.bind(grid, output);
        output.say("");
        output.say(
                "That was the main job: nodes at several sites for one hour, a gang, a DAG. Next: ./metasched --help, and docs.");
        return new Result(agreement, millis, chosen, dag);
    }

    private void showSites() throws LocalSchedulerException {
        next("What is free now, and what waits: no site is idle just because a remote user needs it.");
        for (var site : grid.clusters()) {
            var load = site.load();
            output.say("  %-22s %4d of %4d nodes free, %d jobs run, %d wait"
                    .formatted(site.id(), load.freeNodes(), load.totalNodes(), load.runningJobs(), load.queuedJobs()));
        }
    }

    /** The parts of a request for nodes at all sites. */
    private List<Part> wanted() throws LocalSchedulerException {
        next("A client takes the agreement template from the server and offers: an hour at all sites, the same hour.");
        var parts = new ArrayList<Part>();
        for (var site : grid.clusters()) {
            int nodes = Math.max(1, site.load().totalNodes() / 4);
            output.say("  %-22s %4d nodes".formatted(site.id(), nodes));
            parts.add(new Part(Optional.of(site.id().value()), Optional.empty(), new Need.Nodes(nodes)));
        }
        return parts;
    }

    private void tellAgreement(AgreementView agreement, Instant asked, long millis) {
        output.say(
                "  The server asked all sites in parallel, found the first common start, reserved at each, compared each");
        output.say("  confirmation with what was asked, and answered after " + millis + " ms (" + agreement.rounds()
                + (agreement.rounds() == 1 ? " round, " : " rounds, ") + agreement.calls() + " calls):");
        output.say("  agreement " + agreement.agreementId() + " is " + agreement.state() + ", "
                + agreement
                        .start()
                        .map(start -> "from " + start + ", " + until(asked, start))
                        .orElse("without a start"));
    }

    private static String until(Instant from, Instant to) {
        long minutes = ChronoUnit.MINUTES.between(from, to);
        return minutes < 1 ? "at once" : "in " + minutes / 60 + " h " + minutes % 60 + " min";
    }

    /** Compares the agreement with the reservation that each site reports. */
    private void confirmAtSites(AgreementView agreement) throws LocalSchedulerException {
        next("Each site is asked over its own wire what it holds (State):");
        for (var part : agreement.sites()) {
            try (var remote = grid.site(part.site()).remote()) {
                var status = remote.state(new ReservationId(part.reservationId()));
                var held = status.reservation();
                output.say("  %-22s %-14s %4d nodes, %s to %s, %s"
                        .formatted(
                                part.site(),
                                held.id(),
                                held.granted().amount(),
                                held.slot().start(),
                                held.slot().end(),
                                status.state()));
                if (!agreement.start().equals(Optional.of(held.slot().start()))) {
                    throw ExitCodeException.outside(
                            "Site " + part.site() + " holds another start than the agreement says.");
                }
            }
        }
    }

    /** Reserves by needs without sites, which are matched as a gang. */
    private AgreementView chooseByGang() throws IOException, AgreementFaultException {
        String host = grid.clusters().get(grid.clusters().size() - 1).id().value();
        next(
                "A client that does not know the sites says what it needs: nodes, and a licence that is valid where they are.");
        output.say("  --need 'cpu:nodes=8,Requirements=TotalNodes >= 16'");
        output.say("  --need 'licence:feature=" + DemoGrid.FEATURE + ",Requirements=ValidSite == part0.Name'");
        advertiseLicence(host);
        var parts = List.of(
                new Part(Optional.empty(), Optional.of("TotalNodes >= 16"), new Need.Nodes(8)),
                new Part(
                        Optional.empty(),
                        Optional.of("ValidSite == part0.Name"),
                        new Need.Licences(DemoGrid.FEATURE, 1)));
        AgreementView agreement = offer(parts);
        output.say("  The site ads and the licence's ad were matched as a gang; the licence is valid at " + host
                + " only:");
        for (var part : agreement.sites()) {
            output.say("  %-22s %s, from %s".formatted(part.site(), part.reservationId(), part.start()));
        }
        output.say("  agreement " + agreement.agreementId() + " is " + agreement.state() + ".");
        return agreement;
    }

    private void advertiseLicence(String host) {
        ClassAd ad = ClassAd.EMPTY
                .with("MyType", "License")
                .with("Name", DemoGrid.FEATURE + "@" + host)
                .with("Site", DemoGrid.LICENCE_SITE)
                .with("App", DemoGrid.FEATURE)
                .with("ValidSite", host)
                .with("Requirements", true);
        int sites = grid.clusters().size();
        CollectorCalls.on(grid.server(), grid.caller(), collector -> {
            collector.advertise(ad);
            return awaitSiteAds(collector, sites);
        });
    }

    /** The server advertises its sites as it starts, in the background: it asks each for its load first. */
    private static boolean awaitSiteAds(RemoteCollector collector, int sites) {
        Instant end = Instant.now().plus(TIMEOUT);
        int advertised = 0;
        while (Instant.now().isBefore(end)) {
            advertised = collector.query(CollectorQuery.ofType("Machine")).size();
            if (advertised >= sites) {
                return true;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        throw ExitCodeException.outside("Only " + advertised + " of " + sites + " sites are advertised.");
    }

    private AgreementView offer(List<Part> parts) throws IOException, AgreementFaultException {
        var template = AgreementClient.keyOf(client.templates().get(0));
        String id = "demo-" + UUID.randomUUID();
        var content = new OfferContent(id, "CN=Demo", parts, HOUR, Optional.empty(), Optional.empty());
        return client.create(OfferWriter.write(template, content));
    }

    private void next(String title) {
        step++;
        output.say("");
        output.say(step + ". " + title);
    }
}
