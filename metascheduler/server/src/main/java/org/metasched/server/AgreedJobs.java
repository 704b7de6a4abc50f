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
import org.metasched.agreement.making.OfferService;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeases;
import org.metasched.sites.SiteDirectory;
import org.metasched.soap.OfferDocuments;
import org.metasched.soap.claiming.ClaimedJobs;
import org.metasched.trust.Authorizer;

/**
 * Runs the job of a claim as the program of an agreement at the claim's site. The agreement is offered in the claimant's name and named after
 * the claim. So the offer locks and the journal start it exactly once, and the sweeper gives its resources back. The job ends with its claim:
 * at once where the claim was given back here, else by {@link #endUnclaimed}. Thread-safe.
 */
final class AgreedJobs implements ClaimedJobs {

    private static final String PREFIX = "claim-";
    private static final String FORM = PREFIX + "[0-9a-f-]{36}";
    private static final String ENDED = "Its claim has ended.";
    private static final int PAGE = 200;
    private static final Set<AgreementState> LIVING = Set.of(AgreementState.PENDING, AgreementState.OBSERVED);

    private final OfferService offers;
    private final OfferDocuments documents;
    private final SiteDirectory sites;
    private final LeaseStore leases;
    private final Clock clock;
    /** Agreements whose programs may be running. */
    private final Set<AgreementId> running = ConcurrentHashMap.newKeySet();
    /** All agreements made before this instant have been searched. */
    private volatile Instant searchedUntil = Instant.EPOCH;

    AgreedJobs(OfferService offers, OfferDocuments documents, SiteDirectory sites, LeaseStore leases, Clock clock) {
        this.offers = offers;
        this.documents = documents;
        this.sites = sites;
        this.leases = leases;
        this.clock = clock;
    }

    private static AgreementId id(UUID claim) {
        return new AgreementId(PREFIX + claim);
    }

    @Override
    public Optional<String> start(Lease claim, String site, Job job, Authorizer.Call call) {
        if (sites.find(new SiteId(site)).isEmpty()) {
            return Optional.of("resource " + claim.site() + " is at no site of this server");
        }
        var id = id(claim.id());
        running.add(id);
        try {
            var earlier = offers.find(id);
            if (earlier.isPresent()) {
                return objection(earlier.get(), job);
            }
            // The same message may have been handled by another thread meanwhile.
            return documents
                    .decide(document(id.value(), site, job, call), call, offer -> offers.offer(offer, id))
                    .fold(
                            created -> objection(created.agreement(), job),
                            refused -> offers.find(id)
                                    .map(made -> objection(made, job))
                                    .orElse(Optional.of(refused.reason())));
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the server is shutting down");
        }
    }

    private static Optional<String> objection(Agreement made, Job job) {
        boolean same = made.commitments().stream()
                .flatMap(part -> part.run().stream())
                .findFirst()
                .map(run -> run.program())
                .filter(program -> program.executable().equals(job.words().get(0))
                        && program.arguments()
                                .equals(job.words().subList(1, job.words().size()))
                        && program.processes() == job.nodes() * job.perNode())
                .isPresent();
        if (!same) {
            return Optional.of("agreement " + made.id() + " was made for another program");
        }
        return made.state() == AgreementState.OBSERVED || made.state() == AgreementState.COMPLETE
                ? Optional.empty()
                : Optional.of("agreement " + made.id() + " is " + made.state().term());
    }

    /** The offer for a job that is to begin now, within the lease of a claim. */
    private String document(String id, String site, Job job, Authorizer.Call call) {
        var part = new OfferWriter.Part(Optional.of(site), Optional.empty(), new Need.Nodes(job.nodes()));
        var deadline = clock.instant().plus(MatchLeases.LEASE_TIME).plus(job.duration());
        var content = new OfferWriter.OfferContent(
                id, call.subject().name(), List.of(part), job.duration(), Optional.empty(), Optional.of(deadline));
        var document = OfferWriter.write(offers.templates().get(0).key(), content);
        OfferWriter.run(document, job.words(), job.perNode(), Optional.empty());
        return AgreementClient.text(document);
    }

    @Override
    public void end(UUID claim) {
        try {
            offers.end(id(claim), ENDED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Looks for the jobs that servers which are gone have started; called once per lease time. Reads the agreements made since the last
     * search and, as the clocks of servers differ, shortly before it; the first time, all living ones.
     */
    void search() {
        Instant now = clock.instant();
        Instant since = searchedUntil;
        Optional<AgreementId> last = Optional.empty();
        List<Agreement> page;
        do {
            page = offers.newest(LIVING, last, PAGE).stream()
                    .filter(made -> !made.created().isBefore(since))
                    .toList();
            for (Agreement made : page) {
                last = Optional.of(made.id());
                if (made.id().value().matches(FORM)) {
                    running.add(made.id());
                }
            }
        } while (page.size() == PAGE);
        searchedUntil = now.minus(MatchLeases.LEASE_TIME);
    }

    /** Ends the jobs whose claims are held no more. */
    void endUnclaimed() throws InterruptedException {
        var candidates = List.copyOf(running);
        if (candidates.isEmpty()) {
            return;
        }
        var held = leases.held().stream().map(claim -> id(claim.id())).collect(Collectors.toSet());
        for (AgreementId id : candidates) {
            Optional<Agreement> made = offers.find(id);
            // A held claim without an agreement has a program that is being started.
            if (made.map(m -> m.state().isFinal()).orElse(!held.contains(id))) {
                running.remove(id);
            } else if (!held.contains(id)) {
                offers.end(id, ENDED);
            }
        }
    }
}
