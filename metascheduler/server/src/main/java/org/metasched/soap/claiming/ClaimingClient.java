package org.metasched.soap.claiming;

import jakarta.xml.ws.WebServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.claim.ClaimAnswer;
import org.metasched.classad.claim.ClaimAnswer.Agreed;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.classad.claim.ClaimId;
import org.metasched.classad.claim.ClaimParty;
import org.metasched.classad.claim.PartyUnreachableException;
import org.metasched.classad.claim.ResourceAgent;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.trust.ClientCredentials;
import org.metasched.wsag.claiming.ActivationType;
import org.metasched.wsag.claiming.AnswerType;
import org.metasched.wsag.claiming.Claiming;
import org.metasched.wsag.claiming.ClaimingService;
import org.metasched.wsag.claiming.GetClaims;
import org.metasched.wsag.claiming.JobType;
import org.metasched.wsag.claiming.NamedClaimType;
import org.metasched.wsag.claiming.RejectedFault;
import org.metasched.wsag.claiming.Request;

/** Client of the claiming service of a server. Thread-safe; each call is one message. */
public final class ClaimingClient {

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    /**
     * A claim as the server lists it.
     *
     * @param resource name of the resource's ad
     * @param customer name of the customer's ad
     * @param owner subject that took it
     * @param active whether it was activated
     * @param token larger than that of every claim taken before
     * @param leaseEnd time at which it lapses unless it is renewed
     */
    public record Claim(
            UUID id, String resource, String customer, String owner, boolean active, long token, Instant leaseEnd) {}

    private final Claiming port;
    private final URI endpoint;

    /** @param server base URL of a metasched server, without a slash at its end */
    public ClaimingClient(URI server, ClientCredentials caller) {
        endpoint = URI.create(server + "/services/" + ClaimingEndpoint.NAME);
        port = new OutgoingCalls(caller, CONNECT_WITHIN, ANSWER_WITHIN)
                .configure(new ClaimingService().getClaimingPort(), endpoint);
    }

    /** Steps that are possible with a claim that was made. */
    public enum Step {
        ACTIVATE,
        RENEW,
        RELEASE,
        PREEMPT
    }

    /**
     * Takes a step.
     *
     * @return agreement, or the reason why the server declines
     * @throws UncheckedIOException when there is no answer: the step may have been taken, and may be repeated
     * @throws IllegalArgumentException when the server refuses the message
     */
    public ClaimAnswer take(Step step, UUID claim) {
        return read(call(() -> step(step, claim)));
    }

    private AnswerType step(Step step, UUID claim) throws RejectedFault {
        var message = new NamedClaimType();
        message.setClaim(claim.toString());
        return switch (step) {
            case ACTIVATE -> port.activate(activation(claim));
            case RENEW -> port.renew(message);
            case RELEASE -> port.release(message);
            case PREEMPT -> port.preempt(message);
        };
    }

    /** Activates a claim, whose site then starts a job; result and exceptions are those of {@link #take}. */
    public ClaimAnswer run(UUID claim, ClaimedJobs.Job job) {
        var type = new JobType();
        type.getWord().addAll(job.words());
        type.setNodes(job.nodes());
        type.setPerNode(job.perNode());
        type.setDuration(job.duration());
        var message = activation(claim);
        message.setJob(type);
        return read(call(() -> port.activate(message)));
    }

    private static ActivationType activation(UUID claim) {
        var message = new ActivationType();
        message.setClaim(claim.toString());
        return message;
    }

    /** The claims that the caller may see, oldest first. */
    public List<Claim> claims() {
        return call(() -> port.getClaims(new GetClaims())).getClaim().stream()
                .map(claim -> new Claim(
                        UUID.fromString(claim.getClaim()),
                        claim.getResource(),
                        claim.getCustomer(),
                        claim.getOwner(),
                        claim.isActive(),
                        claim.getToken(),
                        claim.getLeaseEnd()))
                .toList();
    }

    private static ClaimAnswer read(AnswerType answer) {
        return answer.getDeclined() == null
                ? new Agreed()
                : new Declined(
                        answer.getDeclined(),
                        Optional.ofNullable(answer.getAd()).map(ClaimingClient::parsed));
    }

    private static ClassAd parsed(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new UncheckedIOException(
                    new IOException("The server sent an ad that does not parse: " + e.getMessage(), e));
        }
    }

    private interface Call<T> {
        T run() throws RejectedFault;
    }

    private <T> T call(Call<T> call) {
        try {
            return call.run();
        } catch (RejectedFault e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        } catch (WebServiceException e) {
            throw new UncheckedIOException(new IOException(
                    "No answer from the claiming service at " + endpoint + ": " + NoAnswer.reason(e) + ".", e));
        }
    }

    /** The id at the server of the claim on one member of a gang, made from the gang's claim; the same whenever it is made. */
    public static UUID memberOf(ClaimId claim, AdKey member) {
        return UUID.nameUUIDFromBytes((claim + "/" + member).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The agent of a resource behind this server. The claimant checks the gang again too, and gives back a resource whose current ad does not fit
     * it.
     *
     * @param introduced the match by which the parties were introduced, if they were
     * @param activates whether {@link ClaimParty#establish}, the second phase, activates the claims; else they stay requested
     */
    public ClaimParty party(AdKey resource, Optional<UUID> introduced, boolean activates, Gangmatcher matcher) {
        return new Party(this, resource, introduced, activates, matcher);
    }

    private record Party(
            ClaimingClient server, AdKey resource, Optional<UUID> introduced, boolean activates, Gangmatcher matcher)
            implements ClaimParty {

        @Override
        public ClaimAnswer prepare(ClaimId claim, List<ClassAd> gang, int member, String ticket, Instant leaseEnds)
                throws PartyUnreachableException {
            var message = new Request();
            message.setClaim(id(claim).toString());
            message.setType(resource.type());
            message.setName(resource.name());
            message.setTicket(ticket);
            message.setMember(member);
            gang.forEach(ad -> message.getAd().add(ad.print()));
            return callParty(() -> {
                AnswerType reply = server.port.request(message);
                ClaimAnswer answer = read(reply);
                // The server has compared the tickets.
                return answer instanceof Agreed && reply.getAd() != null
                        ? ResourceAgent.objection("", "", gang, member, parsed(reply.getAd()), matcher)
                                .<ClaimAnswer>map(declined -> declined)
                                .orElse(answer)
                        : answer;
            });
        }

        @Override
        public ClaimAnswer establish(ClaimId claim, Instant leaseEnds) throws PartyUnreachableException {
            return activates ? callParty(() -> server.take(Step.ACTIVATE, id(claim))) : new Agreed();
        }

        @Override
        public void withdraw(ClaimId claim) throws PartyUnreachableException {
            callParty(() -> server.take(Step.RELEASE, id(claim)));
        }

        private UUID id(ClaimId claim) {
            return introduced.orElseGet(() -> memberOf(claim, resource));
        }

        private <T> T callParty(Call<T> call) throws PartyUnreachableException {
            try {
                return server.call(call);
            } catch (UncheckedIOException e) {
                throw new PartyUnreachableException(String.valueOf(e.getMessage()));
            }
        }
    }
}
