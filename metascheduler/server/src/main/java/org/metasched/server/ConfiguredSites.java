package org.metasched.server;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.sites.SiteDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sites of a configuration: behind an adapter elsewhere where an entry has a {@code url}, in this process where it has a
 * {@code scheduler}. Opening asks no site. Thread-safe.
 */
public final class ConfiguredSites implements SiteDirectory, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredSites.class);

    private final AdapterCatalog catalog;
    private final List<LocalScheduler> schedulers = new ArrayList<>();
    /** Names in lower case: ads, matches and owners of sites are known by names without regard to case. */
    private final Set<String> names = new HashSet<>();

    private final SiteDirectory directory;

    /** @throws InvalidSettingException with the place of the mistake */
    public ConfiguredSites(Configuration configuration, Clock clock) {
        catalog = AdapterCatalog.open(configuration.additions().adapters());
        catalog.problems().forEach(LOG::warn);
        try {
            for (var entry : configuration.sites()) {
                schedulers.add(open(entry, configuration, clock));
                refuseDuplicate(entry);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        directory = SiteDirectory.of(schedulers);
    }

    private LocalScheduler open(Settings entry, Configuration configuration, Clock clock) {
        if (entry.text("url").isEmpty()) {
            return SiteConfiguration.from((YamlSettings) entry).open(catalog, clock);
        }
        entry.allowOnly(Set.of("site", "url", "timeout", "publish", "client", "subject"));
        entry.refuseIf(
                !entry.requiredText("url").contains("://"),
                "url",
                "expected a URL such as http://node1:9001/services/Site");
        return entry.checked(
                "url",
                () -> RemoteScheduler.at(
                        new SiteId(entry.requiredText("site")),
                        URI.create(entry.requiredText("url")),
                        new OutgoingCalls(
                                ClientSettings.read(entry).orElse(configuration.client()),
                                Duration.ofSeconds(5),
                                entry.positiveDuration(
                                        "timeout", configuration.negotiation().callTimeout())),
                        configuration.grid()));
    }

    private void refuseDuplicate(Settings entry) {
        String newest = schedulers.get(schedulers.size() - 1).site().value();
        entry.refuseIf(
                !names.add(newest.toLowerCase(Locale.ROOT)), "site", "the site (%s) is configured twice", newest);
    }

    @Override
    public Map<SiteId, LocalScheduler> bySite() {
        return directory.bySite();
    }

    @Override
    public void close() {
        schedulers.forEach(LocalScheduler::close);
        catalog.close();
    }
}
