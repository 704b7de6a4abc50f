package org.metasched.soap;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.agreement.Compensation;
import org.metasched.client.xml.XmlNames;

/** Trees of terms made by chance, and the offers that have them. Times are in minutes after 09:00, when the hours of load begin. */
final class RandomTermTree {

    static final Instant ZERO = Instant.parse("2026-01-05T09:00:00Z");
    /** Large sites, idle or taken as a whole: they have room for all parts of a tree or for none. */
    private static final int LARGE = 3;
    /** The others serve one part of a tree and may be taken in part. What a site has for two parts at once it says only when it reserves. */
    static final List<String> SITES = List.of("fzj", "scai", "cesca", "s1", "s2", "s3", "s4", "s5", "s6");

    static final int[] SIZES = {64, 64, 48, 8, 8, 8, 8, 4, 4};

    sealed interface Term permits Compositor, Resources, Time, Promise {}

    /** @param kind {@code All}, {@code ExactlyOne} or {@code OneOrMore} */
    record Compositor(String kind, List<Term> branches) implements Term {}

    record Resources(String name, String service, List<String> hosts, int nodes, int depth) implements Term {}

    record Time(String name, int from, int until, int minutes) implements Term {}

    /**
     * A guarantee term.
     *
     * @param objective an expression, or nothing for {@code ReservationKept}
     */
    record Promise(String name, List<String> scope, String condition, String objective, List<Due> due)
            implements Term {}

    /** @param every minutes of an interval, or 0 where it is counted */
    record Due(Compensation.Kind kind, int every, int count, boolean perLostNode) {}

    private final Random random;
    private int resources;
    private int promises;
    private int small = LARGE;

    RandomTermTree(Random random) {
        this.random = random;
    }

    /** Most have no more ways than are tried, and scopes that name their services. */
    Compositor offer() {
        while (true) {
            resources = 0;
            promises = 0;
            small = LARGE;
            var offer = tree();
            boolean isUsual =
                    TermTreeModel.ways(offer) <= TermTreeModel.MOST_WAYS && TermTreeModel.hasKnownScopes(offer);
            if (isUsual || chance(3)) {
                return offer;
            }
        }
    }

    private Compositor tree() {
        var branches = new ArrayList<Term>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            branches.add(term(chance(30) ? 3 : 2));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            branches.add(promise());
        }
        branches.add(
                random.nextInt(branches.size() + 1),
                chance(75) ? time() : new Compositor("ExactlyOne", List.of(withPromise(time()), withPromise(time()))));
        return new Compositor("All", branches);
    }

    private Term term(int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(100);
        if (kind < 35) {
            return resources();
        }
        int branches = 1 + random.nextInt(kind > 97 ? 7 : 3);
        if (kind < 60) {
            return new Compositor("All", mixed(depth, branches));
        } else if (kind < 63) {
            return new Compositor(chance(50) ? "ExactlyOne" : "OneOrMore", List.of(promise(), promise()));
        } else if (kind < 70) {
            var one = resources();
            return new Compositor("ExactlyOne", List.of(withPromise(one), withPromise(twin(one))));
        } else if (kind < 84) {
            return new Compositor("ExactlyOne", mixed(depth, branches));
        }
        return new Compositor("OneOrMore", mixed(depth, branches));
    }

    private List<Term> mixed(int depth, int branches) {
        var terms = IntStream.range(0, branches)
                .mapToObj(i -> term(depth - 1))
                .collect(Collectors.toCollection(ArrayList::new));
        if (chance(40)) {
            terms.add(random.nextInt(terms.size() + 1), promise());
        }
        return terms;
    }

    private Term withPromise(Term term) {
        return chance(60) ? new Compositor("All", List.of(term, promise())) : term;
    }

    private Resources resources() {
        return resources("R" + ++resources, "S" + (1 + random.nextInt(4)));
    }

    /** Under the same name, as a branch that excludes the first may have it. */
    private Resources twin(Resources one) {
        return resources(one.name, chance(50) ? one.service : "S" + (1 + random.nextInt(4)));
    }

    private Resources resources(String name, String service) {
        var hosts = new ArrayList<String>();
        for (int i = chance(80) ? 1 : 2; i > 0; i--) {
            boolean isSmall = small < SITES.size() && chance(40);
            hosts.add(chance(4) ? "nowhere" : SITES.get(isSmall ? small++ : random.nextInt(LARGE)));
        }
        return new Resources(
                name, service, List.copyOf(hosts), chance(3) ? 9 : 1 + random.nextInt(4), random.nextInt(3));
    }

    private Time time() {
        int from = chance(5) ? -180 : 60 * random.nextInt(3);
        int minutes = 30 * (1 + random.nextInt(4));
        return new Time("T" + ++resources, from, from + minutes + 60 * random.nextInt(4), minutes);
    }

    private Promise promise() {
        var scope = new ArrayList<String>();
        for (int i = random.nextInt(3); i > 0; i--) {
            scope.add("S" + (1 + random.nextInt(4)));
        }
        var due = IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> new Due(
                        chance(70) ? Compensation.Kind.PENALTY : Compensation.Kind.REWARD,
                        chance(70) ? 5 + random.nextInt(60) : 0,
                        1 + random.nextInt(3),
                        chance(50)))
                .toList();
        return new Promise(
                "G" + ++promises,
                scope.stream().distinct().toList(),
                List.of("", "Now >= Start", "Now >= Start && Now < End", "Phase == \"Ready\"")
                        .get(random.nextInt(4)),
                List.of(
                                "",
                                "Nodes >= AgreedNodes",
                                "LostNodes == 0",
                                "Nodes >= 3",
                                "Parts == 1",
                                "Phase != \"NotReady\"")
                        .get(random.nextInt(6)),
                due);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Short, for messages. */
    static String shown(Term term) {
        return term instanceof Compositor some
                ? some.kind + some.branches.stream().map(RandomTermTree::shown).toList()
                : term instanceof Resources some
                        ? some.name + "/" + some.service + "=" + some.nodes + "@" + some.hosts
                        : term.toString();
    }

    /** The offer as a document. */
    static String document(Compositor terms) {
        return "<w:AgreementOffer xmlns:w='" + XmlNames.WSAG + "' xmlns:j='" + XmlNames.JSDL + "' xmlns:t='"
                + XmlNames.SCHEDULING + "' w:AgreementId='random'><w:Name>CO-ALLOCATION</w:Name><w:Context>"
                + "<w:ServiceProvider>AgreementResponder</w:ServiceProvider><w:TemplateId>1</w:TemplateId>"
                + "<w:TemplateName>CO-ALLOCATION</w:TemplateName></w:Context><w:Terms>"
                + xml(terms).replaceFirst("<w:All>", "$0" + phase(terms))
                + "</w:Terms></w:AgreementOffer>";
    }

    /** A reference to a service of the tree, and a variable over the state of a term, or of the reference. */
    private static String phase(Compositor terms) {
        var named = TermTreeModel.leaves(terms)
                .filter(term -> !(term instanceof Promise))
                .toList();
        var one = named.get(named.size() / 2);
        String name = one instanceof Resources some ? some.name : ((Time) one).name;
        String service = one instanceof Resources some ? some.service : "TIMES";
        return "<w:ServiceReference w:Name='REF' w:ServiceName='" + service + "'><a:EndpointReference xmlns:a='"
                + XmlNames.ADDRESSING + "'><a:Address>" + XmlNames.ADDRESSING
                + "/anonymous</a:Address></a:EndpointReference></w:ServiceReference>"
                + "<w:ServiceProperties w:Name='P' w:ServiceName='" + service
                + "'><w:VariableSet><w:Variable w:Name='Phase' w:Metric='xs:string'><w:Location>"
                + "//w:ServiceTermState[@w:termName='" + (named.size() % 2 == 0 ? "REF" : name)
                + "']/w:State</w:Location></w:Variable></w:VariableSet></w:ServiceProperties>";
    }

    static String xml(Term term) {
        if (term instanceof Compositor some) {
            return element(
                    some.kind, some.branches.stream().map(RandomTermTree::xml).collect(Collectors.joining()));
        } else if (term instanceof Resources some) {
            String hosts = some.hosts.stream()
                    .map(host -> "<j:HostName>" + host + "</j:HostName>")
                    .collect(Collectors.joining());
            String inside = "<j:Resources><j:CandidateHosts>" + hosts + "</j:CandidateHosts><j:TotalResourceCount>"
                    + "<j:Exact>" + some.nodes + "</j:Exact></j:TotalResourceCount></j:Resources>";
            String description = some.depth == 0 ? inside : "<j:JobDescription>" + inside + "</j:JobDescription>";
            return service(
                    some.name,
                    some.service,
                    some.depth < 2 ? description : "<j:JobDefinition>" + description + "</j:JobDefinition>");
        } else if (term instanceof Time time) {
            return service(
                    time.name,
                    "TIMES",
                    "<t:TimeConstraint><t:StartTime>" + at(time.from) + "</t:StartTime><t:EndTime>" + at(time.until)
                            + "</t:EndTime><t:Duration>" + time.minutes + "</t:Duration></t:TimeConstraint>");
        }
        return promise((Promise) term);
    }

    private static String promise(Promise promise) {
        var scope = promise.scope.stream()
                .map(service -> "<w:ServiceScope w:ServiceName='" + service + "'/>")
                .collect(Collectors.joining());
        String level = promise.objective.isEmpty()
                ? element("KPITarget", element("KPIName", "ReservationKept") + element("CustomServiceLevel", "true"))
                : element("CustomServiceLevel", text(promise.objective));
        return "<w:GuaranteeTerm w:Name='" + promise.name + "' w:Obligated='ServiceProvider'>" + scope
                + (promise.condition.isEmpty() ? "" : element("QualifyingCondition", text(promise.condition)))
                + element("ServiceLevelObjective", level)
                + element(
                        "BusinessValueList",
                        inOrder(promise.due).stream().map(RandomTermTree::due).collect(Collectors.joining()))
                + "</w:GuaranteeTerm>";
    }

    private static String due(Due due) {
        return element(
                due.kind == Compensation.Kind.PENALTY ? "Penalty" : "Reward",
                element(
                                "AssessmentInterval",
                                due.every > 0
                                        ? element(
                                                "TimeInterval",
                                                Duration.ofMinutes(due.every).toString())
                                        : element("Count", Integer.toString(due.count)))
                        + element("ValueUnit", "EUR")
                        + element("ValueExpression", due.perLostNode ? "LostNodes + 1" : "5"));
    }

    /** Penalties come before rewards in a list of business values. */
    static List<Due> inOrder(List<Due> due) {
        return due.stream().sorted(Comparator.comparing(Due::kind)).toList();
    }

    static Instant at(int minutes) {
        return ZERO.plusSeconds(60L * minutes);
    }

    private static String service(String name, String service, String content) {
        return "<w:ServiceDescriptionTerm w:Name='" + name + "' w:ServiceName='" + service + "'>" + content
                + "</w:ServiceDescriptionTerm>";
    }

    private static String element(String name, String content) {
        return "<w:" + name + ">" + content + "</w:" + name + ">";
    }

    private static String text(String expression) {
        return expression.replace("&", "&amp;").replace("<", "&lt;");
    }
}
