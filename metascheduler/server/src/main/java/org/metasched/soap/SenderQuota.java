package org.metasched.soap;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.making.OfferQuota;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Quotas.Use;
import org.metasched.trust.Subject;

/** The quota of one sender, as access control counts it. */
record SenderQuota(Authorizer guard, Subject subject) implements OfferQuota {

    @Override
    public Optional<Runnable> begin() {
        return guard.offer(subject);
    }

    @Override
    public Optional<String> exceeded(double nodeHours, Function<Predicate<String>, Held> held) {
        return guard.mayNotHold(subject, nodeHours, held.andThen(sum -> new Use(sum.agreements(), sum.nodeHours())));
    }
}
