package org.metasched.server;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.making.AgreementService;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeases;
import org.metasched.sites.SiteDirectory;
import org.metasched.soap.AgreementFactoryEndpoint;
import org.metasched.soap.claiming.ClaimedJobs;
import org.metasched.trust.Guard;

/**
 * The job of a claim is an agreement over the claim's site, offered in the claimant's name and named after the claim, so that the
 * journal, the turns and the sweeper of agreements start it exactly once and give it back. It ends with its claim: at once where the
 * claim was given back here, else by {@link #look}. Thread-safe.
 */
final class AgreedJobs implements ClaimedJobs {

    private static final String CLAIM = "claim-";
    private static final int PAGE = 200;
    private static final Set<AgreementState> LIVING = Set.of(AgreementState.PENDING, AgreementState.OBSERVED);

    private final AgreementService agreements;
    private final AgreementFactoryEndpoint factory;
    private final SiteDirectory sites;
    private final LeaseStore leases;
    private final Clock clock;
    /** Claims whose jobs may run. */
    private final Set<UUID> running = ConcurrentHashMap.newKeySet();
    /** Agreements made before that are known. */
    private volatile Instant searched = Instant.EPOCH;

    AgreedJobs(
            AgreementService agreements,
            AgreementFactoryEndpoint factory,
            SiteDirectory sites,
            LeaseStore leases,
            Clock clock) {
        this.agreements = agreements;
        this.factory = factory;
        this.sites = sites;
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    public Optional<String> start(Lease claim, String site, Job job, Guard.Call call) {
        if (sites.find(new SiteId(site)).isEmpty()) {
            return Optional.of("resource " + claim.site() + " is at no site of this server");
        }
        var id = idOf(claim.id());
        running.add(claim.id());
        Optional<Agreement> earlier = agreements.find(id);
        if (earlier.isPresent()) {
            return objection(earlier.get(), job);
        }
        try {
            return factory.offer(document(id, site, job, call), id, call)
                    .fold(created -> objection(created.agreement(), job), refused -> Optional.of(refused.reason()));
        } catch (IllegalArgumentException e) {
            // The same message may have been under way twice.
            return agreements
                    .find(id)
                    .map(made -> objection(made, job))
                    .orElse(Optional.of(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the server is shutting down");
        }
    }

    /** It is to begin now: within the lease of a claim. */
    private String document(AgreementId id, String site, Job job, Guard.Call call) {
        var part = new OfferWriter.Part(Optional.of(site), Optional.empty(), new Need.Nodes(job.nodes()));
        var deadline = clock.instant().plus(MatchLeases.LEASE_TIME).plus(job.duration());
        var wish = new OfferWriter.Wish(
                id.value(),
                call.subject().name(),
                List.of(part),
                job.duration(),
                Optional.empty(),
                Optional.of(deadline));
        var document = OfferWriter.write(agreements.templates().get(0).key(), wish);
        OfferWriter.run(document, job.words(), job.perNode(), Optional.empty());
        return AgreementClient.text(document);
    }

    private static Optional<String> objection(Agreement made, Job job) {
        var program = made.commitments().stream()
                .flatMap(part -> part.run().stream())
                .map(run -> run.program())
                .findFirst();
        boolean isTheSame = program.filter(p -> p.executable()
                                .equals(job.words().get(0))
                        && p.arguments()
                                .equals(job.words().subList(1, job.words().size()))
                        && p.processes() == job.nodes() * job.perNode())
                .isPresent();
        if (!isTheSame) {
            return Optional.of("the claim has run another one, agreement " + made.id());
        }
        return made.state() == AgreementState.OBSERVED || made.state() == AgreementState.COMPLETE
                ? Optional.empty()
                : Optional.of("agreement " + made.id() + " is " + made.state().term());
    }

    @Override
    public void end(UUID claim) {
        try {
            if (agreements.find(idOf(claim)).isPresent()) {
                var unused = agreements.terminate(idOf(claim), "Its claim has ended.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Looks for jobs that an earlier server started, or one that is gone: once in a lease. Reads those that were made since the last time,
     * and a lease before that, as the clocks of servers differ; the first time all that live.
     */
    void search() {
        Instant now = clock.instant();
        Instant since = searched;
        Optional<AgreementId> last = Optional.empty();
        List<Agreement> page;
        do {
            page = agreements.newest(LIVING, last, PAGE).stream()
                    .filter(made -> !made.created().isBefore(since))
                    .toList();
            for (Agreement made : page) {
                String id = made.id().value();
                last = Optional.of(made.id());
                if (id.matches(CLAIM + "[0-9a-f-]{36}")) {
                    running.add(UUID.fromString(id.substring(CLAIM.length())));
                }
            }
        } while (page.size() == PAGE);
        searched = now.minus(MatchLeases.LEASE_TIME);
    }

    /** Ends the jobs whose claims are held no more. */
    void look() {
        if (running.isEmpty()) {
            return;
        }
        var candidates = List.copyOf(running);
        var held = leases.held().stream().map(Lease::id).collect(Collectors.toSet());
        for (UUID claim : candidates) {
            Optional<Agreement> made = agreements.find(idOf(claim));
            if (made.map(m -> m.state().isFinal()).orElse(!held.contains(claim))) {
                running.remove(claim);
            } else if (!held.contains(claim)) {
                end(claim);
            }
        }
    }

    private static AgreementId idOf(UUID claim) {
        return new AgreementId(CLAIM + claim);
    }
}
