package org.metasched.cli.publish;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.classad.Literal;
import org.metasched.classad.Syntax;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.output.Readiness;
import org.metasched.cli.server.CallerOptions;
import org.metasched.cli.server.ServerAddress;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.leases.FileLeases;
import org.metasched.publisher.AdSink;
import org.metasched.publisher.CollectorSink;
import org.metasched.publisher.CondorAdvertiseSink;
import org.metasched.publisher.FileSink;
import org.metasched.publisher.PublishLoop;
import org.metasched.publisher.PublishSchedule;
import org.metasched.publisher.SequenceNumbers;
import org.metasched.publisher.SiteAdTemplate;
import org.metasched.publisher.UnleasedDags;
import org.metasched.server.ClientSettings;
import org.metasched.soap.collector.RemoteCollector;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Advertises a site, once or for as long as it runs. */
@Command(name = "publish", description = "Advertises a site: what publish: says in its site.yaml, and its load.")
public final class PublishCommand extends PrintingCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Option(names = "--site-config", required = true, paramLabel = "FILE", description = "A site.yaml with publish:.")
    private Path siteConfig = Path.of("site.yaml");

    @Option(names = "--once", description = "Send one ad and end, without signing off.")
    private boolean once;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Remembers the sequence number and the matches; .metasched in the home directory if not given.")
    private Path state = Path.of(System.getProperty("user.home"), ".metasched");

    @ArgGroup
    private @Nullable Target target;

    @Mixin
    private CallerOptions identity = new CallerOptions();

    /** Destination of the ads. */
    static final class Target {
        @Option(names = "--server", paramLabel = "URL", description = "To a metasched server.")
        private @Nullable URI server;

        @Option(names = "--file", paramLabel = "OUT", description = "Into a file, the newest one only.")
        private @Nullable Path file;

        @Option(names = "--condor-advertise", description = "To a Condor pool, with condor_advertise.")
        private boolean condor;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        YamlSettings settings = YamlSettings.read(siteConfig);
        var configuration = SiteConfiguration.from(settings);
        var publish = settings.section("publish")
                .orElseThrow(() -> new InvalidSettingException(
                        settings.where() + ": the mapping publish: is missing here; it says what the site's ad says"));
        String site = configuration.site().value();
        var template = SiteAdTemplate.from(publish, site, SiteAdTemplate.ROOM_FOR_DAGS)
                .with("Site", Literal.of(site))
                .with(FileLeases.SOURCE, Literal.of(FileLeases.whereOf(state.resolve("matches"))));
        Files.createDirectories(state);
        try (var catalog = AdapterCatalog.open(AdapterCatalog.folderIn(settings));
                LocalScheduler scheduler = configuration.open(catalog, Clock.systemUTC())) {
            var ledger = new FileLeases(state.resolve("matches"), Clock.systemUTC(), new BindingEvidence());
            Optional<UnleasedDags> dags = UnleasedDags.from(publish, runner(configuration), template, ledger);
            var loop = loop(template, scheduler, ledger, dags, sink(settings, configuration));
            return once ? sendOnce(loop) : keepSending(loop);
        }
    }

    private static CommandRunner runner(SiteConfiguration configuration) {
        return new CommandRunner(
                configuration.site(), RunSettings.from(configuration.scheduler().section("run")));
    }

    private PublishLoop loop(
            SiteAdTemplate template,
            LocalScheduler scheduler,
            FileLeases ledger,
            Optional<UnleasedDags> dags,
            AdSink sink)
            throws IOException {
        Path numbers = state.resolve("sequence-" + scheduler.site());
        return new PublishLoop(
                template,
                scheduler,
                () -> ledger.count(template.name()),
                dags,
                once
                        ? SequenceNumbers.oneByOne(numbers, Clock.systemUTC())
                        : new SequenceNumbers(numbers, Clock.systemUTC()),
                sink,
                Clock.systemUTC());
    }

    private int sendOnce(PublishLoop loop) {
        PublishLoop.Turn turn = loop.once();
        if (turn.end() != PublishLoop.End.SENT) {
            throw ExitCodeException.outside(turn.reason());
        }
        output.out()
                .print(turn.ad().print(output.json() ? Syntax.JSON : Syntax.OLD).stripTrailing() + "\n");
        output.out().flush();
        return 0;
    }

    private int keepSending(PublishLoop loop) throws InterruptedException {
        try (var schedule = new PublishSchedule(RandomGenerator.getDefault())) {
            var stopped = Readiness.atEnd(loop::signOff);
            schedule.add(loop);
            output.say("Advertising " + loop.template().name() + " every "
                    + loop.template().every() + ".");
            Readiness.announce(output);
            stopped.await();
        }
        return 0;
    }

    private AdSink sink(YamlSettings settings, SiteConfiguration configuration) {
        if (target != null && target.file != null) {
            return new FileSink(target.file);
        }
        if (target != null && target.condor) {
            return new CondorAdvertiseSink(runner(configuration), List.of("condor_advertise"));
        }
        URI server = Optional.ofNullable(target).map(chosen -> chosen.server).orElseGet(ServerAddress::defaultAddress);
        var caller = ClientSettings.read(settings)
                .flatMap(checked -> settings.section("client"))
                .map(identity::caller)
                .orElseGet(identity::caller);
        return new CollectorSink(RemoteCollector.at(server, TIMEOUT, caller));
    }
}
