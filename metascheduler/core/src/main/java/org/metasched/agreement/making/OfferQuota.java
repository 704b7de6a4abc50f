package org.metasched.agreement.making;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.metasched.agreement.AgreementRepository.Held;

/** How many offers and agreements the sender of an offer may have. Access control implements it. */
public interface OfferQuota {

    /** @return what to run when the offer is decided; empty when too many are under way */
    Optional<Runnable> begin();

    /**
     * Whether one more agreement is too much.
     *
     * @param nodeHours of its reservations
     * @param held what the initiators with such names hold, asked when it matters
     * @return why, a predicate of which the sender is the subject; empty when it is not
     */
    Optional<String> exceeded(double nodeHours, Function<Predicate<String>, Held> held);
}
