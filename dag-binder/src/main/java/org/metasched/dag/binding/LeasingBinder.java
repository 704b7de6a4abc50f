package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.durable.AtomicFile;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;

/**
 * Binds DAGs and leases their matches: the best site that has a match left gets the DAG. The lease is acquired first, goes
 * into the bound directory as a {@link MatchNote}, and is committed once the directory is in its place; a failure before releases it.
 *
 * <p>Thread-safe, and any number of processes may bind at once: the ledger lets {@code CurMatches} never exceed {@code MaxMatches}.
 */
public final class LeasingBinder {

    /** The interval of heartbeats, several within the shortest lease. */
    private static final Duration HEARTBEAT = Duration.ofMinutes(2);

    private final DagBinder binder;
    private final RankedMatchmaker matchmaker = new RankedMatchmaker();
    private final String where;
    private final LeaseLocator locator;
    private final Claimant claimant;
    private final Duration keepFailed;
    private final Consumer<RebindStep> observer;

    /**
     * A binder whose leases this process holds.
     *
     * @param where address of the ledger from which new matches come
     * @param locator opener of that ledger, and of those of earlier matches
     */
    public LeasingBinder(DagBinder binder, String where, LeaseLocator locator) {
        this(binder, where, locator, Claimant.here(), MatchNote.KEEP_FAILED);
    }

    /** @param keepFailed time for which bound DAGs keep their matches after they have stopped with failures */
    public LeasingBinder(DagBinder binder, String where, LeaseLocator locator, Claimant claimant, Duration keepFailed) {
        this(binder, where, locator, claimant, keepFailed, step -> {});
    }

    LeasingBinder(
            DagBinder binder,
            String where,
            LeaseLocator locator,
            Claimant claimant,
            Duration keepFailed,
            Consumer<RebindStep> observer) {
        this.binder = binder;
        this.where = where;
        this.locator = locator;
        this.claimant = claimant;
        this.keepFailed = keepFailed;
        this.observer = observer;
    }

    /** The ads of sites for DAGs, with the matches that are leased now in their counts. */
    public List<ClassAd> counted(List<ClassAd> ads) {
        return locator.at(where).counted(ofSitesForDags(ads));
    }

    /**
     * Leaves out ads with neither {@code SiteEnvironment} nor {@code MaxMatches}, such as those of machines, and ads without
     * {@code SiteEnvironment} that a server made of its sites. If no ad is left then, all stay.
     */
    private static List<ClassAd> ofSitesForDags(List<ClassAd> ads) {
        List<ClassAd> sites = ads.stream()
                .filter(ad -> ad.has("SiteEnvironment") || ad.has("MaxMatches") && !ad.has("AdvertisedByServer"))
                .toList();
        return sites.isEmpty() ? ads : sites;
    }

    /** The DAG that {@link #bind} would write now; empty if no site matches and has room. Takes no match and writes nothing. */
    public Optional<BoundDag> plan(NestedDag dag, DagJobAd job, List<ClassAd> ads)
            throws IOException, UnboundReferenceException {
        int nodes = dag.root().dag().nodeCount();
        List<ClassAd> roomy =
                counted(ads).stream().filter(ad -> !MatchRoom.isFull(ad, nodes)).toList();
        Optional<Match> match = matchmaker.match(job.ad(), roomy);
        return match.isEmpty() ? Optional.empty() : Optional.of(binder.plan(dag, job, match.get()));
    }

    /**
     * Binds a DAG to the best site that matches and has room; empty if there is none. A directory that is already bound to that site
     * with a match of the same ledger keeps that match.
     *
     * @throws IllegalStateException if no site gives a match, and a ledger has refused one for a fault, which the message tells
     */
    public Optional<BoundDag> bind(NestedDag dag, DagJobAd job, List<ClassAd> ads, Path out)
            throws IOException, UnboundReferenceException {
        Path place = out.toAbsolutePath().normalize();
        if (!RebindTransaction.isUnderWay(place) && !Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            return bind(dag, job, ads, place, place);
        }
        // A rebinding that is under way may just have moved the directory aside.
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(place)) {
            throw new FileAlreadyExistsException(place.toString(), null, "this is a file, where a folder is expected.");
        }
        try (RebindTransaction exclusive = RebindTransaction.begin(place, observer)) {
            exclusive.recover(locator);
            return bind(dag, job, ads, place, place);
        }
    }

    /** @param holder directory under which the ledger keeps the match; during a rebinding the DAG's old one, which the new one replaces */
    private Optional<BoundDag> bind(NestedDag dag, DagJobAd job, List<ClassAd> ads, Path place, Path holder)
            throws IOException, UnboundReferenceException {
        Optional<MatchNote> earlier = Files.isDirectory(place) ? MatchNote.find(place) : Optional.empty();
        int nodes = dag.root().dag().nodeCount();
        var candidates = new ArrayList<>(counted(ads));
        // The match that the directory holds takes no room from its own DAG.
        candidates.replaceAll(ad -> heldAt(earlier, ad).isPresent() ? MatchRoom.without(ad, nodes) : ad);
        var refusals = new ArrayList<IllegalStateException>();
        while (true) {
            Optional<Match> match = matchmaker.match(job.ad(), candidates);
            if (match.isEmpty()) {
                if (!refusals.isEmpty()) {
                    throw refusals.get(0);
                }
                return Optional.empty();
            }
            ClassAd site = match.get().offer();
            Optional<MatchNote> note = heldAt(earlier, site);
            if (note.isPresent()) {
                return Optional.of(binder.bind(
                        dag,
                        job,
                        match.get(),
                        place,
                        Map.of(MatchNote.FILE, note.get().toBytes())));
            }
            Optional<UUID> taken = take(request(site, holder, claimant, nodes), refusals);
            if (taken.isPresent()) {
                observer.accept(RebindStep.TAKEN);
                return Optional.of(bindTaken(dag, job, match.get(), place, taken.get(), earlier));
            }
            // Others were faster: the site is full by now.
            candidates.removeIf(ad -> ad == site);
        }
    }

    /** The lease; empty if the site is full or the ledger refuses, which is added to {@code refusals}. */
    private Optional<UUID> take(LeaseRequest request, List<IllegalStateException> refusals) {
        try {
            return locator.at(where).acquire(request);
        } catch (IllegalArgumentException | IllegalStateException e) {
            refusals.add(new IllegalStateException(e.getMessage(), e));
            return Optional.empty();
        }
    }

    /** The earlier match, if it is one of this site in the same ledger. */
    private Optional<MatchNote> heldAt(Optional<MatchNote> earlier, ClassAd site) {
        return earlier.filter(
                note -> note.where().equals(where) && note.site().equalsIgnoreCase(BoundDag.siteName(site)));
    }

    private BoundDag bindTaken(
            NestedDag dag, DagJobAd job, Match match, Path place, UUID taken, Optional<MatchNote> earlier)
            throws IOException, UnboundReferenceException {
        boolean bound = false;
        MatchLeases leases = locator.at(where);
        try (var heartbeat = new LeaseHeartbeat(leases, taken, HEARTBEAT)) {
            var note = new MatchNote(
                    taken.toString(),
                    BoundDag.siteName(match.offer()),
                    where,
                    keepFailed,
                    MatchNote.limits(match.offer()));
            BoundDag result = binder.bind(
                    dag,
                    job,
                    match,
                    place,
                    Map.of(MatchNote.FILE, note.toBytes(), PendingMatch.FILE, PendingMatch.bytesOf(earlier)));
            bound = true;
            observer.accept(RebindStep.WRITTEN);
            boolean kept = PendingMatch.settle(place, locator);
            observer.accept(RebindStep.KEPT);
            if (!kept) {
                throw new IOException("The match (" + taken + ") of site " + note.site() + " lapsed while " + place
                        + " was written; it is bound without one.\nMaybe bind again.");
            }
            return result;
        } finally {
            if (!bound) {
                leases.release(taken);
            }
        }
    }

    /**
     * Releases the match of a bound DAG, whose directory stays.
     *
     * @return whether its match was leased until now
     * @throws IllegalStateException if this user may not write the directory, or another process works on it
     */
    public static boolean release(Path directory, LeaseLocator locator) throws IOException {
        if (MatchNote.find(directory).isEmpty()
                && MatchNote.findReleased(directory).isEmpty()) {
            return false;
        }
        try (RebindTransaction exclusive = RebindTransaction.begin(directory, step -> {})) {
            exclusive.recover(locator);
            return giveBack(directory, locator);
        }
    }

    /**
     * Releases the match of a directory that no other process works on. The note changes first: a released note is evidence that its
     * match has ended, so a process that is killed here leaves no match without a DAG, and no DAG with another one's match. Returns
     * whether the match was leased.
     */
    static boolean giveBack(Path directory, LeaseLocator locator) throws IOException {
        Path held = directory.resolve(MatchNote.FILE);
        Path released = directory.resolve(MatchNote.RELEASED);
        Optional<MatchNote> before = MatchNote.find(directory);
        if (before.isPresent()) {
            PendingMatch.mark(directory, before);
            AtomicFile.move(held, released);
        }
        boolean isDone = false;
        try {
            Optional<MatchNote> note = MatchNote.findReleased(directory);
            boolean wasLeased = note.isPresent()
                    && locator.at(note.get().where()).release(note.get().lease());
            isDone = true;
            return wasLeased;
        } finally {
            if (before.isPresent() && !isDone) {
                AtomicFile.move(released, held);
            }
            // After a failure a folder of leases is unchanged; a server may have released the lease without an answer.
            if (isDone || before.isPresent() && before.get().where().startsWith("file:")) {
                PendingMatch.clear(directory);
            }
        }
    }

    /** Completes or undoes what a killed process has begun in a bound directory; returns whether the directory holds a match then. */
    public boolean recover(Path directory) throws IOException {
        RebindTransaction.recover(directory, locator);
        return MatchNote.find(directory).isPresent();
    }

    /**
     * Acquires a new match for a DAG whose match was released, or has ended as the DAG had stopped for long; false if the site grants none.
     * Other DAGs stay as they are: true.
     */
    public static boolean retake(Path directory, LeaseLocator locator) throws IOException {
        if (MatchNote.findReleased(directory).isEmpty() && !mayHaveEnded(directory)) {
            return true;
        }
        try (RebindTransaction exclusive = RebindTransaction.begin(directory, step -> {})) {
            exclusive.recover(locator);
            if (mayHaveEnded(directory)) {
                PendingMatch.mark(directory, Optional.empty());
                PendingMatch.settle(directory, locator);
            }
            Optional<MatchNote> released = MatchNote.findReleased(directory);
            return released.isEmpty() || retake(directory, released.get(), locator);
        }
    }

    /** Whether the match of a directory may have ended without a change there, as the matches of stopped DAGs do. */
    private static boolean mayHaveEnded(Path directory) throws IOException {
        Optional<BindingRecord> record = BindingRecord.find(directory);
        return record.isPresent()
                && MatchNote.find(directory).isPresent()
                && DagProgress.of(directory, record.get().origin().dag()) == DagProgress.STOPPED;
    }

    private static boolean retake(Path directory, MatchNote old, LeaseLocator locator) throws IOException {
        MatchLeases leases = locator.at(old.where());
        long nodes = BindingRecord.find(directory).map(BindingRecord::nodes).orElse(1L);
        Optional<UUID> taken = leases.acquire(
                request(old.limits(), directory.toAbsolutePath().normalize(), Claimant.here(), (int) nodes));
        if (taken.isEmpty()) {
            return false;
        }
        var note = new MatchNote(taken.get().toString(), old.site(), old.where(), old.keepFailed(), old.limits());
        PendingMatch.mark(directory, Optional.empty());
        AtomicFile.replace(directory.resolve(MatchNote.RELEASED), note.toBytes());
        AtomicFile.move(directory.resolve(MatchNote.RELEASED), directory.resolve(MatchNote.FILE));
        return PendingMatch.settle(directory, locator);
    }

    private static LeaseRequest request(ClassAd site, Path holder, Claimant claimant, int nodes) {
        return new LeaseRequest(
                BoundDag.siteName(site), MatchRoom.of(site), holder.toString(), claimant, Math.max(1, nodes));
    }

    /**
     * Binds an unfinished DAG to another site, in the same directory. The files of condor_dagman there (rescue files, logs) and of the
     * nodes go along; the old binding is kept beside it, under the name of its site.
     *
     * @param ads ads of the sites to choose from; the present one is left out
     * @param record the record of the directory, as the caller has read it
     * @return the new binding; empty if no other site matches and has room
     * @throws IllegalStateException if the DAG is finished, runs or was moved meanwhile, another process moves it, or it is another user's
     */
    public Optional<BoundDag> rebind(
            Path directory, BindingRecord record, NestedDag dag, DagJobAd job, List<ClassAd> ads)
            throws IOException, UnboundReferenceException {
        Path place = directory.toAbsolutePath().normalize();
        List<ClassAd> others = ads.stream()
                .filter(ad -> !BoundDag.siteName(ad).equalsIgnoreCase(record.site()))
                .toList();
        try (RebindTransaction rebinding = RebindTransaction.begin(place, observer)) {
            if (rebinding.recover(locator) || !BindingRecord.find(place).equals(Optional.of(record))) {
                throw new IllegalStateException(
                        "The DAG of " + place + " was moved meanwhile.\nMaybe look where it is now.");
            }
            checkMayMove(place, record);
            try {
                Optional<BoundDag> bound = like(record).bind(dag, job, others, rebinding.next, place);
                return bound.isEmpty() ? bound : Optional.of(moved(rebinding, place, record, bound.get()));
            } catch (IOException | RuntimeException e) {
                rebinding.recoverAfter(e, locator);
                throw e;
            }
        }
    }

    /**
     * Rebinds in the same way, with the DAG and the job ad that the record names, as they are now.
     *
     * @param environment variables for the DAG's own submit description
     */
    public Optional<BoundDag> rebind(
            Path directory, BindingRecord record, Map<String, String> environment, List<ClassAd> ads)
            throws IOException, UnboundReferenceException {
        var origin = record.origin();
        NestedDag dag = NestedDag.read(Path.of(origin.directory()).resolve(origin.dag()));
        return rebind(directory, record, dag, DagJobAd.of(dag, origin.jobAd(), environment), ads);
    }

    private LeasingBinder like(BindingRecord record) {
        return new LeasingBinder(binder.like(record), where, locator, claimant, keepFailed, observer);
    }

    private BoundDag moved(RebindTransaction rebinding, Path place, BindingRecord record, BoundDag bound)
            throws IOException {
        rebinding.carry(record.addedFiles(place, Integer.MAX_VALUE));
        rebinding.exchange(record.site(), locator);
        return new BoundDag(bound.match(), bound.record(), Optional.of(place), bound.warnings());
    }

    private static void checkMayMove(Path place, BindingRecord record) throws IOException {
        Path process = Path.of("/proc/self");
        if (Files.exists(process) && !Files.getOwner(process).equals(Files.getOwner(place))) {
            throw new IllegalStateException("The DAG of " + place + " is " + Files.getOwner(place)
                    + "'s; only its owner moves it. Nothing has changed.");
        }
        DagProgress progress = DagProgress.of(place, record.origin().dag());
        if (progress == DagProgress.FINISHED) {
            throw new IllegalStateException("The DAG of " + place + " is finished; there is nothing left to bind.");
        }
        if (progress == DagProgress.RUNNING) {
            throw new IllegalStateException("The DAG of " + place + " is being run: there is a lock file ("
                    + record.origin().dag() + ".lock), or a run on Slurm (" + DagProgress.SLURM_JOURNAL
                    + ").\nMaybe dag cancel first, which leaves a rescue file.");
        }
    }
}
