package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.Need;
import org.metasched.adapter.policy.PolicedScheduler;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.fakes.FakeSite;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication;

/** A site's own no, as an offer's sender sees it: of a site in the server's process, and of one behind an adapter. */
@Tag("full")
class PolicyAtTheDoorTest {

    private static final String RULES =
            "{ledger: '%s', rules: [{name: small, most-nodes: 8}, {name: soon, look-ahead: 2h}, {name: budget, node-hours-per-month: 20}]}";

    @TempDir
    private static Path folder;

    private static AdapterHost adapter;
    private static ServerAssembly server;

    @BeforeAll
    static void serve() throws Exception {
        var rules = YamlSettings.parse("policy", RULES.formatted(folder.resolve("remote")));
        adapter = AdapterHost.start(
                PolicedScheduler.around(new FakeSite("remote", 64, Clock.systemUTC()), rules, Clock.systemUTC()),
                HttpServer.onPort(0),
                Authentication.NONE,
                Map.of());
        server = ServerAssembly.start(
                ConfigurationFile.from(YamlSettings.parse("server", """
                        port: 0
                        data: %s
                        drain: 1s
                        sites:
                          - {site: remote, url: '%s'}
                          - {site: inside, scheduler: {type: simulated, nodes: 64}, policy: %s}
                        """.formatted(
                        folder.resolve("server"), adapter.endpoint(), RULES.formatted(folder.resolve("inside"))))),
                Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
        adapter.close();
    }

    /** Rules for a request and rules that cut its free windows alike: what asking again cannot change is not told as a failure. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inside | 9 |  1 |  0 | rule small, most-nodes",
                "remote | 9 |  1 |  0 | rule small, most-nodes",
                "inside | 1 |  1 | 30 | rule soon, look-ahead",
                "remote | 1 |  1 | 30 | rule soon, look-ahead",
                "inside | 8 | 10 |  0 | rule budget, node-hours-per-month",
                "remote | 8 | 10 |  0 | rule budget, node-hours-per-month"
            })
    void aRulesNoIsTheSitesAndNamesTheRule(String site, int nodes, int hours, int later, String rule) {
        var content = new OfferWriter.OfferContent(
                site + "-" + nodes + "-" + hours + "-" + later,
                "",
                List.of(new OfferWriter.Part(Optional.of(site), Optional.empty(), new Need.Nodes(nodes))),
                Duration.ofHours(hours),
                Optional.of(later)
                        .filter(hour -> hour > 0)
                        .map(hour -> Instant.now().plus(Duration.ofHours(hour))),
                Optional.empty());
        var offer = OfferWriter.write(server.agreements().templates().get(0).key(), content);

        assertThatThrownBy(() -> new AgreementClient(server.base(), Duration.ofMinutes(1)).create(offer))
                .isInstanceOfSatisfying(AgreementFaultException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo("SITE_REFUSES");
                    assertThat(refusal.descriptions().toString()).contains(rule);
                });
    }
}
