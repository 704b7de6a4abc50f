package org.metasched.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.trust.ClientCredentials;

/**
 * A small grid in one process: simulated sites, each behind a SOAP adapter of its own, a site of software licences, and a server
 * that reaches all of them over HTTP. Closing it deletes its files.
 */
final class DemoGrid implements AutoCloseable {

    /** The site that has licences of {@link #FEATURE} instead of nodes. */
    static final String LICENCE_SITE = "licences";

    static final String FEATURE = "solver";

    private static final List<String> NAMES = List.of("fzj", "scai", "cesca");
    private static final List<Integer> NODES = List.of(128, 64, 64);

    record Site(SiteId id, String workload, LocalScheduler scheduler, AdapterHost host, ClientCredentials caller) {

        /** The site as a remote user sees it. */
        RemoteScheduler remote() {
            return RemoteScheduler.at(
                    id, host.endpoint(), new OutgoingCalls(caller, Duration.ofSeconds(5), Duration.ofSeconds(60)));
        }

        SiteLoad load() throws LocalSchedulerException {
            return scheduler.loadReporting().orElseThrow().load();
        }
    }

    private final Path folder;
    private final AdapterCatalog catalog = AdapterCatalog.open(Optional.empty());
    private final List<Site> sites = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Optional<DemoCertificates> certificates;
    private final ServerAssembly server;

    DemoGrid(List<Path> workloads, int count, int port, boolean tls, OutputOptions output) throws IOException {
        folder = Files.createTempDirectory("metasched-demo");
        certificates = tls ? Optional.of(new DemoCertificates(folder.resolve("pki"))) : Optional.empty();
        try {
            output.say("Starting " + count + (count == 1 ? " site" : " sites") + ", each behind its own SOAP adapter:");
            for (int i = 0; i < count; i++) {
                sites.add(open(i, workloads, output));
            }
            sites.add(serve(LICENCE_SITE, "sells licences", "bandwidth: 10000, licences: {" + FEATURE + ": 2}"));
            server = ServerAssembly.start(
                    ConfigurationFile.from(YamlSettings.parse("demo", configuration(port))), Clock.systemUTC());
        } catch (RuntimeException e) {
            sites.forEach(DemoGrid::stop);
            delete(folder);
            throw e;
        }
    }

    URI server() {
        return server.base();
    }

    /** The credentials of the demo's user. */
    ClientCredentials caller() {
        return certificates.map(DemoCertificates::user).orElse(ClientCredentials.ANONYMOUS);
    }

    /** A sentence on calling the server by hand; may be empty. */
    String hint() {
        return certificates.map(c -> "\n" + c.hint()).orElse("");
    }

    /** The sites that have nodes. */
    List<Site> clusters() {
        return sites.subList(0, sites.size() - 1);
    }

    Site site(String name) {
        return sites.stream()
                .filter(site -> site.id().value().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no site (" + name + ") in the demo."));
    }

    Path folder() {
        return folder;
    }

    private Site open(int index, List<Path> workloads, OutputOptions output) {
        Site site;
        if (index < workloads.size()) {
            Path trace = workloads.get(index);
            site = serve(
                    unique(nameOf(trace, index), index),
                    "replays " + trace.getFileName(),
                    "workload: '" + trace.toString().replace("'", "''") + "'");
        } else {
            String name = index < NAMES.size() ? NAMES.get(index) : "site" + (index + 1);
            int nodes = NODES.get(index % NODES.size());
            site = serve(
                    unique(name, index),
                    "replays a synthetic workload (Lublin and Feitelson 2003)",
                    "nodes: " + nodes + ", workload: synthetic, load: 0.6, seed: " + (index + 1));
        }
        output.say("  %-22s %s, at %s"
                .formatted(site.id(), site.workload(), site.host().endpoint()));
        return site;
    }

    private Site serve(String name, String workload, String settings) {
        var yaml = YamlSettings.parse(name, "{site: '" + name + "', scheduler: {type: simulated, " + settings + "}}");
        var scheduler = openScheduler(yaml);
        var host = certificates.isPresent() ? certificates.get().serve(scheduler) : AdapterHost.start(scheduler, 0);
        var caller = certificates.map(DemoCertificates::server).orElse(ClientCredentials.ANONYMOUS);
        return new Site(new SiteId(name), workload, scheduler, host, caller);
    }

    /** Opens a scheduler. Only the user's trace can be wrong: the rest of the settings is made here, so messages leave its position out. */
    private LocalScheduler openScheduler(YamlSettings yaml) {
        try {
            return SiteConfiguration.from(yaml).open(catalog, Clock.systemUTC());
        } catch (InvalidSettingException e) {
            throw ExitCodeException.badInput(String.valueOf(e.getMessage()).replaceFirst("^[^ ]*: workload: ", ""));
        }
    }

    /** A valid site name, made from the file name of the trace. */
    private static String nameOf(Path trace, int index) {
        String name = String.valueOf(trace.getFileName())
                .replaceAll("(\\.swf)?(\\.gz)?$", "")
                .replaceAll("[^A-Za-z0-9._-]", "-")
                .replaceAll("^[^A-Za-z0-9]+", "");
        return name.isEmpty() ? "site" + (index + 1) : name.substring(0, Math.min(40, name.length()));
    }

    /** The name; with a number if an earlier site has it, or the site of licences, which is the last. */
    private String unique(String name, int index) {
        boolean isTaken = name.equalsIgnoreCase(LICENCE_SITE)
                || sites.stream().anyMatch(site -> site.id().value().equalsIgnoreCase(name));
        return isTaken ? name + "-" + (index + 1) : name;
    }

    private String configuration(int port) {
        var yaml = new StringBuilder("port: " + port + "\ndata: '" + folder.resolve("server") + "'\n"
                + certificates.map(DemoCertificates::configuration).orElse("") + "sites:\n");
        for (Site site : sites) {
            yaml.append("  - {site: '" + site.id() + "', url: '" + site.host().endpoint() + "', publish: ");
            yaml.append(
                    site.id().value().equals(LICENCE_SITE)
                            ? "{type: LicenseServer, max-matches: 100}}\n"
                            : "{type: Machine, max-matches: 10, attributes: {Is_USCMS_Site: true}, environment: {SiteWorkingArea: /scratch/"
                                    + site.id() + ", SiteExportDir: /export/" + site.id() + "}}}\n");
        }
        return yaml.toString();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            server.close();
            sites.forEach(DemoGrid::stop);
            certificates.ifPresent(DemoCertificates::close);
            catalog.close();
            delete(folder);
        }
    }

    private static void stop(Site site) {
        site.host().close();
        site.scheduler().close();
    }

    private static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The demo's folder (" + folder + ") cannot be removed.", e);
        }
    }
}
