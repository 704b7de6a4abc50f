package org.metasched.trust;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.metasched.trust.AccessPolicy.Decision;

/**
 * Stands at the door of every operation: decides by the policy, counts what each subject asks for, and writes down what was decided.
 * Thread-safe.
 */
public final class Guard {

    /** Lets everybody in and writes nothing down. */
    public static final Guard OPEN = new Guard(AccessPolicy.OPEN, Quotas.NONE, AuditLog.NONE);

    /**
     * One request.
     *
     * @param operation as in {@link Operation}
     * @param from the address of the peer
     */
    public record Call(Subject subject, String operation, String from) {

        /** The same in the course of another operation. */
        public Call during(String other) {
            return new Call(subject, other, from);
        }
    }

    private final AccessPolicy policy;
    private final Quotas quotas;
    private final AuditLog audit;

    public Guard(AccessPolicy policy, Quotas quotas, AuditLog audit) {
        this.policy = policy;
        this.quotas = quotas;
        this.audit = audit;
    }

    public AccessPolicy policy() {
        return policy;
    }

    /**
     * At the door, before anything is looked up. Writes down what is final: a denial, and an operation that touches nothing of its own.
     *
     * @throws NotAllowedException when the caller may not, or asks too often
     */
    public void enter(Call call) {
        var decision = policy.decide(call.subject(), call.operation(), Optional.empty());
        boolean isFinal = !decision.isAllowed()
                || Operation.find(call.operation()).map(o -> !o.hasObject()).orElse(true);
        if (isFinal) {
            audit.write(call, "", "", decision);
        }
        if (!decision.isAllowed()) {
            throw new NotAllowedException("The sender may not do this here.", false);
        }
        if (!isExempt(call.subject()) && !quotas.mayAsk(call.subject())) {
            throw new NotAllowedException("The sender asks too often; come again in a second.", true);
        }
    }

    /** At the object: decided and written down. */
    public boolean permits(Call call, Thing thing) {
        return permits(call, thing, "");
    }

    /** @param behalf on whose behalf the caller acts, if it is not its own */
    public boolean permits(Call call, Thing thing, String behalf) {
        var decision = policy.decide(call.subject(), call.operation(), Optional.of(thing));
        audit.write(call, thing.toString(), behalf, decision);
        return decision.isAllowed();
    }

    /** Whether one of many objects is shown: decided, and not written down. */
    public boolean shows(Call call, Thing thing) {
        return policy.decide(call.subject(), call.operation(), Optional.of(thing))
                .isAllowed();
    }

    /** Writes down what was done to many objects in one message. */
    public void note(Call call, String what) {
        audit.write(call, what, "", new Decision(true, "decided for each"));
    }

    /**
     * Whether a subject may have one more agreement.
     *
     * @param living how many it has, asked when it matters
     */
    public boolean mayHold(Subject subject, LongSupplier living) {
        return isExempt(subject) || living.getAsLong() < quotas.livingAgreements();
    }

    /** @return what to close when the offer is decided; empty when the subject has too many under way */
    public Optional<Runnable> offer(Subject subject) {
        return isExempt(subject) ? Optional.of(() -> {}) : quotas.offer(subject);
    }

    private boolean isExempt(Subject subject) {
        var roles = policy.rolesOf(subject);
        return roles.contains(Role.OPERATOR) || roles.contains(Role.SERVER);
    }
}
