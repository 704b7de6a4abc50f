package org.metasched.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.JobStatus;

/**
 * An agreement as its initiator sees it over the wire.
 *
 * @param state name of the state in the specification's spelling
 * @param start start of the common slot, once there is one
 * @param label name that its initiator gave it
 * @param users subjects of others who may use the reservations
 * @param project the account that is charged
 * @param reason why it was rejected or ended, for people
 * @param rounds rounds of questions to sites in its negotiation
 * @param calls messages to sites in its negotiation
 */
public record AgreementView(
        String agreementId,
        String state,
        Optional<Instant> start,
        Optional<Instant> end,
        List<SiteView> sites,
        int rounds,
        int calls,
        Optional<String> reason,
        Optional<String> label,
        List<String> users,
        Optional<String> project) {

    /**
     * One site's part.
     *
     * @param amount granted nodes, Mbit/s or licences
     * @param state state of the reservation, as last seen
     * @param lostNodes nodes that are down and not replaced
     * @param job status of the program in the reservation, if the service term of the offer has one
     */
    public record SiteView(
            String site,
            String reservationId,
            int amount,
            Instant start,
            Instant end,
            String state,
            List<String> nodeNames,
            List<String> lostNodes,
            Optional<JobStatus> job) {

        public SiteView {
            nodeNames = List.copyOf(nodeNames);
            lostNodes = List.copyOf(lostNodes);
        }
    }

    public AgreementView {
        sites = List.copyOf(sites);
        users = List.copyOf(users);
    }
}
