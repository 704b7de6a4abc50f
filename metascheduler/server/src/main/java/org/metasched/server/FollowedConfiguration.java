package org.metasched.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.policy.PolicedScheduler;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.durable.ReloadedFile;
import org.metasched.server.Configuration.Security;

/**
 * Follows the configuration file of a running server or adapter. Roles, rules, quotas and policies of sites take effect when they change,
 * all of them or none. Other changes, and those of files that are read at the start, are reported until a restart.
 */
public final class FollowedConfiguration {

    private static final Set<String> FOLLOWED =
            Set.of(("security.roles security.vos security.rules security.quotas serve.security.roles serve.security.vos"
                            + " serve.security.rules serve.security.quotas sites.policy.rules sites.policy.vos"
                            + " sites.policy.zone policy.rules policy.vos policy.zone")
                    .split(" "));

    private final List<ReloadedFile<?>> files = new ArrayList<>();

    private FollowedConfiguration(
            Path file,
            Function<YamlSettings, Security> security,
            ListenerIdentity identity,
            Function<SiteId, Optional<LocalScheduler>> sites) {
        var followed = ReloadedFile.inPart(
                file,
                path -> {
                    var read = YamlSettings.read(path);
                    var access = security.apply(read);
                    policies(read, sites).forEach(Runnable::run);
                    identity.use(access);
                    return read;
                },
                read -> read.without(FOLLOWED));
        files.add(followed);
        untilRestart(followed.get().path("adapters"));
        untilRestart(followed.get().section("database").flatMap(database -> database.path("password-file")));
        for (var site : entries(followed.get())) {
            untilRestart(site.section("scheduler")
                    .flatMap(section -> section.path("workload"))
                    .filter(trace -> !Set.of("none", "synthetic").contains(trace.toString())));
        }
        identity.follow(this);
    }

    static void ofServer(Path file, ListenerIdentity identity, ConfiguredSites sites) {
        new FollowedConfiguration(
                file, read -> ConfigurationFile.from(read).listener().security(), identity, sites::find);
    }

    /** @param address at which the adapter listens */
    public static void ofAdapter(Path file, InetSocketAddress address, ListenerIdentity identity, LocalScheduler site) {
        new FollowedConfiguration(
                file,
                read -> {
                    SiteConfiguration.from(read);
                    return SecuritySettings.ofAdapter(read.section("serve"), address);
                },
                identity,
                name -> Optional.of(site));
    }

    /** Steps that put the policies of the sites, read and checked, into force. */
    private static List<Runnable> policies(YamlSettings file, Function<SiteId, Optional<LocalScheduler>> sites) {
        var steps = new ArrayList<Runnable>();
        for (var entry : entries(file)) {
            if (sites.apply(new SiteId(entry.requiredText("site"))).orElse(null) instanceof PolicedScheduler policed) {
                entry.section("policy").map(policed::prepare).ifPresent(steps::add);
            }
        }
        return steps;
    }

    /** Sites of a server, or the one of an adapter. */
    private static List<Settings> entries(YamlSettings file) {
        return file.keys().contains("sites") ? file.sections("sites") : List.of(file);
    }

    private void untilRestart(Optional<Path> file) {
        file.ifPresent(path -> files.add(ReloadedFile.untilRestart(path)));
    }
}
