package org.metasched.server;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.ProgramService;
import org.metasched.agreement.making.ProgramService.Run;
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
 * the claim. The job ends with its claim: at once where the claim was given back here, else by {@link #endUnclaimed}. Thread-safe.
 */
final class AgreedJobs implements ClaimedJobs {

    private static final String NAME_PREFIX = "claim-";
    private static final String UUID_FORM = "[0-9a-f-]{36}";
    private static final String ENDED = "Its claim has ended.";

    private final OfferService offers;
    private final OfferDocuments documents;
    private final ProgramService programs;
    private final SiteDirectory sites;
    private final LeaseStore leases;
    private final Clock clock;

    AgreedJobs(OfferService offers, OfferDocuments documents, SiteDirectory sites, LeaseStore leases, Clock clock) {
        this.offers = offers;
        this.documents = documents;
        this.programs = new ProgramService(offers, NAME_PREFIX, MatchLeases.LEASE_TIME, clock);
        this.sites = sites;
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    public Optional<String> start(Lease claim, String site, Job job, Authorizer.Call call) {
        if (sites.find(new SiteId(site)).isEmpty()) {
            return Optional.of("resource " + claim.site() + " is at no site of this server");
        }
        String name = claim.id().toString();
        var id = programs.id(name);
        try {
            return programs.start(
                    name,
                    new Run(job.words(), job.nodes() * job.perNode()),
                    () -> documents.decide(
                            document(id.value(), site, job, call), call, offer -> offers.offer(offer, id)));
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the server is shutting down");
        }
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
            programs.end(claim.toString(), ENDED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks for the jobs that servers which are gone have started; called once per lease time. */
    void search() {
        programs.search(UUID_FORM);
    }

    /** Ends the jobs whose claims are held no more. */
    void endUnclaimed() throws InterruptedException {
        programs.endOthers(
                () -> leases.held().stream().map(claim -> claim.id().toString()).collect(Collectors.toSet()), ENDED);
    }
}
