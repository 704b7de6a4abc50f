package org.metasched.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseStore;
import org.metasched.publisher.MatchmakerMonitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds DAGs to other sites when a policy says so. This server holds the leases on their matches; the holder of such a lease is the DAG's
 * directory. As a claimant may name any path, only directories below one folder, with the folder's owner, are looked at. A DAG that runs or
 * is finished stays.
 */
record AutomaticRebind(Configuration.Rebinds settings, LeaseStore leases, MatchmakerMonitor monitor, Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(AutomaticRebind.class);

    void rebindDue() {
        List<ClassAd> ads = monitor.query(CollectorQuery.ofType("Machine"));
        for (Lease match : leases.held()) {
            if (match.committed() && match.holder().startsWith("/")) {
                try {
                    rebind(Path.of(match.holder()), match, ads, false);
                } catch (IOException | UnboundReferenceException | IllegalStateException e) {
                    LOG.info("The DAG of {} stays where it is: {}", match.holder(), e.toString());
                } catch (RuntimeException e) {
                    // A mistake about one DAG does not keep the others where they are.
                    LOG.error("The DAG of {} stays where it is", match.holder(), e);
                }
            }
        }
    }

    /**
     * Binds a DAG to another site now, whatever the policy says; empty if no other site matches.
     *
     * @throws IllegalStateException if this server may not move the DAG, or a ledger is faulty
     */
    Optional<BoundDag> move(Lease match) throws IOException, UnboundReferenceException {
        return rebind(Path.of(match.holder()), match, monitor.query(CollectorQuery.ofType("Machine")), true);
    }

    private Optional<BoundDag> rebind(Path directory, Lease match, List<ClassAd> ads, boolean isAsked)
            throws IOException, UnboundReferenceException {
        // A move that was cut off between its two renames has left nothing in the place, and the new binding beside it.
        Path present = Files.exists(directory) ? directory : RebindTransaction.nextOf(directory);
        if (!mayManage(present)) {
            String why = "is not below " + settings.below() + ", or not of the same owner";
            return stays(isAsked, directory, Files.exists(present) ? why : "is not there");
        }
        var locator = new LeaseLocator(clock, server -> monitor);
        RebindTransaction.recover(directory, locator);
        Optional<MatchNote> note = MatchNote.find(directory);
        Optional<BindingRecord> record = BindingRecord.find(directory);
        if (record.isEmpty()
                || note.filter(held -> held.match().equals(match.id().toString()))
                        .isEmpty()) {
            return stays(isAsked, directory, "has no binding with this match");
        }
        if (!isAsked && !settings.when().isDue(directory, record.get(), ads, clock.instant())) {
            return Optional.empty();
        }
        var binder = new LeasingBinder(
                new DagBinder(DagBinder.Options.of(System.getenv())),
                note.get().where(),
                locator,
                Claimant.elsewhere(match.owner()),
                note.get().keepFailed());
        Optional<BoundDag> moved = binder.rebind(directory, record.get(), System.getenv(), ads);
        moved.ifPresent(dag -> LOG.info(
                "The DAG of {} moved from {} to {}",
                directory,
                record.get().site(),
                dag.record().site()));
        return moved;
    }

    /** No move; the reason is thrown if the move was asked for. */
    private static Optional<BoundDag> stays(boolean isAsked, Path directory, String why) {
        if (isAsked) {
            throw new IllegalStateException("the directory (" + directory + ") " + why + ".");
        }
        return Optional.empty();
    }

    /** Whether this server may look at a directory, and move what is bound there. */
    boolean mayManage(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Path real = directory.toRealPath();
        Path below = settings.below().toRealPath();
        return real.equals(directory)
                && real.startsWith(below)
                && !real.equals(below)
                && Files.getOwner(real).equals(Files.getOwner(below));
    }
}
