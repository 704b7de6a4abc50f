package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.RecordExpr;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.index.MatchParty;

/**
 * An ad with the ports it was written with. An ad without {@code Ports} docks as a whole and has one port whose label is TARGET.
 *
 * @param ad the ad
 * @param ports its ports, at least one
 */
public record PortedAd(ClassAd ad, List<Port> ports) {

    /** More ports than this are refused. */
    static final int MOST_PORTS = 1_000;

    private static final AttributeRef GANG_RANK = AttributeRef.to("GangRank");

    /** The label under which an offer knows the root or member that it is docked to. */
    private static final String ANSWERING_LABEL = "requester";

    public PortedAd {
        ports = List.copyOf(ports);
    }

    /** Reads the ports of an ad. */
    public static PortedAd of(ClassAd ad) {
        Expr ports = ad.lookup("Ports").map(Expr::bare).orElse(null);
        if (ports == null) {
            return new PortedAd(ad, List.of(new Port(0, "TARGET", MatchParty.whole(ad), 1, 1, false)));
        }
        if (!(ports instanceof ListExpr list)
                || list.children().isEmpty()
                || list.children().size() > MOST_PORTS) {
            throw new MalformedAdException("The Ports of " + nameOf(ad) + " are " + shortened(ports)
                    + "; expected a list of 1 to " + MOST_PORTS + " ads, each with a Label.");
        }
        var read = new ArrayList<Port>();
        var labels = new HashSet<String>();
        for (Expr element : list.children()) {
            Port port = port(ad, read.size(), element.bare());
            if (!labels.add(port.label().toLowerCase(Locale.ROOT))) {
                throw new MalformedAdException("The ports of " + nameOf(ad) + " use the label " + port.label()
                        + " twice; each needs its own.");
            }
            read.add(port);
        }
        return new PortedAd(ad, read);
    }

    private static Port port(ClassAd holder, int index, Expr element) {
        if (!(element instanceof RecordExpr record)) {
            throw new MalformedAdException("Port " + (index + 1) + " of " + nameOf(holder) + " is " + shortened(element)
                    + "; expected an ad in brackets.");
        }
        ClassAd port = record.ad();
        String label = label(holder, index, port);
        boolean counted = port.has("Count") || port.has("Min") || port.has("Max");
        int count = number(holder, port, "Count", 1);
        int least = number(holder, port, "Min", port.has("Count") || !port.has("Max") ? count : 1);
        int most = number(holder, port, "Max", Math.max(count, least));
        return new Port(index, label, MatchParty.port(holder, port, label), least, most, counted);
    }

    private static String label(ClassAd holder, int index, ClassAd port) {
        Expr label = port.lookup("Label").map(Expr::bare).orElse(null);
        if (label instanceof AttributeRef ref && !ref.absolute()) {
            return ref.name();
        }
        if (label instanceof Literal literal
                && literal.value() instanceof Value.Text text
                && !text.text().isEmpty()) {
            return text.text();
        }
        throw new MalformedAdException("Port " + (index + 1) + " of " + nameOf(holder) + " has "
                + (label == null ? "no Label" : "the Label " + shortened(label)) + "; expected a plain name.");
    }

    private static int number(ClassAd holder, ClassAd port, String attribute, int otherwise) {
        Expr expr = port.lookup(attribute).orElse(null);
        if (expr == null) {
            return otherwise;
        }
        if (expr.evaluate(Scope.of(holder).inner(port)) instanceof Value.Int value
                && value.value() == (int) value.value()) {
            return (int) value.value();
        }
        throw new MalformedAdException("The " + attribute + " (" + shortened(expr) + ") of a port of " + nameOf(holder)
                + " is not a whole number from 0 to " + Port.MOST_NEIGHBOURS + ".");
    }

    /** Whether the ad is a root of gangs and no offer: by its {@code Root}, or else if it has Ports and none is labelled requester. */
    public boolean isRoot() {
        if (ad.evaluate("Root") instanceof Value.Bool bool) {
            return bool.value();
        }
        return ad.has("Ports") && ports.stream().noneMatch(port -> port.label().equalsIgnoreCase(ANSWERING_LABEL));
    }

    /** The root's rank of a gang as a whole, or null if it has none. */
    @Nullable
    Expr gangRank() {
        return ad.lookup(GANG_RANK).orElse(null);
    }

    /** The ad's Name, or a description of a nameless ad. */
    public String name() {
        return nameOf(ad);
    }

    /** The ad's Name, or a description of a nameless ad; for messages. */
    public static String nameOf(ClassAd ad) {
        return ad.findString("Name")
                .orElseGet(() -> "a nameless " + ad.findString("Type").orElse("ad"));
    }

    private static String shortened(Expr expr) {
        String text = expr.print();
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
