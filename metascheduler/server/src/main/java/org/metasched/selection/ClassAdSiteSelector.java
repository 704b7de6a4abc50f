package org.metasched.selection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.choice.PickConstraint;
import org.metasched.choice.PlaceOption;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.gang.Gang;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;
import org.metasched.classad.match.OfferPool;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.sites.SiteDirectory;

/**
 * Says by gang matching which sites, links and licence servers may serve the open parts of an agreement: each part is a port, and
 * the places of a part are the ads that dock there. A clause that speaks of another part is a rule between the two: whether the
 * ads of one plan are a gang is asked of the gang matcher again, for these ads only, when a plan wants them. Thread-safe.
 */
public final class ClassAdSiteSelector implements SiteSelector {

    /** What a unit of a site's resource costs for an hour: an attribute of its ad, 0 where it is missing. */
    static final String COST = "Cost";

    /** A port of so many neighbours takes no more. */
    private static final int MOST_AT_A_PORT = 1_000;

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
    public Candidates candidates(AgreementRequest request) {
        List<RequestedPart> open =
                request.parts().stream().filter(part -> part.site().isEmpty()).toList();
        return new Search(open, offers()).run();
    }

    @Override
    public List<Clause> clauses(RequestedPart part) {
        var wanted = SelectionAd.requirements(part).conjuncts().stream()
                .filter(clause -> !(clause instanceof Literal))
                .toList();
        var verdict = new RankedMatchmaker().explain(SelectionAd.alone(0, part), OfferPool.of(offers()));
        return IntStream.range(0, wanted.size())
                .mapToObj(i -> clause(wanted, i, verdict))
                .toList();
    }

    private static Clause clause(List<Expr> wanted, int clause, PoolVerdict verdict) {
        String text = wanted.get(clause).print();
        var without = joined(wanted, clause, Optional.empty());
        return verdict.clauses().stream()
                .filter(one -> one.expression().equals(text))
                .findFirst()
                .map(one -> new Clause(
                        "Clause " + text + ": " + one.met() + " of " + verdict.offers() + " ads meet it; without it "
                                + one.matchingWithout() + " would do instead of " + verdict.matching()
                                + one.inPool().map(has -> " (" + has + ")").orElse("") + ".",
                        Stream.concat(
                                        one.relaxations().stream()
                                                .map(r -> joined(wanted, clause, Optional.of(r.expression()))),
                                        Stream.of(without))
                                .toList()))
                .orElseGet(() -> new Clause("Clause " + text + " speaks of other parts.", List.of(without)));
    }

    private static String joined(List<Expr> wanted, int clause, Optional<String> instead) {
        String all = IntStream.range(0, wanted.size())
                .boxed()
                .flatMap(i ->
                        i == clause ? instead.stream() : Stream.of(wanted.get(i).print()))
                .map(text -> "(" + text + ")")
                .collect(Collectors.joining(" && "));
        return all.isEmpty() ? "true" : all;
    }

    /** An ad of a site that is not configured cannot be claimed, however well it matches. */
    private List<ClassAd> offers() {
        Set<String> configured = sites.sites().stream().map(SiteId::value).collect(Collectors.toSet());
        return ads.get().stream()
                .filter(ad -> siteOf(ad).filter(configured::contains).isPresent())
                .toList();
    }

    /** The candidates of one request. */
    private final class Search {
        private final List<RequestedPart> open;
        private final List<ClassAd> offers;
        private final List<ClassAd> ported;
        private final List<GangPool> pools = new ArrayList<>();
        private final Map<Place, ClassAd> adOf = new HashMap<>();
        private boolean portedChosen;

        Search(List<RequestedPart> open, List<ClassAd> offers) {
            this.open = open;
            this.offers = offers;
            this.ported = offers.stream().filter(ad -> ad.has("Ports")).toList();
            var plain = offers.stream().filter(ad -> !ad.has("Ports")).toList();
            for (int i = 0; i < plain.size(); i += MOST_AT_A_PORT) {
                pools.add(new GangPool(plain.subList(i, Math.min(plain.size(), i + MOST_AT_A_PORT))));
            }
        }

        Candidates run() {
            var places = new ArrayList<List<Place>>();
            var rules = new ArrayList<PickConstraint>();
            String whyNone = "";
            for (int i = 0; i < open.size(); i++) {
                places.add(places(i));
                if (places.get(i).isEmpty() && whyNone.isEmpty()) {
                    whyNone = whyNone(open.get(i));
                }
                var about = new TreeSet<>(SelectionAd.partsNamed(i, open.get(i)));
                about.add(i);
                if (about.size() > 1 && about.stream().allMatch(part -> part < open.size())) {
                    rules.add(rule(List.copyOf(about)));
                }
            }
            if (portedChosen && open.size() > 1) {
                rules.add(rule(IntStream.range(0, open.size()).boxed().toList()));
            }
            return new Candidates(places, rules, whyNone.isEmpty() ? Optional.empty() : Optional.of(whyNone));
        }

        private List<Place> places(int part) {
            var places = new ArrayList<Place>();
            ClassAd port =
                    SelectionAd.alone(part, open.get(part)).with("Min", 1L).with("Max", (long) MOST_AT_A_PORT);
            for (var pool : pools) {
                var root = PortedAd.of(SelectionAd.root(List.of(port)));
                matcher.marshal(root, pool).gang().ifPresent(gang -> {
                    var docking = gang.root().dockings().get(0);
                    docking.members().forEach(m -> places.add(place(part, docking, m.ad().ad())));
                });
            }
            for (var ad : ported) {
                var root = PortedAd.of(SelectionAd.root(List.of(SelectionAd.narrowed(part, open.get(part), ad))));
                matcher.marshal(root, new GangPool(offers)).gang().ifPresent(gang -> {
                    places.add(place(part, gang.root().dockings().get(0), ad));
                    portedChosen = true;
                });
            }
            return places;
        }

        private Place place(int part, Gang.Docking docking, ClassAd ad) {
            String site = siteOf(ad).orElseThrow();
            var request = open.get(part).request();
            double cost = ad.evaluate(COST, Scope.of(ad)).rank();
            double hours = request.duration().toMillis() / 3_600_000.0;
            double rank = docking.port().rank(ad);
            var place = new Place(
                    new SiteId(site),
                    site + " " + ad.evaluate("MyType").print() + " "
                            + ad.evaluate("Name").print(),
                    Double.isFinite(rank) ? rank : 0,
                    cost >= 0 && Double.isFinite(cost) ? cost * request.need().amount() * hours : 0);
            adOf.put(place, ad);
            return place;
        }

        /** That the chosen ads of these parts are a gang. */
        private PickConstraint rule(List<Integer> parts) {
            var known = new ConcurrentHashMap<List<String>, Boolean>();
            return new PickConstraint(
                    parts,
                    chosen -> known.computeIfAbsent(
                            chosen.stream().map(PlaceOption::place).toList(), k -> isGang(parts, chosen)));
        }

        private boolean isGang(List<Integer> parts, List<PlaceOption> chosen) {
            var ports = new ArrayList<ClassAd>();
            var members = new ArrayList<ClassAd>();
            for (int i = 0; i < parts.size(); i++) {
                ClassAd ad =
                        Objects.requireNonNull(adOf.get((Place) chosen.get(i).tag()), "a place of this choice");
                members.add(ad);
                ports.add(SelectionAd.narrowed(parts.get(i), open.get(parts.get(i)), ad));
            }
            boolean plain = members.stream().noneMatch(ad -> ad.has("Ports"));
            return matcher.marshal(PortedAd.of(SelectionAd.root(ports)), new GangPool(plain ? members : offers))
                    .gang()
                    .isPresent();
        }

        private String whyNone(RequestedPart part) {
            var names = new HashSet<String>();
            offers.forEach(ad -> siteOf(ad).ifPresent(names::add));
            return "Term " + part.term() + " (" + part.request().need().words()
                    + part.requirements().map(r -> " where " + r).orElse("") + ") has no site: of "
                    + offers.size() + " ads of " + names.size()
                    + " configured sites, none satisfies it and accepts it.";
        }
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
