package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.durable.ReloadedFile;
import org.metasched.http.HttpServer;
import org.metasched.trust.Role;
import org.metasched.trust.Subject;

/** The file of an adapter that changes while it runs, as a caller sees it. */
class ChangedSiteFileTest {

    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final String SITE = """
            site: fzj
            scheduler: {type: simulated, nodes: 64}
            policy: {rules: [{name: small, most-nodes: 8}]}
            """;

    @TempDir
    private Path folder;

    @Tag("full")
    @Test
    void policiesAndRulesAreTakenWholeOrNotAtAll() throws Exception {
        Path file = Files.writeString(folder.resolve("site.yaml"), SITE);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var clock = Clock.systemUTC();
        try (var catalog = AdapterCatalog.open(Optional.empty());
                var scheduler = SiteConfiguration.read(file).open(catalog, clock);
                var gate = ListenerIdentity.open(
                        SecuritySettings.ofAdapter(Optional.empty(), address), address, Optional.empty(), clock);
                var host = AdapterHost.start(scheduler, HttpServer.at(address), gate.authentication(), Map.of())) {
            FollowedConfiguration.ofAdapter(file, address, gate, scheduler);
            assertThat(ask(host, 8)).contains("Response");

            Files.writeString(file, SITE.replace("most-nodes: 8", "most-nodes: 4"));
            await().atMost(WITHIN).until(() -> ask(host, 8).contains("rule small"));
            assertThat(ask(host, 4)).contains("Response");

            Files.writeString(file, SITE.replace("most-nodes: 8", "most-nodes: many"));
            await().atMost(WITHIN).until(() -> status(file).failed());
            assertThat(ask(host, 4)).contains("Response");

            Files.writeString(file, SITE + "serve: {security: {roles: {server: [carol]}}}\n");
            var guard = gate.authentication().guard();
            await().atMost(WITHIN)
                    .until(() ->
                            guard.policy().rolesOf(Subject.ofPassword("carol")).contains(Role.SERVER));
            assertThat(ask(host, 8)).as("the policy in the file").contains("Response");
            assertThat(status(file).restart())
                    .as("a section that was not there")
                    .isTrue();
        }
    }

    /** A token of a scheduler is read for each call, so that its renewal needs no restart. */
    @Test
    void aRenewedTokenNeedsNoRestart() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "one");
        Path file = Files.writeString(
                folder.resolve("site.yaml"),
                "site: fzj\nscheduler: {type: http, url: 'http://127.0.0.1:9/', token-file: '" + token + "'}\n");
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var clock = Clock.systemUTC();
        try (var catalog = AdapterCatalog.open(Optional.empty());
                var scheduler = SiteConfiguration.read(file).open(catalog, clock);
                var gate = ListenerIdentity.open(
                        SecuritySettings.ofAdapter(Optional.empty(), address), address, Optional.empty(), clock)) {
            FollowedConfiguration.ofAdapter(file, address, gate, scheduler);
            Files.writeString(token, "another");
            ReloadedFile.lookAtAll();

            assertThat(ReloadedFile.statuses())
                    .filteredOn(status -> status.file().startsWith(folder))
                    .isNotEmpty()
                    .noneMatch(ReloadedFile.Status::restart);
        }
    }

    private static ReloadedFile.Status status(Path file) {
        return ReloadedFile.statuses().stream()
                .filter(status -> status.file().equals(file))
                .findFirst()
                .orElseThrow();
    }

    private static String ask(AdapterHost host, int nodes) throws Exception {
        String message =
                "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:site=\"urn:metasched:site:1\">"
                        + "<s:Body><site:ResourceAvailableAt><site:Request><site:Need><site:Nodes count=\"" + nodes
                        + "\" coresPerNode=\"1\"/></site:Need><site:Duration>PT1H</site:Duration></site:Request>"
                        + "<site:NotBefore>2030-01-05T10:00:00Z</site:NotBefore></site:ResourceAvailableAt></s:Body></s:Envelope>";
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(host.endpoint())
                                .header("Content-Type", "application/soap+xml; charset=utf-8")
                                .POST(BodyPublishers.ofString(message))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }
}
