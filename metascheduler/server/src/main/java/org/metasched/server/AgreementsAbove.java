package org.metasched.server;

import java.util.Optional;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.OfferService;
import org.metasched.sites.SiteDirectory;

/**
 * The agreements that a grid above made at this grid, each over one site. The grid above sees each as a reservation, named after its request key.
 * Thread-safe.
 */
record AgreementsAbove(SiteId grid, OfferService offers, SiteDirectory directory) {

    /** Prefix of the ids of these agreements; the request key follows. */
    static final String PREFIX = "above-";

    /** The agreement that the grid above sees as a reservation; empty while it holds none. */
    Optional<Agreement> find(ReservationId id) {
        return id.value().startsWith(PREFIX) && AgreementId.isForm(id.value())
                ? offers.find(new AgreementId(id.value()))
                        .filter(a -> !a.commitments().isEmpty())
                : Optional.empty();
    }

    /** @throws Refused if the agreement does not hold its reservation any more */
    Agreement living(ReservationId id) throws LocalSchedulerException {
        var agreement = find(id).orElseThrow(() -> new UnknownReservation(grid, id));
        if (agreement.state() != AgreementState.OBSERVED) {
            throw new Refused("Agreement " + id + " is " + agreement.state().term() + ".");
        }
        return agreement;
    }

    /** The site at which an agreement holds its reservation. */
    LocalScheduler site(Agreement agreement) throws Unreachable {
        return directory
                .find(part(agreement).site())
                .orElseThrow(() -> new Unreachable(
                        "Site " + part(agreement).site() + " is not configured in grid " + grid + " any more."));
    }

    static SiteCommitment part(Agreement agreement) {
        return agreement.commitments().get(0);
    }

    static Reservation reservation(Agreement agreement) {
        return part(agreement).reservation();
    }

    static Unreachable interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Unreachable("The call was interrupted.", e);
    }
}
