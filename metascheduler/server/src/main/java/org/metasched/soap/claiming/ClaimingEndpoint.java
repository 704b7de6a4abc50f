package org.metasched.soap.claiming;

import static org.metasched.adapter.soap.MessageContext.required;
import static org.metasched.adapter.soap.MessageContext.requiredId;

import jakarta.jws.WebService;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.adapter.soap.SendersFault;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Value;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.classad.claim.ResourceAgent;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.cycle.Introduction;
import org.metasched.classad.cycle.JobRequest;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;
import org.metasched.matches.OwnMatches;
import org.metasched.soap.collector.AdOwners;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.ProtectedResource;
import org.metasched.wsag.claiming.ActivationType;
import org.metasched.wsag.claiming.AnswerType;
import org.metasched.wsag.claiming.ClaimType;
import org.metasched.wsag.claiming.Claiming;
import org.metasched.wsag.claiming.GetClaims;
import org.metasched.wsag.claiming.GetClaimsResponse;
import org.metasched.wsag.claiming.JobType;
import org.metasched.wsag.claiming.NamedClaimType;
import org.metasched.wsag.claiming.RejectedFault;
import org.metasched.wsag.claiming.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of all resources that the collector knows. It checks each request by the resource's ad as it is now, and counts the claim with the
 * leases of matches. An answer is sent when its effect is durable; a claim that is neither activated nor renewed within {@link
 * MatchLeases#LEASE_TIME} lapses. Thread-safe. After section 4.4 of the 2003 paper.
 *
 * @param collector collector whose site ads show the count of the claims
 */
@WebService(
        serviceName = "ClaimingService",
        portName = "ClaimingPort",
        targetNamespace = "urn:metasched:claiming:1",
        endpointInterface = "org.metasched.wsag.claiming.Claiming",
        wsdlLocation = "classpath:org/metasched/wsdl/claiming.wsdl")
public record ClaimingEndpoint(
        Collector collector,
        LeaseStore leases,
        OwnMatches matches,
        Gangmatcher matcher,
        AdOwners owners,
        Authorizer guard,
        ClaimedJobs jobs)
        implements Claiming {

    /** The name under which it is served. */
    public static final String NAME = "Claiming";

    private static final Logger LOG = LoggerFactory.getLogger(ClaimingEndpoint.class);

    @Override
    public AnswerType request(Request message) throws RejectedFault {
        return answer(() -> {
            var wanted = read(message);
            permit(
                    wanted.id,
                    owners.ofCustomer(
                            wanted.customer(), wanted.earlier.map(Lease::owner).orElse(wanted.owner)));
            AdKey key = new AdKey(required("type", message.getType()), required("name", message.getName()));
            return collector
                    .find(key)
                    .map(ad -> claim(message, wanted, ad))
                    .orElseGet(() -> declined("no ad of " + key + " is known any more"));
        });
    }

    private record ClaimRequest(UUID id, List<ClassAd> gang, String owner, Optional<Lease> earlier) {
        String customer() {
            return nameOf(gang.get(0));
        }
    }

    private ClaimRequest read(Request message) {
        List<ClassAd> gang =
                message.getAd().stream().map(ClaimingEndpoint::parsed).toList();
        if (gang.size() < 2) {
            throw new IllegalArgumentException("A request must have the ads of at least 2 members.");
        }
        UUID id = requiredId("claim", message.getClaim());
        var subject = MessageContext.call().subject();
        String owner = subject.isKnown() ? subject.name() : JobRequest.submitterOf(gang.get(0), "?");
        return new ClaimRequest(id, gang, owner, leases.find(id));
    }

    private AnswerType claim(Request message, ClaimRequest wanted, Advertisement resource) {
        UUID id = wanted.id;
        var earlier = wanted.earlier;
        String holder = Lease.INTRODUCED + wanted.customer();
        if (earlier.isPresent()
                && !(earlier.get().site().equalsIgnoreCase(resource.key().name())
                        && earlier.get().holder().equalsIgnoreCase(holder))) {
            return declined("the claim " + id + " is of other parties");
        }
        ClassAd now = earlier.isPresent() ? withoutOwn(resource.ad(), earlier.get()) : resource.ad();
        String ticket = message.getTicket() == null ? "" : message.getTicket();
        Optional<Declined> objection = ResourceAgent.objection(
                Introduction.ticketOf(resource.privateAd()), ticket, wanted.gang, message.getMember(), now, matcher);
        if (objection.isPresent()) {
            AnswerType answer = declined(objection.get().reason());
            objection.get().current().ifPresent(ad -> answer.setAd(ad.print()));
            return answer;
        }
        boolean isHeld = earlier.isPresent()
                ? leases.renew(id)
                : matches.take(
                                MessageContext.call(),
                                new LeaseRequest(
                                        id,
                                        resource.key().name(),
                                        MatchRoom.ofOffer(resource.ad(), false),
                                        holder,
                                        Claimant.elsewhere(wanted.owner),
                                        1))
                        .isPresent();
        if (!isHeld) {
            return declined("it has no match left to give");
        }
        AnswerType answer = agreed(id);
        answer.setAd(now.print());
        return answer;
    }

    /** The ad as it would be without the match that the parties were introduced by. */
    private static ClassAd withoutOwn(ClassAd ad, Lease own) {
        return ad.has("MaxMatches") && ad.evaluate("CurMatches") instanceof Value.Int current
                ? ad.with("CurMatches", current.value() - own.matches())
                : ad;
    }

    /** Activates a claim; if its job cannot be started, the claim stays as it is. */
    @Override
    public AnswerType activate(ActivationType message) throws RejectedFault {
        return onOwn(message, match -> {
            Optional<String> refusal = Optional.ofNullable(message.getJob()).flatMap(job -> startJob(match, job));
            if (refusal.isPresent()) {
                return declined("its job is not started: " + refusal.get());
            }
            if (!leases.commit(match.id()) || !leases.renew(match.id())) {
                jobs.end(match.id());
                return declined("it does not know the claim any more");
            }
            releaseOthers(match);
            return agreed(match.id());
        });
    }

    private Optional<String> startJob(Lease match, JobType type) {
        var job = new ClaimedJobs.Job(type.getWord(), type.getNodes(), type.getPerNode(), type.getDuration());
        return jobs.start(match, siteOf(match), job, MessageContext.call());
    }

    /** The site of a resource: the attribute {@code Site} of its ad, else its own name. */
    private String siteOf(Lease match) {
        return collector.snapshot().stream()
                .filter(ad -> isOf(match, ad))
                .flatMap(ad -> ad.ad().findString("Site").stream())
                .findFirst()
                .orElse(match.site());
    }

    /** Releases the other claims on an offer without {@code MaxMatches}, which has one match: the claim that is activated has it now. */
    private void releaseOthers(Lease match) {
        boolean hasOneMatch = collector.snapshot().stream()
                .anyMatch(ad -> isOf(match, ad) && !ad.ad().has("MaxMatches"));
        leases.held().stream()
                .filter(other -> hasOneMatch
                        && other.site().equalsIgnoreCase(match.site())
                        && !other.id().equals(match.id())
                        && other.customer().isPresent())
                .filter(other -> releaseAndEnd(other.id()))
                .forEach(other -> LOG.info("The claim {} at {} gave way to {}", other.id(), other.site(), match.id()));
    }

    /** Releases a claim and ends its job; false when the claim was not held any more. */
    private boolean releaseAndEnd(UUID claim) {
        boolean wasHeld = leases.release(claim);
        jobs.end(claim);
        return wasHeld;
    }

    private static boolean isOf(Lease match, Advertisement ad) {
        return ad.key().name().equalsIgnoreCase(match.site());
    }

    @Override
    public AnswerType renew(NamedClaimType message) throws RejectedFault {
        return onOwn(
                message,
                match -> match.committed() && leases.renew(match.id())
                        ? agreed(match.id())
                        : declined("it is not active"));
    }

    @Override
    public AnswerType release(NamedClaimType message) throws RejectedFault {
        return onOwn(message, match -> {
            releaseAndEnd(match.id());
            return new AnswerType();
        });
    }

    @Override
    public AnswerType preempt(NamedClaimType message) throws RejectedFault {
        return answer(() -> find(message).map(this::preemptMatch).orElseGet(() -> declined("the claim is not known")));
    }

    private AnswerType preemptMatch(Lease match) {
        var own = collector.snapshot().stream()
                .filter(ad -> isOf(match, ad))
                .flatMap(ad -> owners.of(ad.key(), ad.ad(), "?").stream())
                .toList();
        // Without an ad the resource belongs to the site's subject, and if none is configured to operators alone.
        var otherwise = owners.of(new AdKey("Machine", match.site()), ClassAd.EMPTY, "?");
        (own.isEmpty() ? otherwise : own).forEach(owner -> permit(match.id(), owner));
        releaseAndEnd(match.id());
        LOG.info("The claim {} at {} was pre-empted", match.id(), match.site());
        return new AnswerType();
    }

    @Override
    public GetClaimsResponse getClaims(GetClaims message) throws RejectedFault {
        return answer(() -> {
            var response = new GetClaimsResponse();
            var call = MessageContext.call();
            leases.held()
                    .forEach(match -> match.customer()
                            .filter(customer -> guard.shows(call, resource(match.id(), owners.of(match))))
                            .ifPresent(customer -> response.getClaim().add(claimType(match, customer))));
            return response;
        });
    }

    private static ClaimType claimType(Lease match, String customer) {
        var claim = new ClaimType();
        claim.setClaim(match.id().toString());
        claim.setResource(match.site());
        claim.setCustomer(customer);
        claim.setOwner(match.owner());
        claim.setActive(match.committed());
        claim.setToken(match.token());
        claim.setLeaseEnd(match.leaseEnd());
        return claim;
    }

    /** Takes a step with a claim of the caller. */
    private AnswerType onOwn(NamedClaimType message, Function<Lease, AnswerType> step) throws RejectedFault {
        return answer(() -> {
            Optional<Lease> match = find(message);
            match.ifPresent(held -> permit(held.id(), owners.of(held)));
            return match.map(step).orElseGet(() -> declined("it does not know the claim any more"));
        });
    }

    /** The claim that a message names; the match of a bound DAG is none. */
    private Optional<Lease> find(NamedClaimType message) {
        return leases.find(requiredId("claim", message.getClaim()))
                .filter(match -> match.customer().isPresent());
    }

    private void permit(UUID id, String owner) {
        if (!guard.permits(MessageContext.call(), resource(id, owner))) {
            throw new NotAllowedException("The claim is another's.", false);
        }
    }

    private static ProtectedResource resource(UUID id, String owner) {
        return new ProtectedResource("Claim", id.toString(), owner);
    }

    private AnswerType agreed(UUID id) {
        var answer = new AnswerType();
        leases.find(id).ifPresent(match -> answer.setLeaseEnd(match.leaseEnd()));
        return answer;
    }

    private static AnswerType declined(String reason) {
        var answer = new AnswerType();
        answer.setDeclined(reason);
        return answer;
    }

    private static String nameOf(ClassAd ad) {
        return required("name", ad.findString("Name").orElse(null));
    }

    private static ClassAd parsed(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException("An ad does not parse: " + e.getMessage(), e);
        }
    }

    private static <T> T answer(Supplier<T> work) throws RejectedFault {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            String words = String.valueOf(e.getMessage());
            SendersFault.mark();
            throw new RejectedFault(words, words, e);
        }
    }
}
