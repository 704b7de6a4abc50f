package org.metasched.cli.agreement;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OnDegraded;
import org.metasched.choice.Preference;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.ServerOption;
import org.metasched.cli.time.Moment;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.Stage;
import org.metasched.client.OfferWriter.Wish;
import org.w3c.dom.Document;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes an offer and prints the agreement that comes of it. */
@Command(
        name = "reserve",
        mixinStandardHelpOptions = true,
        description = "Reserves several sites for one slot: offers an agreement to a server and prints it.")
public final class ReserveCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(
            names = "--site",
            completionCandidates = Completions.Sites.class,
            paramLabel = "NAME:nodes=N[,cores=C]",
            description = "One site and what is wanted there; repeat it for more sites. Also ,properties=P+Q, or"
                    + " bandwidth=MBITS, or licences=N,feature=F.")
    private List<String> sites = List.of();

    @Option(
            names = "--need",
            paramLabel = "KIND:WHAT[,Requirements=EXPR]",
            description = "What is wanted, wherever it is: cpu:nodes=N[,sites=K] for K sites of N nodes each,"
                    + " cpu:total=N[,min-part=M][,max-parts=K][,multiple=M][,overhead=PERCENT] for N nodes however"
                    + " they are split, for so much longer if over several sites,"
                    + " licence:feature=F,count=N or network:bandwidth=MBITS. The server chooses sites whose ads"
                    + " satisfy the ClassAd expression, which ends the option; part0, part1 ... in it are the"
                    + " sites of the needs before.")
    private List<String> needs = List.of();

    @Option(names = "--duration", paramLabel = "SPAN", description = "How long: 90m, 2h30m, 1d, or PT1H in ISO-8601.")
    private @Nullable Duration duration;

    @Option(
            names = "--earliest",
            paramLabel = "TIME",
            description =
                    "Not before: +2h, 18:00, 'tomorrow 18:00', 'monday 8:00 Europe/Berlin', 2030-01-05T16:00:00Z.")
    private @Nullable Moment earliest;

    @Option(names = "--deadline", paramLabel = "TIME", description = "Ended by then.")
    private @Nullable Moment deadline;

    @Option(
            names = "--prefer",
            paramLabel = "start|rank|cost",
            description =
                    "What decides between several sites and times for a --need: the earliest start (the default), the"
                            + " highest rank, or the lowest Cost of the ads.")
    private String prefer = "start";

    @Option(
            names = "--workflow",
            paramLabel = "FILE",
            description =
                    "Stages that wait for each other, in YAML, instead of --site, --need and --duration: each stage"
                            + " has a name, a duration, a need or a site as above, and after which other stages it"
                            + " begins.")
    private @Nullable Path workflow;

    @Option(
            names = "--offer",
            paramLabel = "FILE",
            description = "An AgreementOffer in XML, instead of the options above.")
    private @Nullable Path offer;

    @Option(names = "--dry-run", description = "Show the best plans, and hold nothing; exit code 1 when there is none.")
    private boolean dryRun;

    @Option(
            names = "--plans",
            paramLabel = "K",
            defaultValue = "3",
            description = "How many plans --dry-run shows, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int plans;

    @Option(
            names = "--explain",
            description =
                    "When the answer is no, look for the nearest requests that would be granted: each as a command.")
    private boolean explain;

    @Option(names = "--pending", description = "Do not wait for the decision.")
    private boolean pending;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Your name for the agreement: repeating the command with it makes no second one.")
    private @Nullable String id;

    @Option(names = "--initiator", paramLabel = "SUBJECT", description = "On whose behalf, such as CN=Alice,O=Grid.")
    private String initiator = "";

    @Option(
            names = "--per-node",
            paramLabel = "K",
            defaultValue = "1",
            description = "Processes of PROGRAM on each node (default: ${DEFAULT-VALUE}).")
    private int perNode;

    @Option(
            names = "--together",
            paramLabel = "SPAN",
            description = "Processes wait so long until all sites run theirs, and give up otherwise.")
    private @Nullable Duration together;

    @Option(
            names = "--if-degraded",
            paramLabel = "tell|end|replace|renegotiate",
            description = "What is done when nodes are lost before the slot begins (default: as the server is set up).")
    private @Nullable OnDegraded ifDegraded;

    @Parameters(
            arity = "0..*",
            paramLabel = "PROGRAM [ARGUMENT...]",
            description =
                    "A program to run on the nodes of every site, when the slot begins; all that follows it is its"
                            + " own. 'agreement ID' tells its exit code, job id and output. Without one, nodes are only reserved.")
    private List<String> program = List.of();

    /** What follows a program is the program's, as with other commands that run one. */
    @Spec
    void spec(CommandSpec spec) {
        spec.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws InterruptedException {
        AgreementCalls.Call<Document> writing = offer == null ? written(wish()) : given(fromFile(offer));
        Document document = AgreementCalls.on(server, writing);
        if (!program.isEmpty()) {
            run(document);
        }
        if (ifDegraded != null) {
            OfferWriter.onDegraded(document, ifDegraded);
        }
        if (dryRun) {
            return advising().dryRun(document, plans, explain);
        }
        try {
            var made = AgreementCalls.on(
                    server, client -> pending ? client.createPending(document) : client.create(document));
            AgreementPrinting.print(output, made);
            return 0;
        } catch (Failure refusal) {
            if (explain && refusal.exitCode() == Failure.NO) {
                return advising().explain(document, refusal);
            }
            throw refusal;
        }
    }

    private Advising advising() {
        var common = new ArrayList<>(List.of("--server", server.base().toString()));
        if (!initiator.isEmpty()) {
            common.addAll(List.of("--initiator", initiator));
        }
        if (!program.isEmpty()) {
            common.addAll(List.of("--per-node", String.valueOf(perNode)));
            Optional.ofNullable(together).ifPresent(span -> common.addAll(List.of("--together", span.toString())));
            common.addAll(program);
        }
        if (ifDegraded != null) {
            common.addAll(0, List.of("--if-degraded", ifDegraded.word()));
        }
        return new Advising(output, server, common, Optional.ofNullable(workflow));
    }

    private void run(Document document) {
        if (offer != null) {
            throw Failure.badInput("--offer says its programs itself; leave (" + program.get(0) + ") out.");
        } else if (perNode < 1) {
            throw Failure.badInput("--per-node (" + perNode + ") must be at least 1.");
        }
        OfferWriter.run(document, program, perNode, Optional.ofNullable(together));
    }

    private static AgreementCalls.Call<Document> given(Document document) {
        return client -> document;
    }

    private static AgreementCalls.Call<Document> written(Wish wish) {
        return client -> OfferWriter.write(AgreementClient.keyOf(template(client)), wish);
    }

    private static OfferDocument template(AgreementClient client) throws AgreementFaultException, IOException {
        return client.templates().stream()
                .findFirst()
                .orElseThrow(() -> Failure.world("The server has no template on offer."));
    }

    private Document fromFile(Path file) {
        if (saysParts() || workflow != null) {
            throw Failure.badInput(
                    "--offer says everything itself; leave --site, --need, --workflow and --duration out.");
        }
        try {
            if (Files.size(file) > OfferDocument.LONGEST) {
                throw Failure.badInput(
                        file + ": the offer must not be longer than " + OfferDocument.LONGEST + " bytes.");
            }
            return AgreementClient.offer(file.toString(), Files.readString(file));
        } catch (MalformedInputException e) {
            throw Failure.badInput(file + ": the file is not text in UTF-8.");
        } catch (IOException e) {
            throw Failure.badInput(file + ": the file cannot be read: " + e.getMessage());
        }
    }

    private boolean saysParts() {
        return !sites.isEmpty() || !needs.isEmpty() || duration != null;
    }

    private List<Stage> stages() {
        if (workflow != null) {
            if (saysParts()) {
                throw Failure.badInput(
                        "--workflow says what is needed and how long; leave --site, --need and --duration out.");
            }
            return WorkflowFile.read(workflow);
        }
        if ((sites.isEmpty() && needs.isEmpty()) || duration == null) {
            throw Failure.badInput("--site or --need, and --duration are needed, or --workflow, or --offer.");
        }
        var parts = Stream.concat(
                sites.stream().map(SitePart::read), needs.stream().flatMap(need -> NeedPart.read(need).stream()));
        return List.of(new Stage(parts.toList(), duration));
    }

    private Wish wish() {
        return new Wish(
                id == null ? "cli-" + UUID.randomUUID() : id,
                initiator,
                stages(),
                Optional.ofNullable(earliest).map(t -> instant("--earliest", t)),
                Optional.ofNullable(deadline).map(t -> instant("--deadline", t)),
                Preference.of(prefer)
                        .orElseThrow(() -> Failure.badInput("--prefer (" + prefer + ") must be start, rank or cost.")));
    }

    private Instant instant(String option, Moment moment) {
        if (!moment.exact()) {
            output.say(option + " " + moment.said());
        }
        return moment.instant();
    }
}
