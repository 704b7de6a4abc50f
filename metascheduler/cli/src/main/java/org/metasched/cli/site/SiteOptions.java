package org.metasched.cli.site;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.cli.output.OutputOptions;
import picocli.CommandLine.Option;

/** Mixin of the commands that work on the scheduler of one site: its configuration. */
final class SiteOptions {

    @Option(names = "--config", required = true, paramLabel = "F.yaml", description = "The site's configuration.")
    private Path config;

    @Option(
            names = "--adapters",
            paramLabel = "FOLDER",
            description = "Where further adapters lie as jars (default: the setting 'adapters' of the configuration).")
    private @Nullable Path adapters;

    /** The scheduler and the classes it was made from; the scheduler is closed first. */
    record OpenSite(YamlSettings file, LocalScheduler scheduler, AdapterCatalog catalog) implements AutoCloseable {
        @Override
        public void close() {
            scheduler.close();
            catalog.close();
        }
    }

    Path config() {
        return config;
    }

    /** @throws org.metasched.adapter.InvalidSettingException with the place in the file */
    OpenSite open(OutputOptions output) {
        var file = YamlSettings.read(config);
        var folder = Optional.ofNullable(adapters).or(() -> AdapterCatalog.folderIn(file));
        var catalog = AdapterCatalog.open(folder);
        catalog.problems().forEach(output::say);
        try {
            return new OpenSite(file, SiteConfiguration.from(file).open(catalog, Clock.systemUTC()), catalog);
        } catch (RuntimeException e) {
            catalog.close();
            throw e;
        }
    }
}
