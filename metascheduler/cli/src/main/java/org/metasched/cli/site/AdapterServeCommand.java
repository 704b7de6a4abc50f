package org.metasched.cli.site;

import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.output.Readiness;
import org.metasched.cli.output.ResultMapper;
import org.metasched.cli.server.ServerAddress;
import org.metasched.http.HttpServer;
import org.metasched.http.LoopbackAddress;
import org.metasched.http.PublicAddress;
import org.metasched.server.FollowedConfiguration;
import org.metasched.server.ListenerIdentity;
import org.metasched.server.ListenerSettings;
import org.metasched.server.SecuritySettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched adapter serve}: one local scheduler behind the SOAP site interface, until the process is told to end. */
@Command(
        name = "serve",
        description = {
            "Serves a local scheduler behind the SOAP site interface, until it is ended by SIGTERM or Ctrl-C.",
            "Prints the address when it is ready. A simulated site also lists what it holds at /reservations."
        })
final class AdapterServeCommand extends PrintingCommand implements Runnable {

    @Mixin
    private SiteOptions site;

    @Option(names = "--port", description = "Port to listen on, 0 for any (default: serve: port, else any).")
    private @Nullable Integer port;

    @Override
    public void run() {
        try (var open = site.open(output)) {
            var serve = open.file().section("serve");
            serve.ifPresent(
                    section -> section.allowOnly(Set.of("port", "address", "public-url", "allowed-hosts", "security")));
            var address = address(serve);
            var names = serve.map(ListenerSettings::names).orElse(PublicAddress.NONE);
            try (var identity = ListenerIdentity.open(
                            SecuritySettings.ofAdapter(serve, address), address, Optional.empty(), Clock.systemUTC());
                    var host = AdapterHost.start(
                            open.scheduler(),
                            HttpServer.at(address).knownAs(names),
                            identity.authentication(),
                            pages(open.scheduler()))) {
                FollowedConfiguration.ofAdapter(site.config(), address, identity, open.scheduler());
                announce(open.scheduler(), host);
                awaitEnd(host);
            }
        }
    }

    private InetSocketAddress address(Optional<Settings> serve) {
        int chosen = port != null
                ? port
                : serve.flatMap(section -> section.number("port")).orElse(0);
        var host = serve.flatMap(section -> section.text("address"))
                .orElseGet(() -> LoopbackAddress.get().getHostAddress());
        return ServerAddress.toListen(host, chosen);
    }

    private void announce(LocalScheduler scheduler, AdapterHost host) {
        output.print(
                new Served(scheduler.site(), String.valueOf(host.endpoint())),
                "Site " + scheduler.site() + " is served at " + host.endpoint());
    }

    /** Waits for SIGTERM; calls under way come to their end before the process does. */
    private void awaitEnd(AdapterHost host) {
        var end = Readiness.atEnd(host::close);
        try {
            Readiness.announce(output);
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Pages in JSON beside the service, by path. */
    private static Map<String, Supplier<String>> pages(LocalScheduler scheduler) {
        return scheduler instanceof SimulatedScheduler simulated
                ? Map.of("/reservations", () -> listing(simulated))
                : Map.of();
    }

    private record Served(SiteId site, String endpoint) {}

    private record Listing(SiteId site, List<Held> reservations) {}

    private record Held(
            String id,
            String key,
            String state,
            String start,
            String end,
            int amount,
            List<String> nodes,
            List<String> lostNodes,
            List<String> bound,
            List<String> published) {}

    private static String listing(SimulatedScheduler site) {
        return ResultMapper.json(new Listing(
                site.site(),
                site.reservations().stream().map(status -> held(site, status)).toList()));
    }

    private static Held held(SimulatedScheduler site, ReservationStatus status) {
        var reservation = status.reservation();
        return new Held(
                reservation.id().value(),
                reservation.key().value(),
                status.state().name(),
                reservation.slot().start().toString(),
                reservation.slot().end().toString(),
                reservation.granted().amount(),
                reservation.nodeNames(),
                status.lostNodes(),
                site.bound(reservation.id()),
                List.copyOf(site.published(reservation.id()).keySet()));
    }
}
