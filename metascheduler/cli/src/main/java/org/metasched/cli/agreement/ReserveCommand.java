package org.metasched.cli.agreement;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OnDegraded;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.AskingCommand;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.TemplateOffer;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes an offer and prints the agreement that comes of it. */
@Command(name = "reserve", description = "Reserves several sites for one slot, and prints the agreement.")
public final class ReserveCommand extends AskingCommand implements Callable<Integer> {

    /** Elements in the context of every offer. */
    private static final Set<String> USUAL = Set.of("ServiceProvider", "TemplateId", "TemplateName");

    @Mixin
    private WantedOptions wanted = new WantedOptions();

    @Mixin
    private ProgramOptions program = new ProgramOptions();

    @Option(
            names = "--offer",
            paramLabel = "FILE",
            description = "An AgreementOffer in XML, instead of --site, --need, --workflow and --duration.")
    private @Nullable Path offer;

    @Option(
            names = "--template",
            paramLabel = "NAME",
            description = "A template of the server, instead of --site and --need; see 'metasched templates'.")
    private @Nullable String template;

    @Option(names = "--dry-run", description = "Show the best plans, and hold nothing; exit code 1 when there is none.")
    private boolean dryRun;

    @Option(
            names = "--plans",
            paramLabel = "K",
            description = "How many plans --dry-run shows, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int plans = 3;

    @Option(names = "--explain", description = "If refused, print similar requests that would be granted, as commands.")
    private boolean explain;

    @Option(names = "--pending", description = "Do not wait for the decision.")
    private boolean pending;

    @Option(
            names = "--if-degraded",
            paramLabel = "tell|end|replace|renegotiate",
            description =
                    "When nodes are lost before the slot: show it, end the agreement, replace the reservation, or else renegotiate all (default: the server's).")
    private @Nullable OnDegraded ifDegraded;

    @Option(names = "--label", paramLabel = "TEXT", description = "A name for lists and for metasched agreement.")
    private @Nullable String label;

    @Option(
            names = "--user",
            paramLabel = "SUBJECT",
            description = "Who else may use the reservations, such as CN=Bob,O=Grid; repeat it for more.")
    private List<String> users = List.of();

    @Option(names = "--project", paramLabel = "ACCOUNT", description = "The account at the sites that is charged.")
    private @Nullable String project;

    @Override
    public Integer call() throws InterruptedException {
        boolean hasProgram = program.isGiven();
        AgreementCalls.Call<Document> writing = template != null
                ? fromTemplate(template)
                : offer == null ? written(wanted.content(output)) : fromFile(offer);
        Document document = AgreementCalls.on(server, writing);
        var advice = advising(document);
        if (hasProgram) {
            ExitCodeException.badInputIf(
                    offer != null, "--offer says its programs itself; leave (%s) out.", program.name());
            program.writeInto(document);
        }
        if (ifDegraded != null) {
            OfferWriter.onDegraded(document, ifDegraded);
        }
        OfferWriter.share(document, Optional.ofNullable(label), users, Optional.ofNullable(project));
        if (dryRun) {
            return advice.dryRun(document, plans, explain);
        }
        try {
            var agreement = AgreementCalls.on(
                    server, client -> pending ? client.createPending(document) : client.create(document));
            AgreementPrinting.print(output, agreement);
            return 0;
        } catch (ExitCodeException refusal) {
            if (explain && refusal.exitCode() == ExitCodeException.NO) {
                return advice.explain(document, refusal);
            }
            throw refusal;
        }
    }

    /** The printer of advice about an offer to which the options here add nothing yet, with those that its commands repeat. */
    private OfferAdvicePrinter advising(Document document) {
        var common = server.arguments();
        var given = new LinkedHashMap<String, String>();
        given.put("--initiator", wanted.initiator());
        given.put("--if-degraded", ifDegraded == null ? "" : ifDegraded.word());
        given.put("--label", Objects.requireNonNullElse(label, ""));
        given.put("--project", Objects.requireNonNullElse(project, ""));
        given.values().removeIf(String::isEmpty);
        given.forEach((option, value) -> common.addAll(List.of(option, value)));
        users.forEach(user -> common.addAll(List.of("--user", user)));
        // The program is last, as all words after it are its own.
        if (program.isGiven()) {
            common.addAll(program.arguments());
        }
        boolean repeats = offer == null && template == null || saysNoMoreThanOptions(document);
        return new OfferAdvicePrinter(
                output, server, repeats ? Optional.of(common) : Optional.empty(), wanted.workflow());
    }

    /** Whether the offer of a file or template has no program, no guarantee, and nothing of its own in its context. */
    private boolean saysNoMoreThanOptions(Document document) {
        var root = document.getDocumentElement();
        return root.getElementsByTagNameNS("*", "Executable").getLength() == 0
                && root.getElementsByTagNameNS("*", "GuaranteeTerm").getLength() == 0
                && XmlTrees.child(root, XmlNames.WSAG, "Context").stream()
                        .flatMap(context -> XmlTrees.children(context).stream())
                        .map(Element::getLocalName)
                        .allMatch(name -> USUAL.contains(name)
                                || name.equals("AgreementInitiator")
                                        && !wanted.initiator().isEmpty());
    }

    private AgreementCalls.Call<Document> fromTemplate(String name) {
        ExitCodeException.badInputIf(offer != null, "--template and --offer exclude each other.");
        var times = wanted.timesOfTemplate(output);
        return client -> {
            var all = client.templates();
            var chosen = all.stream()
                    .filter(t -> AgreementClient.keyOf(t).name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> ExitCodeException.badInput("--template (" + name + ") must be one of "
                            + all.stream()
                                    .map(t -> AgreementClient.keyOf(t).name())
                                    .toList() + "."));
            return TemplateOffer.of(chosen, wanted.id(), wanted.initiator(), times);
        };
    }

    private static AgreementCalls.Call<Document> written(OfferContent content) {
        return client -> OfferWriter.write(AgreementClient.keyOf(template(client)), content);
    }

    private static OfferDocument template(AgreementClient client) throws AgreementFaultException, IOException {
        return client.templates().stream()
                .findFirst()
                .orElseThrow(() -> ExitCodeException.outside("The server has no template on offer."));
    }

    private AgreementCalls.Call<Document> fromFile(Path file) {
        ExitCodeException.badInputIf(
                wanted.isGiven(), "--offer says everything itself; leave the options of a request and its times out.");
        try {
            if (Files.size(file) > OfferDocument.LONGEST) {
                throw ExitCodeException.badInput(
                        file + ": the offer must not be longer than " + OfferDocument.LONGEST + " bytes.");
            }
            var document = AgreementClient.offer(file.toString(), Files.readString(file));
            return client -> document;
        } catch (MalformedInputException e) {
            throw ExitCodeException.badInput(file + ": the file is not text in UTF-8.");
        } catch (IOException e) {
            throw ExitCodeException.badInput(file + ": the file cannot be read: " + ErrorMessages.of(e));
        }
    }
}
