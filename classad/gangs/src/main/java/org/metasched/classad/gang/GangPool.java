package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
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
        public EvaluationSite site() {
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

    /** The first entry of each ad by number; one more element ends the entries of the last ad. */
    private final int[] firstEntry;

    /** The most bytes of domains and propagations that searches keep for later roots. */
    private static final long MEMORY = 256L << 20;

    final OfferIndex index;

    /** The number of {@link #restore restores} so far. Within one epoch entries are only removed: what has failed will fail again. */
    int epoch;

    /** The number of entries that were removed in this epoch. */
    int removedCount;

    /** The member of each entry, made at its first use. */
    private final @Nullable GangMember[] membersOf;

    /** The entries of ads that have further ports. */
    final OfferSet morePorts;

    private final Map<Request, LiveDomain> domains = new HashMap<>();
    final RootClasses classes;

    /** The rest of {@link #MEMORY}. */
    private long memoryLeft = MEMORY;

    /** The requests whose domain is empty until the next restore: until then, offers are only removed. */
    final Set<Request> exhausted = new HashSet<>();

    /** A pool in which all ads are available. Ads with malformed ports are left out and listed in {@link #refusals}. */
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

    /** The number of ads in the pool, consumed ones included. */
    public int size() {
        return firstEntry.length - 1;
    }

    /** The ads that were left out of the pool, and the reasons. */
    public List<Refusal> refusals() {
        return List.copyOf(refusals);
    }

    /** Whether the ad of a number has a port at which it may dock, and is not consumed. */
    public boolean isAvailable(int number) {
        return firstEntry[number] < firstEntry[number + 1] && index.available().contains(firstEntry[number]);
    }

    /** Removes the members of a gang from the pool, unless they are restored. */
    public void consume(Gang gang) {
        gang.offers().forEach(this::takeAd);
    }

    /** Removes an ad from the pool. */
    void takeAd(int number) {
        entriesOf(number, entry -> {
            removedCount += free().contains(entry) ? 1 : 0;
            free().remove(entry);
        });
    }

    /** Restores the members of a gang. */
    void giveBack(Gang gang) {
        gang.offers().forEach(this::restore);
    }

    /** Adds a consumed ad again, as when a gang could not be claimed. */
    public void restore(int number) {
        entriesOf(number, free()::add);
        removedCount = 0;
        epoch++;
        exhausted.clear();
    }

    /** An ad that completes a gang, and the rank that the root's port gives it. */
    public record Candidate(ClassAd ad, double rank) {}

    /**
     * The available ads that each complete the gang of a root with one port, best first, with the root's rank. {@code O(n log n)}.
     *
     * @throws IllegalArgumentException if the root has more ports
     */
    public List<Candidate> candidates(PortedAd root) {
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

    /** The Name of an ad, or {@code #} and its number. */
    String nameOf(int number) {
        return entry(firstEntry[number]).ad().ad().findString("Name").orElse("#" + number);
    }

    /** The answer to a question that is asked while all ads are available; afterwards, the same ads are available as before. */
    <T> T whenAllAreFree(Supplier<T> question) {
        List<Integer> gone = IntStream.range(0, size())
                .filter(number -> firstEntry[number] < firstEntry[number + 1] && !isAvailable(number))
                .boxed()
                .toList();
        gone.forEach(this::restore);
        try {
            return question.get();
        } finally {
            gone.forEach(this::takeAd);
        }
    }

    /** The entry of a number. */
    Entry entry(int entry) {
        return entries.get(entry);
    }

    /** The gang of a root with one entry at each of its ports, by the index of the port; the ads of the entries have no further ports. */
    Gang gang(PortedAd root, int... entries) {
        var dockings = new ArrayList<Gang.Docking>(entries.length);
        for (Port port : root.ports()) {
            Entry entry = entry(entries[port.index()]);
            var member = new Gang.Member(entry.ad(), entry.number(), entry.dock(), List.of());
            dockings.add(new Gang.Docking(port.label(), port, List.of(member)));
        }
        return new Gang(new Gang.Member(root, -1, -1, dockings));
    }

    /** Reserves memory for data that are kept for later roots; false if too little is left. */
    boolean reserve(long bytes) {
        if (bytes > memoryLeft) {
            return false;
        }
        memoryLeft -= bytes;
        return true;
    }

    /** The domain of a request, which follows the removal of offers; equal canonical requests share it. */
    LiveDomain liveDomain(Request request) {
        var made = new LiveDomain(this, request, null, null);
        LiveDomain known = request.isCanonical() ? domains.putIfAbsent(request, made) : null;
        return known == null ? made : known;
    }

    /** The member of an entry, the same object at each call: for searches that bind an entry and release it again. */
    GangMember memberOf(int entry) {
        GangMember known = membersOf[entry];
        if (known == null) {
            known = newMember(entry);
            membersOf[entry] = known;
        }
        return known;
    }

    /** A new member of an entry, for a gang that is kept. */
    GangMember newMember(int entry) {
        Entry offer = entries.get(entry);
        return new GangMember(offer.ad(), offer.number(), offer.dock(), entry);
    }

    /**
     * Classifies roots and reads the columns on which they depend. Otherwise the search for the first root of each class does so.
     */
    public void prepare(Collection<PortedAd> roots) {
        roots.forEach(classes::prepare);
    }

    /** The available entries. The set is not copied. */
    OfferSet free() {
        return index.available();
    }

    /** Records that the domain of a request is empty, if equal requests can be recognised. */
    void markExhausted(Request request) {
        if (request.isCanonical()) {
            exhausted.add(request);
        }
    }
}
