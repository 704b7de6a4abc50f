package org.metasched.soap.introduction;

import static org.metasched.adapter.soap.MessageContext.required;
import static org.metasched.adapter.soap.MessageContext.requiredId;

import jakarta.jws.WebService;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.BoundedMaps;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.wsag.introduction.DeclinedFault;
import org.metasched.wsag.introduction.Introduce;
import org.metasched.wsag.introduction.IntroduceResponse;
import org.metasched.wsag.introduction.MatchedParty;
import org.metasched.wsag.introduction.RoleType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SOAP endpoint of a party of matches, at the {@code ContactAddress} of its ads. It hands each match on once, however often it is told of the
 * match, as long as the match is among the last {@value #MOST_REMEMBERED}. Thread-safe.
 *
 * <p>Anybody who reaches the address can send anything: an introduction is a hint, and what counts is the claim, in which the other
 * side proves itself with its ticket and is looked at again.
 */
@WebService(
        serviceName = "MatchedPartyService",
        portName = "MatchedPartyPort",
        targetNamespace = "urn:metasched:introduction:1",
        endpointInterface = "org.metasched.wsag.introduction.MatchedParty",
        wsdlLocation = "classpath:org/metasched/wsdl/introduction.wsdl")
public final class MatchReceiver implements MatchedParty {

    /** The name under which it is usually served. */
    public static final String NAME = "Introductions";

    private static final Logger LOG = LoggerFactory.getLogger(MatchReceiver.class);
    private static final int MOST_REMEMBERED = 100_000;

    /** A party that acts on a match. */
    @FunctionalInterface
    public interface Party {

        /**
         * Called once for a match and role. If it throws, the matchmaker hears of a failure and tells again.
         *
         * @throws IllegalArgumentException when the party declines; then it is not told again
         */
        void introduced(MatchNotice introduced);
    }

    /** The key of a notice: one process may be both parties. */
    private record Key(UUID match, MatchNotice.Role role) {}

    private final Party party;
    /** The matches that the party was told of: true once it has returned, false while it is called. */
    private final Map<Key, Boolean> heard = BoundedMaps.newest(MOST_REMEMBERED);

    public MatchReceiver(Party party) {
        this.party = party;
    }

    @Override
    public IntroduceResponse introduce(Introduce message) throws DeclinedFault {
        try {
            MatchNotice introduced = read(message);
            boolean known = handOnOnce(introduced);
            var response = new IntroduceResponse();
            response.setMatch(introduced.match().toString());
            response.setKnown(known);
            return response;
        } catch (IllegalArgumentException e) {
            String words = String.valueOf(e.getMessage());
            throw new DeclinedFault(words, words, e);
        }
    }

    private boolean handOnOnce(MatchNotice introduced) {
        var key = new Key(introduced.match(), introduced.role());
        synchronized (heard) {
            Boolean known = heard.putIfAbsent(key, false);
            if (known != null && known) {
                return true;
            }
            if (known != null) {
                throw new IllegalStateException("The match " + introduced.match() + " is being handed on right now.");
            }
        }
        boolean done = false;
        try {
            party.introduced(introduced);
            done = true;
        } finally {
            synchronized (heard) {
                if (done) {
                    heard.put(key, true);
                } else {
                    heard.remove(key);
                }
            }
            LOG.debug("{}: {}", introduced, done ? "heard" : "failed here");
        }
        return false;
    }

    private static MatchNotice read(Introduce message) {
        try {
            return new MatchNotice(
                    requiredId("match", message.getMatch()),
                    message.getRole() == RoleType.OFFER ? MatchNotice.Role.OFFER : MatchNotice.Role.CUSTOMER,
                    required("type", message.getType()),
                    required("name", message.getName()),
                    ClassAd.parse(required("ad", message.getAd())),
                    Optional.ofNullable(message.getTicket()),
                    message.isPreempts());
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException("The ad does not parse: " + e.getMessage(), e);
        }
    }
}
