package org.metasched.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.TemplateKey;
import org.metasched.choice.Preference;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.StageTiming;
import org.metasched.negotiation.TemporalConstraint;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes offers for the co-allocation template: for each part a resource term, and for each stage a time term. */
public final class OfferWriter {

    /** The service that the parts of an offer without stages describe, as the template names it. */
    public static final String SERVICE = "META-JOB";

    private OfferWriter() {}

    /**
     * Content of an offer.
     *
     * @param agreementId the initiator's own name for the agreement: repeating an offer with it makes no second one
     * @param initiator subject of the initiator, as text; empty if unknown
     * @param stages stages in their order
     * @param earliest earliest start; empty for as soon as possible
     * @param deadline time by which every part has ended
     * @param preference order of several sites and times
     */
    public record OfferContent(
            String agreementId,
            String initiator,
            List<Stage> stages,
            Optional<Instant> earliest,
            Optional<Instant> deadline,
            Preference preference) {

        /** All parts in one slot, at the earliest start. */
        public OfferContent(
                String agreementId,
                String initiator,
                List<Part> parts,
                Duration duration,
                Optional<Instant> earliest,
                Optional<Instant> deadline) {
            this(
                    agreementId,
                    initiator,
                    List.of(new Stage(SERVICE, parts, duration, List.of())),
                    earliest,
                    deadline,
                    Preference.START);
        }

        public OfferContent {
            stages = List.copyOf(stages);
        }
    }

    /**
     * Parts that begin together.
     *
     * @param name name of the service that they describe
     * @param after least and longest lags after starts or ends of other stages
     */
    public record Stage(String name, List<Part> parts, Duration duration, List<TemporalConstraint> after) {

        /** All parts of an offer. */
        public Stage(List<Part> parts, Duration duration) {
            this(SERVICE, parts, duration, List.of());
        }

        public Stage {
            parts = List.copyOf(parts);
            after = List.copyOf(after);
            ResourceRequest.checkDuration(duration);
        }
    }

    /**
     * The request of one resource term.
     *
     * @param site name of the site; empty for one that satisfies the constraint
     * @param constraint ClassAd expression that the site must satisfy; only without a site
     * @param rank ClassAd expression that is higher for a better site; only without a site
     * @param split bounds of the pieces in which several sites may serve it; only without a site
     */
    public record Part(
            Optional<String> site,
            Optional<String> constraint,
            Optional<String> rank,
            Need need,
            Optional<SplitRequest> split) {

        /** A part at one site. */
        public Part(Optional<String> site, Optional<String> constraint, Need need) {
            this(site, constraint, Optional.empty(), need, Optional.empty());
        }
    }

    /** A request as an offer of its own; empty if it has a program, or parts of one stage that differ in length. */
    public static Optional<OfferContent> content(String agreementId, String initiator, AgreementRequest request) {
        var stages = new LinkedHashMap<String, List<RequestedPart>>();
        request.parts()
                .forEach(part -> stages.computeIfAbsent(part.service(), name -> new ArrayList<>())
                        .add(part));
        boolean fits = request.parts().stream().allMatch(part -> part.program().isEmpty())
                && stages.values().stream()
                        .allMatch(parts -> parts.stream()
                                        .map(part -> part.request().duration())
                                        .distinct()
                                        .count()
                                == 1);
        if (!fits) {
            return Optional.empty();
        }
        var offered = new ArrayList<Stage>();
        stages.forEach((name, parts) -> offered.add(new Stage(
                name,
                parts.stream().map(OfferWriter::part).toList(),
                parts.get(0).request().duration(),
                request.lags().stream().filter(lag -> lag.to().equals(name)).toList())));
        return Optional.of(new OfferContent(
                agreementId, initiator, offered, request.earliest(), request.deadline(), request.preference()));
    }

    private static Part part(RequestedPart part) {
        var site = part.site().map(SiteId::value);
        return new Part(
                site,
                site.isPresent() ? Optional.empty() : part.requirements().or(() -> Optional.of("true")),
                part.rank(),
                part.request().need(),
                part.split());
    }

    /** The offer, in the form of the co-allocation template. */
    public static Document write(TemplateKey template, OfferContent content) {
        var document = XmlTrees.newDocument();
        var offer = XmlTrees.add(document, XmlNames.WSAG, "AgreementOffer");
        offer.setAttributeNS(XmlNames.WSAG, "wsag:AgreementId", content.agreementId());
        XmlTrees.add(offer, XmlNames.WSAG, "Name", template.name());
        var context = XmlTrees.add(offer, XmlNames.WSAG, "Context");
        if (!content.initiator().isEmpty()) {
            XmlTrees.add(context, XmlNames.WSAG, "AgreementInitiator", content.initiator());
        }
        XmlTrees.add(context, XmlNames.WSAG, "ServiceProvider", "AgreementResponder");
        XmlTrees.add(context, XmlNames.WSAG, "TemplateId", template.id());
        XmlTrees.add(context, XmlNames.WSAG, "TemplateName", template.name());
        var all = XmlTrees.add(XmlTrees.add(offer, XmlNames.WSAG, "Terms"), XmlNames.WSAG, "All");
        int number = 0;
        for (var stage : content.stages()) {
            for (var part : stage.parts()) {
                resources(term(all, "RESOURCE_" + ++number, stage), part, stage, content.preference());
            }
        }
        for (var stage : content.stages()) {
            String name = content.stages().size() == 1 ? "TIME_CONSTRAINT" : "TIME_" + stage.name();
            time(term(all, name, stage), stage.duration(), content);
        }
        return document;
    }

    /**
     * Adds a program to every term of an offer that asks for nodes.
     *
     * @param command an executable and its arguments
     * @param perNode processes on each node
     * @param together longest wait of the processes until all run; empty if they do not wait
     */
    public static void run(Document offer, List<String> command, int perNode, Optional<Duration> together) {
        XmlTrees.descendants(offer.getDocumentElement(), XmlNames.JSDL, "JobDescription")
                // JSDL counts nodes as xs:double, so 16 may be written as 16.0.
                .forEach(description -> XmlTrees.child(description, XmlNames.JSDL, "Resources")
                        .flatMap(resources -> XmlTrees.childText(resources, XmlNames.JSDL, "TotalResourceCount"))
                        .ifPresent(nodes ->
                                program(description, command, perNode, (int) Double.parseDouble(nodes), together)));
    }

    /** Says in an offer what is done when it loses nodes before its slot begins. */
    public static void onDegraded(Document offer, OnDegraded policy) {
        XmlTrees.child(offer.getDocumentElement(), XmlNames.WSAG, "Context")
                .ifPresent(context -> XmlTrees.add(context, XmlNames.METASCHED, "Degraded", policy.word()));
    }

    /**
     * Says what an offer is called and for whom it is, beside its initiator.
     *
     * @param label name for people
     * @param users subjects of others who may use the reservations
     * @param project the account that is charged at the sites
     */
    public static void share(Document offer, Optional<String> label, List<String> users, Optional<String> project) {
        var root = offer.getDocumentElement();
        label.ifPresent(
                text -> XmlTrees.child(root, XmlNames.WSAG, "Name").ifPresent(name -> name.setTextContent(text)));
        XmlTrees.child(root, XmlNames.WSAG, "Context").ifPresent(context -> {
            users.forEach(user -> XmlTrees.add(context, XmlNames.METASCHED, "User", user));
            project.ifPresent(account -> XmlTrees.add(context, XmlNames.METASCHED, "Project", account));
        });
    }

    private static void program(
            Element description, List<String> command, int perNode, int nodes, Optional<Duration> together) {
        var application = XmlTrees.child(description, XmlNames.JSDL, "Application")
                .orElseGet(() -> XmlTrees.add(description, XmlNames.JSDL, "Application"));
        description.insertBefore(application, description.getFirstChild());
        var spmd = XmlTrees.add(application, XmlNames.JSDL_SPMD, "SPMDApplication");
        XmlTrees.add(spmd, XmlNames.JSDL_POSIX, "Executable", command.get(0));
        command.stream().skip(1).forEach(word -> XmlTrees.add(spmd, XmlNames.JSDL_POSIX, "Argument", word));
        XmlTrees.add(spmd, XmlNames.JSDL_SPMD, "NumberOfProcesses", Long.toString((long) nodes * perNode));
        XmlTrees.add(spmd, XmlNames.JSDL_SPMD, "ProcessesPerHost", Integer.toString(perNode));
        together.ifPresent(span ->
                XmlTrees.add(application, XmlNames.METASCHED, "Together", Long.toString(StageTiming.roundedUp(span))));
    }

    private static void resources(Element term, Part part, Stage stage, Preference preference) {
        var duration = stage.duration();
        var description =
                XmlTrees.add(XmlTrees.add(term, XmlNames.JSDL, "JobDefinition"), XmlNames.JSDL, "JobDescription");
        if (!isWholeMinutes(duration)) {
            // The time constraint counts in minutes; the wall time limit of the application counts in seconds.
            var posix = XmlTrees.add(
                    XmlTrees.add(description, XmlNames.JSDL, "Application"), XmlNames.JSDL_POSIX, "POSIXApplication");
            XmlTrees.add(posix, XmlNames.JSDL_POSIX, "WallTimeLimit", Long.toString(StageTiming.roundedUp(duration)));
        }
        var resources = XmlTrees.add(description, XmlNames.JSDL, "Resources");
        part.site()
                .ifPresent(s -> XmlTrees.add(
                        XmlTrees.add(resources, XmlNames.JSDL, "CandidateHosts"), XmlNames.JSDL, "HostName", s));
        var unused = part.need()
                .fold(
                        nodes -> nodes(resources, nodes),
                        bandwidth -> exact(
                                resources, "IndividualNetworkBandwidth", bandwidth.megabitsPerSecond() * 1_000_000L),
                        licences -> licences(resources, licences));
        part.constraint().ifPresent(c -> XmlTrees.add(resources, XmlNames.METASCHED, "Constraint", c));
        part.rank().ifPresent(rank -> XmlTrees.add(resources, XmlNames.METASCHED, "Rank", rank));
        part.split().ifPresent(split -> {
            var element = XmlTrees.add(resources, XmlNames.METASCHED, "Split");
            element.setAttribute("leastPiece", Integer.toString(split.leastPiece()));
            element.setAttribute("mostPieces", Integer.toString(split.mostPieces()));
            element.setAttribute("multipleOf", Integer.toString(split.multipleOf()));
            if (split.overhead() > 0) {
                element.setAttribute("overhead", Integer.toString(split.overhead()));
            }
        });
        if (part.constraint().isPresent() && preference != Preference.START) {
            XmlTrees.add(resources, XmlNames.METASCHED, "Preference", preference.word());
        }
        for (var lag : stage.after()) {
            var element = XmlTrees.add(resources, XmlNames.METASCHED, "After");
            element.setAttribute("service", lag.from());
            element.setAttribute("from", lag.afterEnd() ? "end" : "start");
            element.setAttribute("lag", lag.least().toString());
            lag.most().ifPresent(most -> element.setAttribute("within", most.toString()));
        }
    }

    private static Element nodes(Element resources, Need.Nodes nodes) {
        if (nodes.coresPerNode() > 1) {
            exact(resources, "IndividualCPUCount", nodes.coresPerNode());
        }
        exact(resources, "TotalResourceCount", nodes.count());
        nodes.properties().forEach(p -> XmlTrees.add(resources, XmlNames.METASCHED, "NodeProperty", p));
        return resources;
    }

    private static Element licences(Element resources, Need.Licences licences) {
        var element = XmlTrees.add(resources, XmlNames.METASCHED, "Licences");
        element.setAttribute("feature", licences.feature());
        element.setAttribute("count", Integer.toString(licences.count()));
        return resources;
    }

    private static Element exact(Element resources, String name, long value) {
        XmlTrees.add(XmlTrees.add(resources, XmlNames.JSDL, name), XmlNames.JSDL, "Exact", Long.toString(value));
        return resources;
    }

    private static void time(Element term, Duration duration, OfferContent content) {
        var constraint = XmlTrees.add(term, XmlNames.SCHEDULING, "TimeConstraint");
        content.earliest().ifPresent(t -> XmlTrees.add(constraint, XmlNames.SCHEDULING, "StartTime", t.toString()));
        content.deadline().ifPresent(t -> XmlTrees.add(constraint, XmlNames.SCHEDULING, "EndTime", t.toString()));
        if (isWholeMinutes(duration)) {
            XmlTrees.add(constraint, XmlNames.SCHEDULING, "Duration", Long.toString(duration.toMinutes()));
        }
    }

    private static Element term(Element all, String name, Stage stage) {
        var term = XmlTrees.add(all, XmlNames.WSAG, "ServiceDescriptionTerm");
        term.setAttributeNS(XmlNames.WSAG, "wsag:Name", name);
        term.setAttributeNS(XmlNames.WSAG, "wsag:ServiceName", stage.name());
        return term;
    }

    private static boolean isWholeMinutes(Duration duration) {
        return duration.toNanos() % Duration.ofMinutes(1).toNanos() == 0;
    }
}
