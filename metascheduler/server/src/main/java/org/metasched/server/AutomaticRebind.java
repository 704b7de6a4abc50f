package org.metasched.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.claims.MatchCounts;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.Query;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.ClaimingBinder;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.Rebinding;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.publisher.Claims;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchmakerMonitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds DAGs to other sites when a policy says so: those whose matches are counted here, and whose directories this server owns, below
 * one folder. A claimant may name any directory, so no other one is looked at. One that runs or is finished stays.
 */
final class AutomaticRebind {

    private static final Logger LOG = LoggerFactory.getLogger(AutomaticRebind.class);

    private final Configuration.Rebinds settings;
    private final Claims claims;
    private final MatchmakerMonitor monitor;
    private final Clock clock;

    AutomaticRebind(Configuration.Rebinds settings, Claims claims, MatchmakerMonitor monitor, Clock clock) {
        this.settings = settings;
        this.claims = claims;
        this.monitor = monitor;
        this.clock = clock;
    }

    void look() {
        List<ClassAd> ads = monitor.query(Query.ofType("Machine"));
        for (HeldMatch match : claims.held()) {
            if (match.confirmed() && match.holder().startsWith("/")) {
                try {
                    rebind(Path.of(match.holder()), match, ads, false);
                } catch (IOException | UnboundReferenceException | IllegalStateException | IllegalArgumentException e) {
                    LOG.info("The DAG of {} stays where it is: {}", match.holder(), e.getMessage());
                }
            }
        }
    }

    /** Whatever the policy says; empty when there is no other site for it. */
    Optional<BoundDag> now(HeldMatch match) throws IOException, UnboundReferenceException {
        return rebind(Path.of(match.holder()), match, monitor.query(Query.ofType("Machine")), true);
    }

    private Optional<BoundDag> rebind(Path directory, HeldMatch match, List<ClassAd> ads, boolean isAsked)
            throws IOException, UnboundReferenceException {
        if (!isOurs(directory)) {
            return Optional.empty();
        }
        var counts = new MatchCounts(clock, server -> new OwnCount(server.toString(), monitor, match.owner()));
        Rebinding.recover(directory, counts);
        Optional<MatchNote> note = MatchNote.find(directory);
        Optional<BindingRecord> record = BindingRecord.find(directory);
        if (record.isEmpty()
                || note.filter(held -> held.match().equals(match.id().toString()))
                        .isEmpty()
                || !isAsked && !settings.when().isDue(directory, record.get(), ads, clock.instant())) {
            return Optional.empty();
        }
        var binder = new ClaimingBinder(
                new DagBinder(DagBinder.Options.of(System.getenv())),
                new RankedMatchmaker(),
                new OwnCount(note.get().where(), monitor, match.owner()),
                counts,
                note.get().keepFailed());
        Optional<BoundDag> moved = binder.rebind(directory, record.get(), System.getenv(), ads);
        moved.ifPresent(dag -> LOG.info(
                "The DAG of {} moved from {} to {}",
                directory,
                record.get().site(),
                dag.record().site()));
        return moved;
    }

    /** Whether this server may look at a directory, and move what is bound there. */
    boolean isOurs(Path directory) throws IOException {
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

    /** The count of this server, by the address under which the DAG knows it. */
    record OwnCount(String where, MatchmakerMonitor monitor, String owner) implements SiteClaims {

        @Override
        public List<ClassAd> counted(List<ClassAd> siteAds) {
            return siteAds;
        }

        @Override
        public Optional<String> take(ClassAd siteAd, String holder, int nodes) {
            return monitor.take(BoundDag.siteName(siteAd), holder, nodes, owner).map(UUID::toString);
        }

        @Override
        public boolean renew(String match) {
            return monitor.renew(MatchNote.idOf(match));
        }

        @Override
        public boolean settle(String match, boolean keep) {
            return monitor.settle(MatchNote.idOf(match), keep);
        }
    }
}
