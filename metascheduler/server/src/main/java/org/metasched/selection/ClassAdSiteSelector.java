package org.metasched.selection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;
import org.metasched.classad.match.OfferPool;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.sites.SiteDirectory;

/**
 * Selects the sites, links and licence servers that may serve the open parts of an agreement, by gang matching: each part is a port, and
 * the places of a part are the ads that dock there. A clause that speaks of another part is a rule between the two: for each plan, the gang
 * matcher is asked again whether the ads of just this plan are a gang. Thread-safe.
 *
 * @param ads ads that are advertised now, with the current counts of matches
 */
public record ClassAdSiteSelector(Supplier<List<ClassAd>> ads, SiteDirectory sites, Gangmatcher matcher)
        implements SiteSelector {

    /** Cost of a unit of a site's resource for an hour: an attribute of its ad, 0 where it is missing. */
    static final String COST = "Cost";

    @Override
    public Candidates candidates(AgreementRequest request) {
        return ofNow().candidates(request);
    }

    @Override
    public SiteSelector ofNow() {
        return new Search();
    }

    @Override
    public void check(AgreementRequest request) {
        open(request).forEach(SelectionAd::check);
    }

    private static List<RequestedPart> open(AgreementRequest request) {
        return request.parts().stream().filter(part -> part.site().isEmpty()).toList();
    }

    @Override
    public List<Clause> clauses(AgreementRequest request, List<RequestedPart> parts) {
        return ofNow().clauses(request, parts);
    }

    private static Clause clause(List<Expr> wanted, int index, PoolVerdict verdict) {
        String text = wanted.get(index).bare().print();
        var without = joined(wanted, index, Optional.empty());
        return verdict.clauses().stream()
                .filter(effect -> effect.expression().equals(text))
                .findFirst()
                .map(effect -> new Clause(
                        "Clause " + text + ": " + effect.met() + " of " + verdict.offers() + " ads meet it; without it "
                                + effect.matchingWithout() + " would do instead of " + verdict.matching()
                                + effect.inPool().map(has -> " (" + has + ")").orElse("") + ".",
                        Stream.concat(
                                        effect.relaxations().stream()
                                                .map(r -> joined(wanted, index, Optional.of(r.expression()))),
                                        Stream.of(without))
                                .toList()))
                .orElseGet(() -> new Clause("Clause " + text + " is not decided by ads.", List.of(without)));
    }

    /** The conjunction of clauses, of which one is replaced or left out. */
    private static String joined(List<Expr> wanted, int index, Optional<String> instead) {
        String all = IntStream.range(0, wanted.size())
                .boxed()
                .flatMap(i ->
                        i == index ? instead.stream() : Stream.of(wanted.get(i).print()))
                .map(text -> "(" + text + ")")
                .collect(Collectors.joining(" && "));
        return all.isEmpty() ? "true" : all;
    }

    /**
     * A selector over ads of one moment, indexed once; equal parts share their candidates, whichever request they are of. Not thread-safe, but its
     * rules are.
     */
    private final class Search implements SiteSelector {
        private final Map<String, SiteId> configured =
                sites.sites().stream().collect(Collectors.toMap(SiteId::value, site -> site));
        /** The ads of configured sites; those of other sites cannot be claimed, however well they match. */
        private final List<ClassAd> offers = ads.get().stream()
                .filter(ad -> siteOf(ad).filter(configured::containsKey).isPresent())
                .toList();

        private final List<ClassAd> ported;
        private final GangPool portless;
        private final GangPool all;
        /** Ads by the names of their places. */
        private final Map<String, ClassAd> adOf = new HashMap<>();

        private final Map<List<Object>, List<Place>> knownPlaces = new HashMap<>();

        /** The parts of the present request. */
        private List<RequestedPart> open = List.of();

        /** Whether any part so far may take an ad that has ports itself. */
        private boolean hasPortedPlaces;
        /** Whether no search so far was cut off. */
        private boolean exhaustive = true;

        Search() {
            this.ported = offers.stream().filter(ad -> ad.has("Ports")).toList();
            this.all = new GangPool(offers);
            this.portless = ported.isEmpty()
                    ? all
                    : new GangPool(
                            offers.stream().filter(ad -> !ad.has("Ports")).toList());
        }

        @Override
        public Candidates candidates(AgreementRequest request) {
            open = open(request);
            var places = new ArrayList<List<Place>>();
            var rules = new ArrayList<PickConstraint>();
            String whyNone = "";
            for (int i = 0; i < open.size(); i++) {
                places.add(places(i));
                if (places.get(i).isEmpty() && whyNone.isEmpty()) {
                    whyNone = whyNone(open.get(i));
                }
                var named = new TreeSet<>(partsNamed(i, SelectionAd.requirements(open.get(i))));
                named.add(i);
                if (named.size() > 1) {
                    rules.add(rule(List.copyOf(named)));
                }
            }
            if (hasPortedPlaces && open.size() > 1) {
                rules.add(rule(IntStream.range(0, open.size()).boxed().toList()));
            }
            return new Candidates(
                    places, rules, exhaustive, whyNone.isEmpty() ? Optional.empty() : Optional.of(whyNone));
        }

        private Set<Integer> partsNamed(int part, Expr expr) {
            return SelectionAd.partsNamed(part, expr, open.size());
        }

        /** The requirements of a part that speak of no other part. */
        private Expr own(int part) {
            return SelectionAd.own(part, open.get(part), open.size(), List.of());
        }

        /** The port of a part by its own requirements. */
        private ClassAd alone(int part) {
            return SelectionAd.port(part, open.get(part), own(part));
        }

        /** A key that parts with the same candidates share. */
        private List<Object> key(int part) {
            var wanted = open.get(part);
            boolean namesNoPart = SelectionAd.partsNamed(-1, SelectionAd.requirements(wanted), Integer.MAX_VALUE)
                    .isEmpty();
            var place = namesNoPart ? List.of() : List.of(part, open.size());
            return List.of(wanted.request(), wanted.requirements(), wanted.rank(), place);
        }

        private List<Place> places(int part) {
            return knownPlaces.computeIfAbsent(key(part), k -> List.copyOf(search(part)));
        }

        private List<Place> search(int part) {
            var places = new ArrayList<Place>();
            var root = PortedAd.of(SelectionAd.root(List.of(alone(part))));
            portless.candidates(root).forEach(one -> places.add(place(part, one.rank(), one.ad())));
            for (var ad : ported) {
                var narrowed = PortedAd.of(
                        SelectionAd.root(List.of(SelectionAd.narrowed(part, open.get(part), own(part), ad))));
                var marshalled = matcher.marshal(narrowed, all);
                exhaustive &= marshalled.exhaustive() || marshalled.gang().isPresent();
                marshalled.gang().ifPresent(gang -> {
                    places.add(place(part, gang.root().dockings().get(0).port().rank(ad), ad));
                    hasPortedPlaces = true;
                });
            }
            return places;
        }

        @Override
        public List<Clause> clauses(AgreementRequest request, List<RequestedPart> parts) {
            open = open(request);
            var pool = OfferPool.of(offers);
            var explained = new LinkedHashMap<List<Object>, List<Clause>>();
            parts.stream()
                    .map(open::indexOf)
                    .forEach(part -> explained.computeIfAbsent(key(part), k -> clauses(part, pool)));
            return explained.values().stream().flatMap(List::stream).toList();
        }

        private List<Clause> clauses(int part, OfferPool pool) {
            var wanted = SelectionAd.requirements(open.get(part)).conjuncts().stream()
                    .filter(clause -> !(clause instanceof Literal))
                    .toList();
            var verdict = new RankedMatchmaker().explain(alone(part), pool);
            return IntStream.range(0, wanted.size())
                    .mapToObj(i -> partsNamed(part, wanted.get(i)).isEmpty()
                            ? clause(wanted, i, verdict)
                            : new Clause(
                                    "Clause " + wanted.get(i).print() + ": "
                                            + together(part, wanted.get(i), verdict.matching()) + ".",
                                    List.of(joined(wanted, i, Optional.empty()))))
                    .toList();
        }

        /** Says whether a clause that speaks of other parts holds for any of the ads that suit each part alone. */
        private String together(int part, Expr clause, int matching) {
            var others = partsNamed(part, clause);
            var named = new TreeSet<>(others);
            named.add(part);
            var ports = named.stream()
                    .map(number -> number == part
                            ? SelectionAd.port(number, open.get(number), SelectionAd.and(own(number), clause))
                            : alone(number))
                    .toList();
            var marshalled = matcher.marshal(PortedAd.of(SelectionAd.root(ports)), all);
            if (marshalled.gang().isPresent()) {
                return "some ads of " + labels(named) + " meet it together";
            }
            return marshalled.exhaustive()
                    ? "none of the " + matching + " ads that suit the rest of term "
                            + open.get(part).term() + " meets it with any ad of " + labels(others)
                    : "whether ads of " + labels(named) + " meet it is not known, as the search was cut off";
        }

        private static String labels(Set<Integer> parts) {
            return parts.stream().map(SelectionAd::label).collect(Collectors.joining(" and "));
        }

        private Place place(int part, double rank, ClassAd ad) {
            var site = Objects.requireNonNull(configured.get(siteOf(ad).orElseThrow()), "a configured site");
            var request = open.get(part).request();
            double cost = ad.evaluate(COST).rank();
            double hours = request.duration().toMillis() / 3_600_000.0;
            var place = new Place(
                    site,
                    site + " " + ad.evaluate("MyType").print() + " "
                            + ad.evaluate("Name").print(),
                    Double.isFinite(rank) ? rank : 0,
                    cost >= 0 && Double.isFinite(cost) ? cost * request.need().amount() * hours : 0,
                    0);
            adOf.put(place.advertised(), ad);
            return place;
        }

        /** The rule that the chosen ads of these parts are a gang. */
        private PickConstraint rule(List<Integer> parts) {
            var known = new ConcurrentHashMap<List<String>, Boolean>();
            var wanted = open;
            return new PickConstraint(
                    parts,
                    chosen -> known.computeIfAbsent(
                            chosen.stream().map(PlaceOption::place).toList(), k -> isGang(wanted, parts, chosen)));
        }

        private boolean isGang(List<RequestedPart> wanted, List<Integer> parts, List<PlaceOption> chosen) {
            var ports = new ArrayList<ClassAd>();
            var members = new ArrayList<ClassAd>();
            for (int i = 0; i < parts.size(); i++) {
                ClassAd ad = Objects.requireNonNull(adOf.get(chosen.get(i).place()), "a place of this choice");
                members.add(ad);
                var part = wanted.get(parts.get(i));
                var own = SelectionAd.own(parts.get(i), part, wanted.size(), parts);
                ports.add(SelectionAd.narrowed(parts.get(i), part, own, ad));
            }
            var root = PortedAd.of(SelectionAd.root(ports));
            if (members.stream().noneMatch(ad -> ad.has("Ports"))) {
                return matcher.marshal(root, new GangPool(members)).gang().isPresent();
            }
            // Rules are asked by several threads, and a pool serves one at a time.
            synchronized (all) {
                return matcher.marshal(root, all).gang().isPresent();
            }
        }

        private String whyNone(RequestedPart part) {
            long named =
                    offers.stream().map(ClassAdSiteSelector::siteOf).distinct().count();
            return "Term " + part.term() + " (" + part.request().need().words()
                    + part.requirements().map(r -> " where " + r).orElse("") + ") has no site: of "
                    + offers.size() + " ads of " + named
                    + " configured sites, none satisfies it and accepts it."
                    + (exhaustive ? "" : "\nThat is not proven: the search for ads with ports was cut off.");
        }
    }

    /** The name of the site that an ad speaks for. */
    static Optional<String> siteOf(ClassAd ad) {
        return ad.findString(SelectionAd.SITE).or(() -> ad.findString("Name"));
    }
}
