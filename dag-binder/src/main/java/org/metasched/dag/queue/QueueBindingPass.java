package org.metasched.dag.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.dag.queue.QueuedDag.State;

/**
 * Binds the waiting DAGs for which there is room. Next comes a DAG of the owner who holds the fewest matches; of these the one of
 * highest priority, then the oldest. A DAG without a match does not hold up those behind it.
 *
 * <p>A pass over an unchanged queue with unchanged ads only reads the ledger and compares the ads. Otherwise job ads are
 * matched in memory, one for all DAGs with the same job ad and number of nodes, and only a DAG that has a match is read. DAGs with a
 * temporary fault are tried again though nothing has changed: in the first such pass, the second, the fourth and so on. Not thread-safe.
 */
public final class QueueBindingPass {

    /** Maximum number of unchanged passes between two attempts to bind a DAG with a fault. */
    private static final int LONGEST_PAUSE = 32;

    private final DagQueue queue;
    private final Map<String, String> environment;
    private final Function<DagBinder, LeasingBinder> leasing;
    private final Consumer<QueuedDag> observer;
    private final RankedMatchmaker matchmaker = new RankedMatchmaker();
    /** The parsed job ads by their texts. */
    private final Map<String, ClassAd> jobs = new HashMap<>();

    /** Kinds of DAGs, and paths of DAG files, that are left out in the rest of this pass; also its {@link Fault}s so far. */
    private final Set<Object> skipped = new HashSet<>();

    private String lastVersion = "";
    private List<ClassAd> lastAds = List.of();
    private int unchangedPasses;

    /** The text of a fault, as a type apart from the kinds and paths in the same set. */
    private record Fault(String text) {}

    /**
     * @param environment variables of this process
     * @param leasing makes a binder that leases matches from a plain one
     * @param observer gets each DAG that was bound, failed or expired
     */
    public QueueBindingPass(
            DagQueue queue,
            Map<String, String> environment,
            Function<DagBinder, LeasingBinder> leasing,
            Consumer<QueuedDag> observer) {
        this.queue = queue;
        this.environment = Map.copyOf(environment);
        this.leasing = leasing;
        this.observer = observer;
    }

    /** Binds each waiting DAG that a site of these ads can take now. */
    public void bindWaiting(List<ClassAd> ads) throws IOException {
        String version = queue.version();
        boolean isUnchanged = version.equals(lastVersion);
        if (!isUnchanged) {
            queue.refresh();
        }
        queue.expire().forEach(observer);
        LeasingBinder counter = leasing.apply(new DagBinder(DagBinder.Options.of(environment)));
        List<ClassAd> countedAds = counter.counted(ads);
        unchangedPasses = isUnchanged && countedAds.equals(lastAds) ? unchangedPasses + 1 : 0;
        if (unchangedPasses > 0 && !retriesFaults()) {
            return;
        }
        Map<String, Long> matchesByOwner = queue.matchesByOwner();
        skipped.clear();
        // A killed process may have bound a DAG without recording it: its match counts before others are bound.
        for (QueuedDag dag : queue.waiting()) {
            if (Files.exists(dag.out())) {
                tryToBind(dag, ads, matchesByOwner);
            }
        }
        while (bindOne(ads, counter.counted(ads), matchesByOwner)) {
            // the next one
        }
        jobs.keySet().retainAll(queue.waiting().stream().map(QueuedDag::job).collect(Collectors.toSet()));
        lastVersion = version;
        lastAds = countedAds;
    }

    private boolean retriesFaults() {
        return (Integer.bitCount(unchangedPasses) == 1 || unchangedPasses % LONGEST_PAUSE == 0)
                && queue.waiting().stream().anyMatch(dag -> !dag.note().isEmpty());
    }

    /**
     * Tries to bind the waiting DAGs in order until one waits no more; returns whether one did.
     *
     * @param matches number of matches that each owner holds
     */
    private boolean bindOne(List<ClassAd> ads, List<ClassAd> counted, Map<String, Long> matches) {
        List<QueuedDag> inOrder = queue.waiting().stream()
                .filter(dag -> !skipped.contains(dag.kind()) && !skipped.contains(dag.dag()))
                .sorted(Comparator.comparingLong((QueuedDag dag) -> matches.getOrDefault(dag.owner(), 0L))
                        .thenComparing(
                                Comparator.comparingLong(QueuedDag::priority).reversed())
                        .thenComparing(QueuedDag::id))
                .toList();
        for (QueuedDag dag : inOrder) {
            if (skipped.contains(dag.kind())
                    || matchmaker.match(job(dag), counted).isEmpty()) {
                skipped.add(dag.kind());
                continue;
            }
            QueuedDag after = tryToBind(dag, ads, matches);
            if (after.state() != State.WAITING) {
                return true;
            }
            // A fault that is new in this pass is taken for this DAG's own: only the DAG is skipped. If another DAG had
            // the same fault, or there was none and merely no room, its whole kind is skipped.
            boolean isOwnFault =
                    skipped.contains(dag.dag()) || !after.note().isEmpty() && skipped.add(new Fault(after.note()));
            skipped.add(isOwnFault ? dag.dag() : dag.kind());
        }
        return false;
    }

    /** Tries to bind a DAG that waits; returns the DAG as it is afterwards. */
    private QueuedDag tryToBind(QueuedDag dag, List<ClassAd> ads, Map<String, Long> matchesByOwner) {
        QueuedDag after = queue.changeWaiting(dag, waiting -> attempt(waiting, ads));
        if (after.state() != State.WAITING) {
            matchesByOwner.merge(after.owner(), after.state() == State.BOUND ? 1L : 0L, Long::sum);
            observer.accept(after);
        }
        return after;
    }

    private ClassAd job(QueuedDag dag) {
        return jobs.computeIfAbsent(dag.job(), text -> {
            try {
                return ClassAd.parse(text);
            } catch (ClassAdSyntaxException e) {
                throw new IllegalStateException(
                        "The job ad of the queued DAG (" + dag.dag() + ") is not a ClassAd.", e);
            }
        });
    }

    /** The DAG after an attempt to bind it. */
    private QueuedDag attempt(QueuedDag queued, List<ClassAd> ads) {
        try {
            Optional<BindingRecord> before = BindingRecord.find(queued.out());
            return before.isPresent() && recoverMatch(queued)
                    ? inState(queued, State.BOUND, before.get().site())
                    : bind(queued, ads);
        } catch (UnboundReferenceException e) {
            // A site that a server advertises without an environment for DAGs cannot take this DAG, which waits on.
            skipped.add(queued.dag());
            return ads.stream()
                            .filter(ad -> ad.has("SiteEnvironment") || !ad.has("AdvertisedByServer"))
                            .anyMatch(ad -> BoundDag.siteName(ad).equals(e.site()))
                    ? inState(queued, State.FAILED, String.valueOf(e.getMessage()))
                    : queued;
        } catch (IllegalArgumentException e) {
            return inState(queued, State.FAILED, String.valueOf(e.getMessage()));
        } catch (IOException | IllegalStateException e) {
            // The disk is full, or another process has the directory: a later pass tries again.
            String reason = String.valueOf(e.getMessage());
            if (!Files.exists(queued.dag())) {
                return inState(queued, State.FAILED, reason);
            }
            return reason.equals(queued.note()) ? queued : inState(queued, State.WAITING, reason);
        }
    }

    /**
     * Ends an interrupted transaction of a bound DAG; returns whether the DAG holds its match. A killed process or server may have left
     * the match uncommitted, and it may have lapsed. A DAG without such a transaction has its match.
     */
    private boolean recoverMatch(QueuedDag queued) throws IOException {
        return !RebindTransaction.isUnderWay(queued.out())
                || binder(environment, queued).recover(queued.out());
    }

    private LeasingBinder binder(Map<String, String> variables, QueuedDag queued) {
        return leasing.apply(new DagBinder(queued.options(variables)));
    }

    private QueuedDag bind(QueuedDag queued, List<ClassAd> ads) throws IOException, UnboundReferenceException {
        NestedDag dag = NestedDag.read(queued.dag());
        if (!dag.isSound()) {
            throw new IllegalArgumentException(dag.errors().get(0).toString());
        }
        Map<String, String> variables = queued.environment(environment);
        DagJobAd job = queued.jobAd(dag, variables);
        return binder(variables, queued)
                .bind(dag, job, ads, queued.out())
                .map(bound -> inState(queued, State.BOUND, bound.record().site()))
                .orElseGet(() -> queued.note().isEmpty() ? queued : inState(queued, State.WAITING, ""));
    }

    private QueuedDag inState(QueuedDag dag, State state, String note) {
        return dag.with(state, note, queue.clock.instant());
    }
}
