package org.metasched.cli.agreement;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.choice.Preference;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.time.TimeArgument;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Stage;
import org.metasched.client.TemplateOffer;
import picocli.CommandLine.Option;

/** Mixin of the request: where, how much, how long and when, or the file that has it. */
final class WantedOptions {

    /** The default of {@code --prefer}. */
    private static final String DEFAULT = "start";

    @Option(
            names = "--site",
            completionCandidates = Completions.Sites.class,
            paramLabel = "NAME:nodes=N[,cores=C]",
            description = "One site and what is wanted there; repeat it for more sites. Also ,properties=P+Q, or"
                    + " bandwidth=MBITS, or licences=N,feature=F.")
    private List<String> sites = List.of();

    @Option(
            names = "--need",
            paramLabel = "KIND:WHAT[,Rank=EXPR][,Requirements=EXPR]",
            description = "What is wanted, wherever it is: cpu:nodes=N[,sites=K] for K sites of N nodes each,"
                    + " cpu:total=N[,min-part=M][,max-parts=K][,multiple=M][,overhead=PERCENT] for N nodes however"
                    + " they are split, PERCENT longer if over several sites,"
                    + " licence:feature=F,count=N or network:bandwidth=MBITS. The server chooses sites whose ads"
                    + " satisfy the ClassAd expression, which ends the option, and with --prefer rank those of the highest Rank; part0, part1 ... in it are the"
                    + " sites of the needs before.")
    private List<String> needs = List.of();

    @Option(names = "--duration", paramLabel = "SPAN", description = "How long: 90m, 2h30m, 1d, or PT1H in ISO-8601.")
    private @Nullable Duration duration;

    @Option(
            names = "--earliest",
            paramLabel = "TIME",
            description =
                    "Not before: +2h, 18:00, 'tomorrow 18:00', 'monday 8:00 Europe/Berlin', 2030-01-05T16:00:00Z.")
    private @Nullable TimeArgument earliest;

    @Option(names = "--deadline", paramLabel = "TIME", description = "Latest end of the slot, as in --earliest.")
    private @Nullable TimeArgument deadline;

    @Option(
            names = "--prefer",
            paramLabel = "start|rank|cost",
            description =
                    "What decides between several sites and times for a --need: the earliest start (the default), the"
                            + " highest rank, or the lowest Cost of the ads.")
    private String prefer = DEFAULT;

    @Option(
            names = "--workflow",
            paramLabel = "FILE",
            description =
                    "Stages that wait for each other, in YAML, instead of --site, --need and --duration: each stage"
                            + " has a name, a duration, a need or a site as above, and after which other stages it"
                            + " begins.")
    private @Nullable Path workflow;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Your name for the agreement: repeating the command with it makes no second one.")
    private @Nullable String id;

    @Option(names = "--initiator", paramLabel = "SUBJECT", description = "On whose behalf, such as CN=Alice,O=Grid.")
    private String initiator = "";

    Optional<Path> workflow() {
        return Optional.ofNullable(workflow);
    }

    String id() {
        return id == null ? "cli-" + UUID.randomUUID() : id;
    }

    String initiator() {
        return initiator;
    }

    /** Whether the options give parts or a duration, which a workflow or an offer has itself. */
    boolean saysParts() {
        return !sites.isEmpty() || !needs.isEmpty() || duration != null;
    }

    /** Whether any of these options is given that an offer from a file says itself. */
    boolean isGiven() {
        return saysParts()
                || workflow != null
                || earliest != null
                || deadline != null
                || id != null
                || !prefer.equals(DEFAULT)
                || !initiator.isEmpty();
    }

    private List<Stage> stages() {
        if (workflow != null) {
            ExitCodeException.badInputIf(
                    saysParts(),
                    "--workflow says what is needed and how long; leave --site, --need and --duration out.");
            return WorkflowFile.read(workflow);
        }
        if ((sites.isEmpty() && needs.isEmpty()) || duration == null) {
            throw ExitCodeException.badInput(
                    "--site or --need, and --duration are needed, or --workflow, --template or --offer.");
        }
        var parts = Stream.concat(
                sites.stream().map(SitePart::read), needs.stream().flatMap(need -> NeedPart.read(need).stream()));
        return List.of(new Stage(parts.toList(), duration));
    }

    /** @param output receiver of the full form of a time that was typed in part */
    OfferContent content(OutputOptions output) {
        return new OfferContent(
                id(),
                initiator,
                stages(),
                instant(output, "--earliest", earliest),
                instant(output, "--deadline", deadline),
                Preference.of(prefer)
                        .orElseThrow(() ->
                                ExitCodeException.badInput("--prefer (" + prefer + ") must be start, rank or cost.")));
    }

    /** The times of an offer from a template, which has all the rest. */
    TemplateOffer.Times timesOfTemplate(OutputOptions output) {
        ExitCodeException.badInputIf(
                !sites.isEmpty() || !needs.isEmpty() || workflow != null || !prefer.equals(DEFAULT),
                "--template says what is needed; leave --site, --need, --workflow and --prefer out.");
        return new TemplateOffer.Times(
                instant(output, "--earliest", earliest),
                instant(output, "--deadline", deadline),
                Optional.ofNullable(duration));
    }

    private static Optional<Instant> instant(OutputOptions output, String option, @Nullable TimeArgument moment) {
        if (moment != null && !moment.exact()) {
            output.say(option + " " + moment.explanation());
        }
        return Optional.ofNullable(moment).map(TimeArgument::instant);
    }
}
