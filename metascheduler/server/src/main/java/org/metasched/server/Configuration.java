package org.metasched.server;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OnDegraded;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.console.OpenIdLogIn;
import org.metasched.dag.binding.RebindPolicy;
import org.metasched.durable.ReloadedFile;
import org.metasched.http.OutboundPolicy;
import org.metasched.http.PublicAddress;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.notice.MailSender;
import org.metasched.soap.OperatorTemplates;
import org.metasched.store.DatabaseSettings;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AccessRule;
import org.metasched.trust.Authentication;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.Quotas;
import org.metasched.trust.TokenVerifier;

/**
 * Checked configuration of a server. {@link ConfigurationFile} reads it from YAML; the keys and their usual values stand in {@code
 * docs/settings.md}.
 *
 * @param grid name of all its sites as one site of a grid above, if they may be used so
 * @param listener address and names of HTTP, and the addresses that messages may name
 * @param client credentials of the server for its own calls
 * @param mail mail server of notices, if there is one
 * @param data folder of the embedded database and of what the matchmaker remembers
 * @param additions folders of the administrator's additions
 * @param sites one mapping for each, read by {@link ConfiguredSites}
 * @param intervals intervals of periodic tasks
 * @param drain time for which a stop waits for offers under way, and again for the rollback of those that it interrupts
 */
public record Configuration(
        Optional<SiteId> grid,
        Listener listener,
        ClientCredentials client,
        Optional<MailSender.Settings> mail,
        Path data,
        DatabaseSettings database,
        Additions additions,
        List<Settings> sites,
        Negotiation negotiation,
        Matchmaking matchmaking,
        Intervals intervals,
        Duration drain) {

    public Configuration {
        sites = List.copyOf(sites);
    }

    /**
     * @param adapters folder of jars with more kinds of local schedulers
     * @param templates folder of templates beside the usual one
     * @param file file of the configuration, whose changes are followed; empty without one
     */
    public record Additions(Optional<Path> adapters, Optional<Path> templates, Optional<Path> file) {

        /**
         * The templates that operators wrote, as they are now in the folder.
         *
         * @throws IllegalArgumentException when one cannot be used
         */
        Supplier<List<AgreementTemplate>> written() {
            var reader = new OperatorTemplates();
            return templates
                    .<Supplier<List<AgreementTemplate>>>map(folder -> new ReloadedFile<>(folder, reader::read))
                    .orElse(List::of);
        }
    }

    /**
     * @param tls certificate and key of the listener
     * @param authorities an IGTF directory, by which client certificates are judged
     * @param issuers issuers whose tokens are taken
     * @param audiences names of this server in tokens
     * @param signatures whether signed messages are taken
     * @param passwords file of names with passwords, if they are taken
     * @param openId client of the provider at which people sign in to the console, if they may
     * @param people roles and virtual organisations of subjects
     * @param rules access rules beside the usual ones
     * @param audit folder of the record of decisions, if another one than usual
     * @param syslog address that gets a copy of that record
     */
    public record Security(
            Optional<Authentication.Tls> tls,
            Optional<Path> authorities,
            List<TokenVerifier.Issuer> issuers,
            Set<String> audiences,
            boolean signatures,
            Optional<Path> passwords,
            Optional<OpenIdLogIn.Client> openId,
            People people,
            List<AccessRule> rules,
            Quotas quotas,
            Optional<Path> audit,
            Optional<URI> syslog) {

        public AccessPolicy policy() {
            return new AccessPolicy(people, rules);
        }
    }

    /**
     * @param address first address, with port 0 for any free one
     * @param operators a second address, for operators only
     * @param names public names of the server
     * @param outbound policy of calls to addresses that strangers name
     * @param security proofs and rights of callers
     * @param origins web origins whose pages may call the API
     */
    public record Listener(
            InetSocketAddress address,
            Optional<InetSocketAddress> operators,
            PublicAddress names,
            OutboundPolicy outbound,
            Security security,
            Set<String> origins) {}

    /**
     * @param callTimeout longest wait for the answer of a site
     * @param callsPerSite calls to a site that are under way at the same time; more wait
     */
    public record Negotiation(
            SearchStrategy strategy, NegotiationBudget budget, Duration callTimeout, int callsPerSite) {}

    /**
     * @param cycleEvery interval between two matchmaking cycles
     * @param advertiseEvery interval between two ads of a site that the server advertises itself
     * @param usageHalfLife half-life of usage in the fair share
     * @param contacts policy of the addresses of parties that are told of their matches; empty when none is told
     * @param rebinds policy of moves of bound DAGs to another site, if they move by themselves
     * @param shares quotas of groups
     * @param rules limits of concurrency, and pre-emption by priority
     */
    public record Matchmaking(
            Duration cycleEvery,
            Duration advertiseEvery,
            Duration usageHalfLife,
            Optional<OutboundPolicy> contacts,
            Optional<Rebinds> rebinds,
            SharePolicy shares,
            PoolRules rules) {}

    /**
     * @param when condition of a move
     * @param below folder that holds the directories of the DAGs
     * @param every interval between two checks of the DAGs
     */
    public record Rebinds(RebindPolicy when, Path below, Duration every) {}

    /**
     * @param monitorEvery interval between two polls of the reservations of living agreements
     * @param onDegraded reaction to nodes that are lost before the slot
     * @param sweepEvery interval between two sweeps for orphaned reservations
     * @param grace longest time for which a call may be under way to a site after its caller gave up
     * @param keepEnded time for which ended agreements are remembered
     */
    public record Intervals(
            Duration monitorEvery, OnDegraded onDegraded, Duration sweepEvery, Duration grace, Duration keepEnded) {}

    /**
     * The subjects that alone may advertise a site beside this server; the text is empty where none may. The keys are the names of the site
     * and of its ad in lower case.
     */
    Map<String, String> siteOwners() {
        var owners = new HashMap<String, String>();
        for (var site : sites) {
            String owner = site.text("subject").orElse("");
            owners.put(site.requiredText("site").toLowerCase(Locale.ROOT), owner);
            site.section("publish")
                    .flatMap(publish -> publish.text("name"))
                    .ifPresent(name -> owners.put(name.toLowerCase(Locale.ROOT), owner));
        }
        return owners;
    }
}
