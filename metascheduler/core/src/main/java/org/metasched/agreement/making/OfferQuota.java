package org.metasched.agreement.making;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.metasched.agreement.AgreementRepository.Held;

/** Quota of offers and agreements of the sender of an offer. Access control implements it. */
public interface OfferQuota {

    /** Counts an offer as under way. Returns the action that ends the count; empty if too many offers are under way. */
    Optional<Runnable> begin();

    /**
     * Whether one more agreement exceeds the quota.
     *
     * @param nodeHours node hours of its reservations
     * @param held holdings of all initiators whose names pass a test; called only if the quota depends on them
     * @return reason, as the end of a sentence that begins "The sender"; empty if the quota is not exceeded
     */
    Optional<String> exceeded(double nodeHours, Function<Predicate<String>, Held> held);
}
