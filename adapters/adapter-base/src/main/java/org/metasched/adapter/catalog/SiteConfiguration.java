package org.metasched.adapter.catalog;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.policy.PolicedScheduler;
import org.metasched.adapter.settings.LayeredSettings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.text.NearestKey;

/**
 * A {@code site.yaml}: the name of the site and its local scheduler. The settings that all adapters share may be given beside
 * {@code scheduler:} or under it; the latter take precedence. Its form is published as {@code docs/site.schema.json}.
 *
 * @param site name of the site
 * @param type name of the adapter, from {@code scheduler: type:}
 * @param scheduler the adapter's settings
 * @param policy the site's rules for every caller, if it has any
 */
public record SiteConfiguration(SiteId site, String type, Settings scheduler, Optional<Settings> policy) {

    /** Settings that may also be given beside {@code scheduler:}, but only if this type of scheduler has them; {@code run} always may. */
    private static final Set<String> SHARED = Set.of("look-ahead", "grid", "zone", "identity", "snapshot");

    private static final Set<String> KEYS = Stream.concat(
                    SHARED.stream(),
                    Stream.of(
                            "site", "scheduler", "run", "policy", "adapters", "serve", "client", "publish", "subject"))
            .collect(Collectors.toUnmodifiableSet());

    /** @throws org.metasched.adapter.InvalidSettingException when the file cannot be read or a setting cannot be used */
    public static SiteConfiguration read(Path file) {
        return from(YamlSettings.read(file));
    }

    public static SiteConfiguration from(YamlSettings file) {
        file.refuseIf(!file.sections("sites").isEmpty(), "sites", "this is the file of a server, not of one site");
        file.allowOnly(KEYS);
        var site = file.checked("site", () -> new SiteId(file.requiredText("site")));
        var scheduler = file.section("scheduler")
                .orElseThrow(() -> file.invalid("scheduler", "the mapping of the local scheduler is missing here"));
        String type = scheduler.requiredText("type");
        return new SiteConfiguration(site, type, new LayeredSettings(scheduler, file, SHARED), file.section("policy"));
    }

    /**
     * Makes the scheduler.
     *
     * @throws org.metasched.adapter.InvalidSettingException when no adapter has the type, or it refuses a setting
     */
    public LocalScheduler open(AdapterCatalog catalog, Clock clock) {
        LocalSchedulerFactory factory = catalog.find(type)
                .orElseThrow(() -> scheduler.invalid(
                        "type",
                        "there is no adapter (" + DisplayText.of(type) + "); there are " + catalog.types()
                                + NearestKey.hint(type, catalog.types())));
        LocalScheduler open = factory.open(site, scheduler, clock);
        return policy.map(rules -> PolicedScheduler.around(open, rules, clock)).orElse(open);
    }
}
