package org.metasched.selection;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.Need;
import org.metasched.agreement.RequestedPart;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/**
 * An agreement's open parts as the ad of a gang's root: one port for each part, labelled with the part's number, which
 * describes what the part wants and constrains who may dock.
 *
 * <p>A constraint speaks of the site as {@code TARGET}, as {@code other}, or by bare attribute names, as in a job's
 * Requirements; of the parts before it as {@code part0}, {@code part1} and so on, as any port of a gang may.
 */
final class SelectionAd {

    /** The attribute of an ad that names the configured site it speaks for; an ad without it is named like its site. */
    static final String SITE = "Site";

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
     * @param ports in the order of the parts
     */
    static ClassAd root(List<ClassAd> ports) {
        var text = new StringBuilder("{");
        ports.forEach(port -> text.append(text.length() == 1 ? "" : ", ").append(port.print()));
        return ClassAd.EMPTY
                .with("Name", "agreement")
                .with("Type", "Agreement")
                .with("MyType", "Agreement")
                .with("Ports", parsed(text.append("}").toString()));
    }

    /**
     * The port of a part for itself: a clause that speaks of another part does not count.
     *
     * @throws IllegalArgumentException when the part's requirements are no expression
     */
    static ClassAd alone(int index, RequestedPart part) {
        Expr wanted = requirements(part);
        return port(
                index,
                part,
                partsNamed(index, part).isEmpty() ? wanted : parsed("(" + wanted.print() + ") isnt false"));
    }

    /** The port of a part that takes one ad only. */
    static ClassAd narrowed(int index, RequestedPart part, ClassAd only) {
        var site = ClassAdSiteSelector.siteOf(only).orElseThrow();
        String test = "(TARGET." + SITE + " ?: TARGET.Name) == "
                + Literal.of(site).print() + " && TARGET.Name =?= "
                + only.evaluate("Name").print() + " && TARGET.MyType == "
                + only.evaluate("MyType").print();
        return port(index, part, and(requirements(part), parsed(test)));
    }

    /** The other parts of which a part's requirements speak. */
    static Set<Integer> partsNamed(int index, RequestedPart part) {
        var named = new TreeSet<Integer>();
        for (String name : requirements(part).names()) {
            if (name.toLowerCase(Locale.ROOT).matches("part\\d{1,4}")) {
                named.add(Integer.parseInt(name.substring(4)));
            }
        }
        named.remove(index);
        return named;
    }

    private static ClassAd port(int index, RequestedPart part, Expr wanted) {
        ClassAd port = describe(part.request().need())
                .with("Label", AttributeRef.to(label(index)))
                .with("DurationSeconds", part.request().duration().toSeconds())
                .with("Requirements", and(kind(part.request().need()), wanted))
                .with(
                        "Rank",
                        parsed("ifThenElse(TARGET.MaxMatches > 0, -1.0 * TARGET.CurMatches / TARGET.MaxMatches, 0.0)"));
        for (String name : new TreeSet<>(requirements(part).names())) {
            if (!NOT_ATTRIBUTES.contains(name.toLowerCase(Locale.ROOT))
                    && !port.has(name)
                    && !name.toLowerCase(Locale.ROOT).matches("part\\d+")) {
                // A bare name means the site's attribute, as in the Requirements of a job that has no such attribute.
                port = port.with(name, parsed("TARGET." + quoted(name)));
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

    /** What kind of ad can give it: sites have nodes, links have bandwidth, licence servers have applications. */
    private static Expr kind(Need need) {
        return need.fold(
                nodes -> parsed("(TARGET.MyType == \"Machine\" || TARGET.MyType == \"Site\")"
                        + " && (TARGET.TotalNodes ?: RequestNodes) >= RequestNodes"),
                bandwidth ->
                        parsed("TARGET.MyType == \"Link\" && (TARGET.Megabits ?: RequestMegabits) >= RequestMegabits"),
                licences -> parsed("TARGET.MyType == \"License\" && TARGET.App == RequestFeature"));
    }

    static Expr requirements(RequestedPart part) {
        if (part.requirements().isEmpty()) {
            return Literal.of(true);
        }
        try {
            return Expr.parse(part.requirements().get());
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException(
                    "The constraint of term " + part.term() + " is not a ClassAd expression: " + e.getMessage(), e);
        }
    }

    private static Expr and(Expr... clauses) {
        var text = new StringBuilder();
        for (Expr clause : clauses) {
            text.append(text.isEmpty() ? "(" : " && (").append(clause.print()).append(')');
        }
        return parsed(text.toString());
    }

    private static String quoted(String name) {
        return AttributeRef.to(name).print();
    }

    static Expr parsed(String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("An expression of ours does not parse: " + text, e);
        }
    }
}
