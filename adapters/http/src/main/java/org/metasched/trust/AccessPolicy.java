package org.metasched.trust;

import java.util.Set;
import org.metasched.trust.Subject.Action;

/**
 * Who may what. The one place that decides: a subject owns what it made; operators may everything; publishers change ads. A caller who
 * proved nothing is let through by listeners that are open, and is the local admin there; a listener that is closed asks for a proof first.
 *
 * @param operators subjects, whole
 * @param publishers subjects that advertise, invalidate and take matches
 */
public record AccessPolicy(Set<String> operators, Set<String> publishers) {

    public static final AccessPolicy OWNERS = new AccessPolicy(Set.of(), Set.of());

    public AccessPolicy {
        operators = Set.copyOf(operators);
        publishers = Set.copyOf(publishers);
    }

    public boolean isOperator(Subject subject) {
        return !subject.isKnown() || operators.contains(subject.name());
    }

    /** Whether a subject may do something to an agreement of an owner. */
    public boolean mayTouch(Subject subject, String owner, Action action) {
        return isOperator(subject) || subject.name().equals(owner) && subject.may(action);
    }

    public boolean mayOffer(Subject subject) {
        return isOperator(subject) || subject.may(Action.CREATE);
    }

    public boolean mayPublish(Subject subject) {
        return isOperator(subject) || publishers.contains(subject.name());
    }
}
