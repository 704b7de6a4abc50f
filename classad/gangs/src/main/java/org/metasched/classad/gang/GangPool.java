package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.LabelLink;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.index.Offer;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Request;

/**
 * The ads that may join gangs, indexed by every port at which they may dock, and which of them are available in this cycle.
 * Not thread-safe: a pool belongs to one cycle.
 */
public final class GangPool {

    /** An ad that was left out, and the reason. */
    public record Refusal(ClassAd ad, String reason) {}

    /**
     * A port at which an ad may dock.
     *
     * @param number number of the ad in the pool
     * @param dock index of the port in the ad
     */
    record Entry(PortedAd ad, int number, int dock) implements Offer {

        @Override
        public MatchParty side() {
            return ad.ports().get(dock).side();
        }

        @Override
        public EvaluationSite place() {
            var earlier = new ArrayList<EvaluationSite.Label>();
            for (Port port : ad.ports().subList(0, dock)) {
                earlier.add(
                        new EvaluationSite.Label(port.label(), List.of(new LabelLink(port.label())), port.isList()));
            }
            return new EvaluationSite(side(), new LabelLink(side().label()), earlier);
        }
    }

    private final List<Refusal> refusals = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final int[] firstEntry;
    /** The most bytes of domains and propagations that searches keep for later roots. */
    private static final long MEMORY = 256L << 20;

    final OfferIndex index;

    /** Number of {@link #restore restores} so far: conclusions that rely on entries only being removed hold within one epoch. */
    int epoch;

    /** Number of entries removed in this epoch. */
    int removedCount;

    private final @Nullable GangMember[] membersOf;
    /** Entries of ads that have further ports. */
    final OfferSet morePorts;

    private final Map<Request, LiveDomain> domains = new HashMap<>();
    final RootClasses classes;
    private long memoryLeft = MEMORY;

    /** Requests with an empty domain for the rest of this cycle: a cycle only removes offers. */
    final Set<Request> exhausted = new HashSet<>();

    /** Indexes ads; those whose ports are malformed are left out and listed in {@link #refusals}. */
    public GangPool(Collection<ClassAd> offers) {
        var first = new ArrayList<>(List.of(0));
        for (ClassAd offer : offers) {
            try {
                PortedAd ad = PortedAd.of(offer);
                for (Port port : ad.ports()) {
                    // A port of several neighbours is a variable only; no ad docks by it.
                    if (!port.isList()) {
                        entries.add(new Entry(ad, first.size() - 1, port.index()));
                    }
                }
                first.add(entries.size());
            } catch (MalformedAdException e) {
                refusals.add(new Refusal(offer, String.valueOf(e.getMessage())));
            }
        }
        firstEntry = first.stream().mapToInt(Integer::intValue).toArray();
        index = new OfferIndex(entries);
        membersOf = new GangMember[entries.size()];
        morePorts = OfferSet.none(entries.size());
        IntStream.range(0, index.size())
                .filter(entry -> entry(entry).ad().ports().size() > 1)
                .forEach(morePorts::add);
        classes = new RootClasses(this);
    }

    /** Number of ads in the pool, consumed ones included. */
    public int size() {
        return firstEntry.length - 1;
    }

    /** The ads that were not taken into the pool, and the reasons. */
    public List<Refusal> refusals() {
        return List.copyOf(refusals);
    }

    /** Whether the ad has a port at which it may dock, and was not consumed in this cycle. */
    public boolean isAvailable(int number) {
        return firstEntry[number] < firstEntry[number + 1] && index.available().contains(firstEntry[number]);
    }

    /** Takes the members of a gang out of the pool for the rest of the cycle. */
    public void consume(Gang gang) {
        gang.offers().forEach(this::takeAd);
    }

    /** Takes an ad out of the pool. */
    void takeAd(int number) {
        entriesOf(number, entry -> {
            removedCount += free().contains(entry) ? 1 : 0;
            free().remove(entry);
        });
    }

    /** Puts the members of a gang back. */
    void giveBack(Gang gang) {
        gang.offers().forEach(this::restore);
    }

    /** Puts an ad back, as when a gang could not be claimed. */
    public void restore(int number) {
        entriesOf(number, free()::add);
        removedCount = 0;
        epoch++;
        exhausted.clear();
    }

    /**
     * The available ads each of which alone makes a gang with a root of one port: by index, then by the residual constraint, then
     * ranked once, best first. {@code O(n log n)}.
     */
    public List<ClassAd> candidates(PortedAd root) {
        if (root.ports().size() != 1) {
            throw new IllegalArgumentException(
                    "The root (" + root.name() + ") has " + root.ports().size() + " ports; expected 1.");
        }
        return EvaluatedDomains.candidates(root, this);
    }

    /** Runs an action for each entry of an ad. */
    void entriesOf(int number, IntConsumer action) {
        for (int entry = firstEntry[number]; entry < firstEntry[number + 1]; entry++) {
            action.accept(entry);
        }
    }

    /** The number of the ad that an entry belongs to. */
    int adOf(int entry) {
        return entries.get(entry).number();
    }

    /** An ad's Name, or its number. */
    String nameOf(int number) {
        return entry(firstEntry[number]).ad().ad().evaluate("Name") instanceof Value.Text name
                ? name.text()
                : "#" + number;
    }

    /** Tests a condition with all ads available, and restores the pool. */
    boolean whenAllAreFree(Predicate<GangPool> condition) {
        List<Integer> gone = IntStream.range(0, size())
                .filter(number -> firstEntry[number] < firstEntry[number + 1] && !isAvailable(number))
                .boxed()
                .toList();
        gone.forEach(this::restore);
        try {
            return condition.test(this);
        } finally {
            gone.forEach(this::takeAd);
        }
    }

    Entry entry(int entry) {
        return entries.get(entry);
    }

    /** The gang of a root with one entry at each of its ports, none of which has further ports. */
    Gang gang(PortedAd root, int... entries) {
        var dockings = new ArrayList<Gang.Docking>(entries.length);
        for (Port port : root.ports()) {
            Entry entry = entry(entries[port.index()]);
            var member = new Gang.Member(entry.ad(), entry.number(), entry.dock(), List.of());
            dockings.add(new Gang.Docking(port.label(), port, List.of(member)));
        }
        return new Gang(new Gang.Member(root, -1, -1, dockings));
    }

    /** Reserves memory for data that are kept; false if too little is left. */
    boolean reserve(long bytes) {
        if (bytes > memoryLeft) {
            return false;
        }
        memoryLeft -= bytes;
        return true;
    }

    /** The domain of a request while the cycle removes offers; equal requests share it. */
    LiveDomain liveDomain(Request request) {
        var made = new LiveDomain(this, request, null, null);
        LiveDomain known = request.isCanonical() ? domains.putIfAbsent(request, made) : null;
        return known == null ? made : known;
    }

    /** A member made of an entry, the same one each time: for searches that bind an entry and release it again. */
    GangMember memberOf(int entry) {
        GangMember known = membersOf[entry];
        if (known == null) {
            known = newMember(entry);
            membersOf[entry] = known;
        }
        return known;
    }

    /** A member made of an entry, to be kept. */
    GangMember newMember(int entry) {
        Entry offer = entries.get(entry);
        return new GangMember(offer.ad(), offer.number(), offer.dock(), entry);
    }

    /**
     * Classifies these roots and reads the columns on which they depend; otherwise the first root of a class does this when it is served.
     */
    public void prepare(Collection<PortedAd> roots) {
        roots.forEach(classes::prepare);
    }

    OfferSet free() {
        return index.available();
    }

    void markExhausted(Request request) {
        if (request.isCanonical()) {
            exhausted.add(request);
        }
    }
}
