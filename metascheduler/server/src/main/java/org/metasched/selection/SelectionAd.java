package org.metasched.selection;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.Need;
import org.metasched.agreement.RequestedPart;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/**
 * An agreement's open parts as the ad of a gang's root: one port for each part, labelled with the part's number, with the amount that the part
 * wants and a constraint on the ads that may dock.
 *
 * <p>A constraint speaks of the site as {@code TARGET}, as {@code other}, or by bare attribute names, as in a job's
 * Requirements; of the parts before it as {@code part0}, {@code part1} and so on, as any port of a gang may.
 */
final class SelectionAd {

    /** The attribute of an ad that names the configured site it speaks for; an ad without it is named like its site. */
    static final String SITE = "Site";

    private static final String MATCHES_LEFT =
            "ifThenElse(TARGET.MaxMatches > 0, -1.0 * TARGET.CurMatches / TARGET.MaxMatches, 0.0)";

    private static final Set<String> NOT_ATTRIBUTES =
            Set.of("target", "other", "my", "self", "parent", "root", "toplevel", "currenttime");

    private SelectionAd() {}

    /** The name by which later ports call the site of a part. */
    static String label(int part) {
        return "part" + part;
    }

    /**
     * A root with a port for each of some parts.
     *
     * @param ports ads of the ports, in the order of the parts
     */
    static ClassAd root(List<ClassAd> ports) {
        String text = ports.stream().map(ClassAd::print).collect(Collectors.joining(", ", "{", "}"));
        return ClassAd.EMPTY
                .with("Name", "agreement")
                .with("Type", "Agreement")
                .with("MyType", "Agreement")
                .with("Ports", parsed(text));
    }

    /**
     * The conjunction of those clauses of a part that speak of no other part, or of some only.
     *
     * @param parts number of parts; a clause about a part that does not exist is kept, and holds for no ad
     * @param with parts of which clauses may speak
     * @throws IllegalArgumentException when the part's requirements are no expression
     */
    static Expr own(int index, RequestedPart part, int parts, List<Integer> with) {
        return and(requirements(part).conjuncts().stream()
                .filter(clause -> with.containsAll(partsNamed(index, clause, parts)))
                .toArray(Expr[]::new));
    }

    /** The port of a part that takes one ad only; {@code wanted} is the conjunction of its requirements that count. */
    static ClassAd narrowed(int index, RequestedPart part, Expr wanted, ClassAd single) {
        var site = ClassAdSiteSelector.siteOf(single).orElseThrow();
        String test = "(TARGET." + SITE + " ?: TARGET.Name) == "
                + Literal.of(site).print() + " && TARGET.Name =?= "
                + single.evaluate("Name").print() + " && TARGET.MyType == "
                + single.evaluate("MyType").print();
        return port(index, part, and(wanted, parsed(test)));
    }

    /** The numbers, below {@code parts}, of the other parts of which an expression of a part speaks. */
    static Set<Integer> partsNamed(int index, Expr expr, int parts) {
        var named = new TreeSet<Integer>();
        for (String name : expr.names()) {
            if (name.toLowerCase(Locale.ROOT).matches("part\\d{1,4}")) {
                named.add(Integer.parseInt(name.substring(4)));
            }
        }
        named.removeIf(part -> part == index || part >= parts);
        return named;
    }

    /** The port of a part; {@code wanted} is the conjunction of its requirements that count. */
    static ClassAd port(int index, RequestedPart part, Expr wanted) {
        ClassAd port = describe(part.request().need())
                .with("Label", AttributeRef.to(label(index)))
                .with("DurationSeconds", part.request().duration().toSeconds())
                .with("Requirements", and(kind(part.request().need()), wanted))
                .with("Rank", rank(part));
        var names = new TreeSet<>(requirements(part).names());
        names.addAll(part.rank().isPresent() ? rank(part).names() : List.of());
        for (String name : names) {
            if (!NOT_ATTRIBUTES.contains(name.toLowerCase(Locale.ROOT))
                    && !port.has(name)
                    && !name.toLowerCase(Locale.ROOT).matches("part\\d+")) {
                // A bare name means the site's attribute, as in the Requirements of a job that has no such attribute.
                port = port.with(name, parsed("TARGET." + AttributeRef.to(name).print()));
            }
        }
        return port;
    }

    private static ClassAd describe(Need need) {
        return need.fold(
                nodes -> ClassAd.EMPTY
                        .with("RequestNodes", (long) nodes.count())
                        .with("RequestCores", (long) nodes.coresPerNode()),
                bandwidth -> ClassAd.EMPTY.with("RequestMegabits", (long) bandwidth.megabitsPerSecond()),
                licences -> ClassAd.EMPTY
                        .with("RequestFeature", licences.feature())
                        .with("RequestLicences", (long) licences.count()));
    }

    /** Kind of ads that can serve a need: sites have nodes, links have bandwidth, licence servers have applications. */
    private static Expr kind(Need need) {
        return need.fold(
                nodes -> parsed("(TARGET.MyType == \"Machine\" || TARGET.MyType == \"Site\")"
                        + " && (TARGET.TotalNodes ?: RequestNodes) >= RequestNodes"),
                bandwidth ->
                        parsed("TARGET.MyType == \"Link\" && (TARGET.Megabits ?: RequestMegabits) >= RequestMegabits"),
                licences -> parsed("TARGET.MyType == \"License\" && TARGET.App == RequestFeature"));
    }

    /** @throws IllegalArgumentException when the requirements or the rank are no expression */
    static void check(RequestedPart part) {
        var unused = List.of(requirements(part), rank(part));
    }

    static Expr requirements(RequestedPart part) {
        return expression("constraint", part, part.requirements().orElse("true"));
    }

    /** The rank that the part gives, or else the share of its matches that a site has left. */
    private static Expr rank(RequestedPart part) {
        return expression("rank", part, part.rank().orElse(MATCHES_LEFT));
    }

    private static Expr expression(String what, RequestedPart part, String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException(
                    "The " + what + " of term " + part.term() + " is not a ClassAd expression: " + e.getMessage(), e);
        }
    }

    static Expr and(Expr... clauses) {
        return clauses.length == 0
                ? Literal.of(true)
                : parsed(Stream.of(clauses).map(Expr::print).collect(Collectors.joining(") && (", "(", ")")));
    }

    static Expr parsed(String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("An expression that this class wrote does not parse: " + text, e);
        }
    }
}
