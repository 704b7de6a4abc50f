package org.metasched.trust;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Requester;

/**
 * The caller of a request, as the listener identified it once.
 *
 * @param kind kind of its credential
 * @param name a certificate's subject in the slash form, the name of a password, or "issuer,sub" of a token, whole: no
 *     part of it is compared alone
 * @param groups groups of a token without capabilities, in their order; the first is the primary one
 * @param actions actions on jobs that a token's capabilities allow; empty for other kinds
 * @param byCapability whether a token has any capability; then its actions alone count
 * @param limited whether the credential may not be used to submit work (a limited proxy certificate)
 */
public record Subject(
        Kind kind, String name, List<String> groups, Set<Action> actions, boolean byCapability, boolean limited) {

    /** Name of the request attribute into which a listener puts the subject. */
    public static final String ATTRIBUTE = Subject.class.getName();

    /** A caller without a credential. */
    public static final Subject ANONYMOUS = new Subject(Kind.ANONYMOUS, "", List.of(), Set.of(), false, false);

    /** Kinds of credentials. */
    public enum Kind {
        ANONYMOUS,
        CERTIFICATE,
        PASSWORD,
        TOKEN
    }

    /** Kinds of actions: one for each scope {@code compute.*} of the WLCG profile. */
    public enum Action {
        READ,
        CREATE,
        MODIFY,
        CANCEL
    }

    public Subject {
        groups = List.copyOf(groups);
        actions = Set.copyOf(actions);
    }

    /** The owner of a certificate with this subject. */
    public static Subject ofCertificate(String name) {
        return new Subject(Kind.CERTIFICATE, name, List.of(), Set.of(), false, false);
    }

    /** A caller who proved a name by its password. */
    public static Subject ofPassword(String name) {
        return new Subject(Kind.PASSWORD, name, List.of(), Set.of(), false, false);
    }

    /** The subject for whom this one speaks, with the rights of this one's credential. */
    public Subject as(String other) {
        return new Subject(kind, other, List.of(), actions, byCapability, limited);
    }

    /** The person for whom a site reserves; empty for a caller without a credential. */
    public Optional<Requester> requester() {
        return isKnown() ? Optional.of(new Requester(name)) : Optional.empty();
    }

    public boolean isKnown() {
        return kind != Kind.ANONYMOUS;
    }

    /**
     * Whether the credential allows an action: a token by its capabilities; a certificate or password every one, or reading alone if it is
     * limited.
     */
    public boolean may(Action action) {
        return switch (kind) {
            case ANONYMOUS -> false;
            case CERTIFICATE, PASSWORD -> !limited || action == Action.READ;
            case TOKEN -> actions.contains(action);
        };
    }

    @Override
    public String toString() {
        return isKnown() ? name : "anonymous";
    }
}
