package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.negotiation.SearchStrategy;

class ConfigurationFileTest {

    private static final String SITE = "sites: [{site: fzj, url: 'http://127.0.0.1:9/services/Site'}]\n";

    @Test
    void withoutAFileThereAreThreeSimulatedSitesOnTheLoopbackAddress() {
        var usual = ConfigurationFile.read(Optional.empty(), Optional.empty());

        try (var sites = new ConfiguredSites(usual, Clock.systemUTC())) {
            assertThat(sites.sites()).extracting(SiteId::value).containsExactly("fzj", "scai", "cesca");
        }
        assertThat(usual.listener().address().getAddress().isLoopbackAddress()).isTrue();
        assertThat(usual.database().url()).startsWith("jdbc:h2:file:").endsWith("/.metasched/server");
    }

    @Test
    void everySettingIsHeeded(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("secret"), "s3cret\n");
        var read = parse("""
                listen: 127.0.0.1
                port: 9090
                database: {url: 'jdbc:postgresql://db/metasched', user: meta, password-file: %s, connections: 7}
                adapters: %s
                negotiation: {strategy: listing1, lead: 30s, rounds: 5, attempts: 2, longest: 1m, pause: 0s,
                              call-timeout: 7s, calls-per-site: 3}
                monitor: {every: 1m, degraded: replace}
                sweeper: {every: 2m, grace: 1h}
                keep-ended: 7d
                drain: 5s
                """.formatted(folder.resolve("secret"), folder) + SITE);

        assertThat(read.listener().address().getPort()).isEqualTo(9090);
        assertThat(read.database().password()).isEqualTo("s3cret");
        assertThat(read.database().connections()).isEqualTo(7);
        assertThat(read.additions().adapters()).contains(folder);
        assertThat(read.negotiation().strategy()).isEqualTo(SearchStrategy.LISTING1);
        assertThat(read.negotiation().budget().lead()).isEqualTo(Duration.ofSeconds(30));
        assertThat(read.negotiation().budget().mostAttempts()).isEqualTo(2);
        assertThat(read.negotiation().callTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(read.intervals().grace()).isEqualTo(Duration.ofHours(1));
        assertThat(read.intervals().keepEnded()).isEqualTo(Duration.ofDays(7));
        assertThat(read.drain()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aPathMayBeginAtTheHomeOfTheUser() {
        Path home = Path.of(System.getProperty("user.home"));

        var read = parse("data: ~/grid\nadapters: ~/\ntemplates: relative\n" + SITE);

        assertThat(read.data()).isEqualTo(home.resolve("grid"));
        assertThat(read.database().url()).isEqualTo("jdbc:h2:file:" + home.resolve("grid/server"));
        assertThat(read.additions().adapters()).contains(home);
        assertThat(read.additions().templates()).contains(Path.of("relative"));
    }

    @ParameterizedTest
    @CsvSource({"smtp.example.org:587, smtp.example.org", "[::1]:587, [::1]"})
    void aMailServerIsAHostAndAPort(String server, String host) {
        var read = parse("mail: {server: '" + server + "', from: a@b.org}\n" + SITE)
                .mail()
                .orElseThrow();

        assertThat(read.server().getHostString()).isEqualTo(host);
        assertThat(read.server().getPort()).isEqualTo(587);
    }

    @Test
    void theRulesOfThePoolAreHeeded() {
        var read = parse("""
                matchmaking:
                  groups: [{name: phys, quota: 120, accept-surplus: true}, {name: phys.hep, share: 0.5, autoregroup: true}]
                  concurrency-limits: {XSW: 3, db: 10}
                  preemption-requirements: RemoteUserPrio > 2
                  rank-preemption-requirements: 'false'
                """ + SITE).matchmaking();

        assertThat(read.shares().groups())
                .containsExactly(
                        new SharePolicy.Group("phys", 120, true, true, false),
                        new SharePolicy.Group("phys.hep", 0.5, false, false, true));
        assertThat(read.rules().limits()).isEqualTo(Map.of("xsw", 3.0, "db", 10.0));
        assertThat(read.rules().preemption()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prot: 80                                | config.yaml:1:1  | Maybe 'port' was meant",
                "port: 70000                             | config.yaml:1:7  | from 0 to 65535",
                "listen: 127.0.0.1:8471                  | config.yaml:1:9  | without a port",
                "port: http                              | config.yaml:1:7  | whole number",
                "database: {url: 'jdbc:mysql://x/y'}     | config.yaml:1:17 | jdbc:h2:",
                "database: {user: a, pasword: b}         | config.yaml:1:21 | Maybe 'password' was meant",
                "database: {password-file: /no/such}     | config.yaml:1:27 | cannot be read",
                "negotiation: {strategy: best}           | config.yaml:1:25 | windows or listing1",
                "negotiation: {attempts: 0}              | config.yaml:1:25 | at least 1",
                "negotiation: {call-timeout: 0s}         | config.yaml:1:29 | positive",
                "sweeper: {every: soon}                  | config.yaml:1:18 | duration",
                "sweeper: {grace: -PT1S}                 | config.yaml:1:18 | not negative",
                "data: \"a\\0b\"                           | config.yaml:1:7  | Nul character",
                "mail: {server: 'smtp:70000', from: a@b}   | config.yaml:1:16 | HOST:PORT",
                "outbound: {ports: [443, https]}         | config.yaml:1:19 | expected numbers, not [443, https]",
                "keep-ended: PT0S                        | config.yaml:1:13 | positive",
                "matchmaking: {groups: [{name: a.b, quota: 1}]}           | config.yaml:1:23 | needs its parent (a)",
                "matchmaking: {groups: [{name: a, quota: -1}]}            | config.yaml:1:  | not (-1)",
                "matchmaking: {groups: [{name: a, quota: 1, share: 0.5}]} | config.yaml:1:  | both",
                "matchmaking: {concurrency-limits: {xsw: many}}           | config.yaml:1:  | not (many)",
                "matchmaking: {concurrency-limits: {xsw: 1, XSW: 2}}      | config.yaml:1:  | case does not count",
                "security: {audiences: a, issuers: [{url: u, keys: 'https://k/', longest-life: 0s}]} | config.yaml:1: | positive",
                "matchmaking: {preemption-requirements: 'a >'}            | config.yaml:1:  | preemption-requirements",
            })
    void aMistakeIsShownWithItsPlace(String line, String place, String problem) {
        assertThatThrownBy(() -> parse(line + "\n" + SITE))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith(place)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]                                                                   | at least one site",
                "[{url: 'http://127.0.0.1:9/'}]                                       | 'site' is missing",
                "[{site: 'no good', url: 'http://127.0.0.1:9/'}]                      | no good",
                "[{site: fzj, url: 'ftp://127.0.0.1/'}]                               | http://",
                "[{site: fzj, url: 'http://127.0.0.1:9/', nodes: 3}]                  | 'nodes'",
                "[{site: fzj, url: 'http://127.0.0.1:9/', timeout: 0s}]               | positive",
                "[{site: fzj, url: 'http://127.0.0.1:9/', timeout: -PT1S}]            | positive",
                "[{site: fzj, url: 'http://127.0.0.1:9/'}, {site: FZJ, url: 'http://127.0.0.1:9/'}] | (FZJ) is configured twice",
                "[{site: fzj, scheduler: {type: simulatd, nodes: 3}}]                 | Maybe 'simulated' was meant",
                "[{site: fzj, scheduler: {type: simulated, nodes: 3, colour: red}}]   | 'colour'",
                "[{site: a, url: 'http://h/'}, {site: a, url: 'http://h/'}]           | twice",
            })
    void aSiteThatCannotBeUsedIsShownWithItsPlace(String sites, String problem) {
        assertThatThrownBy(() -> new ConfiguredSites(parse("sites: " + sites + "\n"), Clock.systemUTC()).close())
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("config.yaml:1:")
                .hasMessageContaining(problem);
    }

    @Test
    void aSiteWithAnAddressIsBehindItsAdapter() {
        try (var sites = new ConfiguredSites(parse(SITE), Clock.systemUTC())) {
            assertThat(sites.get(new SiteId("fzj"))).isInstanceOf(RemoteScheduler.class);
        }
    }

    private static Configuration parse(String yaml) {
        return ConfigurationFile.from(YamlSettings.parse("config.yaml", yaml));
    }
}
