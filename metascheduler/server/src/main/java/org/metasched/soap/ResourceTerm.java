package org.metasched.soap;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.adapter.SiteId;
import org.metasched.choice.Preference;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.TemporalConstraint;
import org.w3c.dom.Element;

/**
 * A service description term that asks for resources: JSDL, with extensions of our own where JSDL has no element.
 *
 * @param name name of the term
 * @param service name of the service that it describes
 * @param hosts sites of which one is to serve it; empty when the term leaves the site open
 * @param constraint ClassAd expression that the site must satisfy; only where no host is named
 * @param rank ClassAd expression that is higher for a better site; only where no host is named
 * @param preference order of several sites and times, if the term sets it
 * @param need amount at that site, or at several sites if there is a split
 * @param split bounds of the pieces in which several sites may serve it; only where no host is named
 * @param wallTime fallback for a missing duration
 * @param program the program to run there, if the term has one
 * @param after lags of its service after other services
 */
record ResourceTerm(
        String name,
        String service,
        List<SiteId> hosts,
        Optional<String> constraint,
        Optional<String> rank,
        Optional<Preference> preference,
        Need need,
        Optional<SplitRequest> split,
        Optional<Duration> wallTime,
        Optional<Program> program,
        List<TemporalConstraint> after) {

    private static final Set<String> ROOTS = Set.of("JobDefinition", "JobDescription", "Resources");
    private static final Set<String> UNDERSTOOD =
            Set.of(("CandidateHosts ExclusiveExecution OperatingSystem IndividualCPUSpeed"
                            + " IndividualPhysicalMemory IndividualVirtualMemory IndividualDiskSpace CPUArchitecture"
                            + " IndividualCPUCount TotalCPUCount TotalResourceCount IndividualNetworkBandwidth")
                    .split(" "));
    private static final Set<String> UNDERSTOOD_OF_OURS =
            Set.of("Constraint", "Rank", "Preference", "NodeProperty", "Licences", "Split", "After");
    private static final int LONGEST_CONSTRAINT = 64 * 1024;
    private static final Duration LONGEST_WAIT = Duration.ofDays(3660);
    private static final int MOST_HOSTS = 16;

    static boolean describes(Element content) {
        return XmlNames.JSDL.equals(content.getNamespaceURI()) && ROOTS.contains(content.getLocalName());
    }

    /**
     * @param content content of a service description term
     * @throws InvalidOfferException when it asks for anything that no site promises: better no agreement than half of one
     */
    static ResourceTerm of(String name, String service, Element content) {
        try {
            return InvalidOfferException.checking(() -> new Reading(name, service, content).term());
        } catch (InvalidOfferException e) {
            throw new InvalidOfferException("Term " + name + ": " + e.getMessage());
        }
    }

    /** @throws InvalidOfferException when the text is no positive whole number */
    static int positive(String text) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            // refused below, in the same words as a number that is too small
        }
        throw new InvalidOfferException(
                "the number (" + DisplayText.of(text, 40) + ") must be a positive whole number.");
    }

    /** The state of reading one term. */
    private static final class Reading {

        private final String name;
        private final String service;
        private final Element resources;
        private final Optional<Element> application;
        private final Optional<Program> program;
        private final List<Program> instances = new ArrayList<>();

        Reading(String name, String service, Element content) {
            this.name = name;
            this.service = service;
            var description = description(content);
            refuseTwice(content);
            refuseTwice(description);
            this.application = XmlTrees.child(description, XmlNames.JSDL, "Application");
            if (XmlTrees.children(content).stream().anyMatch(ParameterSweeps::isSweep)) {
                ParameterSweeps.expand(
                        content, instance -> ApplicationReader.read(instance).ifPresent(instances::add));
                refuseSweepOfProcesses();
            }
            this.program = instances.stream().findFirst().or(() -> ApplicationReader.read(description));
            this.resources = description.getLocalName().equals("Resources")
                    ? description
                    : XmlTrees.child(description, XmlNames.JSDL, "Resources").orElseGet(this::resourcesOfProcesses);
        }

        private static Element description(Element content) {
            if (!content.getLocalName().equals("JobDefinition")) {
                return content;
            }
            XmlTrees.children(content).stream()
                    .filter(element ->
                            !XmlNames.JSDL.equals(element.getNamespaceURI()) && !ParameterSweeps.isSweep(element))
                    .findFirst()
                    .ifPresent(element -> {
                        throw new InvalidOfferException(
                                "it says " + element.getLocalName() + ", which no site here does.");
                    });
            return XmlTrees.child(content, XmlNames.JSDL, "JobDescription").orElse(content);
        }

        private void refuseSweepOfProcesses() {
            if (instances.isEmpty() || instances.get(0).processes() > 1) {
                throw new InvalidOfferException("it has a Sweep "
                        + (instances.isEmpty() ? "without a program." : "of a program of several processes."));
            }
        }

        /** The program of a need: as many instances of a sweep run on a node at once as it has cores here. */
        private Optional<Program> program(Need need) {
            int cores = need.asNodes().map(Need.Nodes::coresPerNode).orElse(1);
            return instances.isEmpty() ? program : Optional.of(Program.swept(instances, cores));
        }

        /** The resources of a program that names none: one node, or as many as its processes need, at any site. */
        private Element resourcesOfProcesses() {
            if (nodesOfProcesses().isEmpty() && program.isEmpty()) {
                throw new InvalidOfferException("it names neither resources (jsdl:Resources) nor a program.");
            }
            return XmlTrees.add(XmlTrees.newDocument(), XmlNames.JSDL, "Resources");
        }

        ResourceTerm term() {
            refuseWhatIsNotUnderstood();
            var hosts = hosts();
            var constraint = expression("Constraint", hosts);
            var rank = expression("Rank", hosts);
            var matched = SiteMatch.of(resources, hosts);
            if (matched.isPresent()) {
                hosts = List.of();
                constraint = Optional.of(constraint.map(c -> "(" + c + ") && ").orElse("") + matched.get());
            }
            var need = need();
            return new ResourceTerm(
                    name,
                    service,
                    hosts,
                    constraint,
                    rank,
                    preference(),
                    need,
                    split(),
                    wallTime(),
                    program(need),
                    after());
        }

        /** The expression of an element that chooses a site where no host is named. */
        private Optional<String> expression(String element, List<SiteId> hosts) {
            var expression =
                    XmlTrees.childText(resources, XmlNames.METASCHED, element).filter(text -> !text.isEmpty());
            if (expression.isPresent() && !hosts.isEmpty()) {
                throw new InvalidOfferException("it names both a host and a " + element + " that chooses one.");
            }
            if (expression.filter(text -> text.length() > LONGEST_CONSTRAINT).isPresent()) {
                throw new InvalidOfferException(
                        "its " + element + " is longer than " + LONGEST_CONSTRAINT + " characters.");
            }
            return expression;
        }

        private Optional<Preference> preference() {
            return XmlTrees.childText(resources, XmlNames.METASCHED, "Preference")
                    .map(word -> Preference.of(word)
                            .orElseThrow(() -> new InvalidOfferException(
                                    "its preference (" + DisplayText.of(word, 40) + ") must be start, rank or cost.")));
        }

        private Optional<SplitRequest> split() {
            return XmlTrees.child(resources, XmlNames.METASCHED, "Split")
                    .map(split -> new SplitRequest(
                            whole(split, "leastPiece", 1),
                            whole(split, "mostPieces", SplitRequest.USUAL_PIECES),
                            whole(split, "multipleOf", 1),
                            whole(split, "overhead", 0)));
        }

        private List<TemporalConstraint> after() {
            return XmlTrees.children(resources, XmlNames.METASCHED, "After")
                    .map(after -> new TemporalConstraint(
                            after.getAttribute("service"),
                            service,
                            !after.getAttribute("from").equals("start"),
                            lag(after, "lag").orElse(Duration.ZERO),
                            lag(after, "within")))
                    .toList();
        }

        private static Optional<Duration> lag(Element after, String attribute) {
            if (!after.hasAttribute(attribute)) {
                return Optional.empty();
            }
            String text = after.getAttribute(attribute).strip();
            try {
                var wait = Duration.parse(text);
                if (!wait.isNegative() && wait.compareTo(LONGEST_WAIT) <= 0) {
                    return Optional.of(wait);
                }
            } catch (DateTimeParseException e) {
                // refused below, in the same words as a wait that is too long
            }
            throw new InvalidOfferException("its " + attribute + " (" + DisplayText.of(text, 40)
                    + ") after another service must be a time from PT0S to " + LONGEST_WAIT + ".");
        }

        private static int whole(Element element, String attribute, int usual) {
            return element.hasAttribute(attribute)
                    ? positive(element.getAttribute(attribute).strip())
                    : usual;
        }

        /** Refuses a second element of one name, of which only the first would be read; several files may be staged. */
        private static void refuseTwice(Element parent) {
            var names = new HashSet<String>();
            for (var element : XmlTrees.children(parent)) {
                if (XmlNames.JSDL.equals(element.getNamespaceURI())
                        && !element.getLocalName().equals("DataStaging")
                        && !names.add(element.getLocalName())) {
                    throw new InvalidOfferException("it says " + element.getLocalName() + " twice.");
                }
            }
        }

        private void refuseWhatIsNotUnderstood() {
            refuseTwice(resources);
            for (var element : XmlTrees.children(resources)) {
                boolean isJsdl = XmlNames.JSDL.equals(element.getNamespaceURI());
                boolean isOurs = XmlNames.METASCHED.equals(element.getNamespaceURI());
                boolean isKnown = (isJsdl && UNDERSTOOD.contains(element.getLocalName()))
                        || (isOurs && UNDERSTOOD_OF_OURS.contains(element.getLocalName()));
                if (!isKnown) {
                    throw new InvalidOfferException("it asks for " + element.getLocalName()
                            + ", which no site here promises; understood are " + new TreeSet<>(UNDERSTOOD) + ".");
                }
            }
        }

        private List<SiteId> hosts() {
            var hosts = XmlTrees.child(resources, XmlNames.JSDL, "CandidateHosts").stream()
                    .flatMap(c -> XmlTrees.children(c, XmlNames.JSDL, "HostName"))
                    .map(h -> new SiteId(h.getTextContent().strip()))
                    .distinct()
                    .toList();
            if (hosts.size() > MOST_HOSTS) {
                throw new InvalidOfferException(
                        "it names " + hosts.size() + " candidate hosts; at most " + MOST_HOSTS + " are tried.");
            }
            return hosts;
        }

        private Need need() {
            var needs = new ArrayList<Need>();
            nodes().ifPresent(needs::add);
            RangeValue.in(resources, "IndividualNetworkBandwidth")
                    .ifPresent(r -> needs.add(new Need.Bandwidth(r.smallestMillions())));
            XmlTrees.children(resources, XmlNames.METASCHED, "Licences")
                    .forEach(l -> needs.add(new Need.Licences(
                            l.getAttribute("feature"),
                            positive(l.getAttribute("count").strip()))));
            if (needs.isEmpty() && XmlTrees.children(resources).isEmpty()) {
                return new Need.Nodes(1);
            }
            if (needs.size() != 1) {
                throw new InvalidOfferException(
                        needs.isEmpty()
                                ? "it does not say how much: TotalResourceCount is missing."
                                : "it asks for several kinds of resource; write one term for each.");
            }
            return needs.get(0);
        }

        private Optional<Need> nodes() {
            var perNode = RangeValue.in(resources, "IndividualCPUCount").map(RangeValue::smallestWhole);
            var total = RangeValue.in(resources, "TotalCPUCount").map(RangeValue::smallestWhole);
            var count = RangeValue.in(resources, "TotalResourceCount")
                    .map(RangeValue::smallestWhole)
                    .or(this::nodesOfProcesses);
            if (count.isEmpty() && total.isEmpty()) {
                return Optional.empty();
            }
            int nodes = count.orElseGet(() -> ceilDiv(total.orElseThrow(), perNode.orElse(1)));
            int cores =
                    perNode.orElseGet(() -> total.map(t -> ceilDiv(t, nodes)).orElse(1));
            if (total.isPresent() && (long) nodes * cores < total.get()) {
                throw new InvalidOfferException("its " + nodes + " nodes with " + cores
                        + " cores each have fewer than the " + total.get() + " cores that it asks for.");
            }
            return Optional.of(new Need.Nodes(nodes, cores, properties()));
        }

        private SortedSet<String> properties() {
            var properties = new TreeSet<String>();
            XmlTrees.children(resources, XmlNames.METASCHED, "NodeProperty")
                    .forEach(p -> properties.add(p.getTextContent().strip()));
            XmlTrees.child(resources, XmlNames.JSDL, "CPUArchitecture")
                    .flatMap(a -> XmlTrees.childText(a, XmlNames.JSDL, "CPUArchitectureName"))
                    .filter(a -> !a.equals("other"))
                    .ifPresent(properties::add);
            return properties;
        }

        /** The nodes that the processes of a parallel application need; empty unless it says how many processes it has. */
        private Optional<Integer> nodesOfProcesses() {
            var spmd = application.flatMap(a -> XmlTrees.child(a, XmlNames.JSDL_SPMD, "SPMDApplication"));
            var perHost = spmd.flatMap(s -> ApplicationReader.number(s, "ProcessesPerHost"));
            return spmd.flatMap(s -> ApplicationReader.number(s, "NumberOfProcesses"))
                    .map(processes -> ceilDiv(processes, perHost.orElse(1)));
        }

        /** {@code WallTimeLimit} of a POSIX or parallel application, in seconds. */
        private Optional<Duration> wallTime() {
            return application.stream()
                    .flatMap(a -> XmlTrees.children(a).stream())
                    .flatMap(p -> XmlTrees.childText(p, XmlNames.JSDL_POSIX, "WallTimeLimit").stream())
                    .findFirst()
                    .map(s -> Duration.ofSeconds(positive(s)));
        }

        private static int ceilDiv(int dividend, int divisor) {
            return (int) (((long) dividend + divisor - 1) / divisor);
        }
    }
}
