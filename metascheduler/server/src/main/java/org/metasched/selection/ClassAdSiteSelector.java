package org.metasched.selection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteSelector;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.gang.Gang;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;
import org.metasched.sites.SiteDirectory;

/**
 * Chooses sites by gang matching: the open parts of an agreement become the ports of one root ad, and the ads of sites, links and
 * licence servers dock there. Every way to do so is a gang; they come in the order of the sum of the ports' ranks.
 *
 * <p>The gangs after the first are found as Lawler (1972) finds the k best solutions of anything that has a solver: from a gang, one
 * branch for each port, in which the choices of the ports before it are fixed and its own choice is forbidden. Each branch is one
 * search, so k gangs of p ports cost at most k·p searches. Thread-safe.
 */
public final class ClassAdSiteSelector implements SiteSelector {

    private final Supplier<List<ClassAd>> ads;
    private final SiteDirectory sites;
    private final Gangmatcher matcher;

    /** @param ads what is advertised now, with the current counts of matches */
    public ClassAdSiteSelector(Supplier<List<ClassAd>> ads, SiteDirectory sites, Gangmatcher matcher) {
        this.ads = ads;
        this.sites = sites;
        this.matcher = matcher;
    }

    @Override
    public List<AgreementRequest> place(AgreementRequest request, int limit) {
        List<RequestedPart> open =
                request.parts().stream().filter(part -> part.site().isEmpty()).toList();
        List<ClassAd> offers = ads.get().stream().filter(this::isOfAKnownSite).toList();
        var placings = new ArrayList<AgreementRequest>();
        var branches = new PriorityQueue<Branch>(
                Comparator.comparingDouble((Branch branch) -> -branch.rank).thenComparingInt(branch -> branch.number));
        int searches = 0;
        addBranch(branches, open, everything(open.size()), 0, offers, searches++);
        while (!branches.isEmpty() && placings.size() < limit) {
            Branch best = branches.remove();
            placings.add(placed(request, best.chosen));
            for (int part = best.fixed; part < open.size(); part++) {
                addBranch(branches, open, best.without(part), part, offers, searches++);
            }
        }
        return placings;
    }

    /** A part of the space of all gangs, and the best gang in it. */
    private static final class Branch {
        private final List<Expr> narrowed;
        private final int fixed;
        private final List<ClassAd> chosen;
        private final double rank;
        private final int number;

        private Branch(List<Expr> narrowed, int fixed, List<ClassAd> chosen, double rank, int number) {
            this.narrowed = narrowed;
            this.fixed = fixed;
            this.chosen = chosen;
            this.rank = rank;
            this.number = number;
        }

        /** This part of the space with the choices before a port fixed and its own one forbidden. */
        private List<Expr> without(int part) {
            var next = new ArrayList<>(narrowed);
            for (int i = fixed; i < part; i++) {
                next.set(i, both(next.get(i), "==", chosen.get(i)));
            }
            next.set(part, both(next.get(part), "!=", chosen.get(part)));
            return next;
        }

        private static Expr both(Expr before, String operator, ClassAd chosen) {
            String name = Literal.of(siteOf(chosen).orElseThrow()).print();
            String type = chosen.evaluate("MyType").print();
            String test = "((TARGET." + SelectionAd.SITE + " ?: TARGET.Name) == " + name + " && TARGET.MyType == "
                    + type + ")";
            return SelectionAd.parsed("(" + before.print() + ") && " + (operator.equals("==") ? test : "!" + test));
        }
    }

    private void addBranch(
            PriorityQueue<Branch> branches,
            List<RequestedPart> open,
            List<Expr> narrowed,
            int fixed,
            List<ClassAd> offers,
            int number) {
        var root = PortedAd.of(SelectionAd.root(open, narrowed));
        matcher.marshal(root, new GangPool(offers)).gang().ifPresent(gang -> {
            List<ClassAd> chosen = gang.root().dockings().stream()
                    .map(docking -> docking.members().get(0).ad().ad())
                    .toList();
            branches.add(new Branch(narrowed, fixed, chosen, rank(gang), number));
        });
    }

    private static double rank(Gang gang) {
        double sum = 0;
        for (var docking : gang.root().dockings()) {
            ClassAd docked = docking.members().get(0).ad().ad();
            sum += docking.port().rank(docked);
        }
        return sum;
    }

    private static List<Expr> everything(int parts) {
        var narrowed = new ArrayList<Expr>();
        for (int i = 0; i < parts; i++) {
            narrowed.add(Literal.of(true));
        }
        return narrowed;
    }

    private AgreementRequest placed(AgreementRequest request, List<ClassAd> chosen) {
        var parts = new ArrayList<RequestedPart>();
        int next = 0;
        for (var part : request.parts()) {
            if (part.site().isPresent()) {
                parts.add(part);
            } else {
                var site = new SiteId(siteOf(chosen.get(next++)).orElseThrow());
                parts.add(new RequestedPart(
                        part.term(),
                        part.service(),
                        Optional.of(site),
                        part.request(),
                        part.offset(),
                        Optional.empty()));
            }
        }
        return new AgreementRequest(parts, request.earliest(), request.deadline());
    }

    /** An ad of a site that nobody configured cannot be claimed, however well it matches. */
    private boolean isOfAKnownSite(ClassAd ad) {
        return siteOf(ad)
                .filter(name ->
                        sites.sites().stream().anyMatch(site -> site.value().equals(name)))
                .isPresent();
    }

    /** The configured site that an ad speaks for. */
    static Optional<String> siteOf(ClassAd ad) {
        for (String attribute : new String[] {SelectionAd.SITE, "Name"}) {
            if (ad.evaluate(attribute, Scope.of(ad)) instanceof Value.Text text) {
                return Optional.of(text.text());
            }
        }
        return Optional.empty();
    }
}
