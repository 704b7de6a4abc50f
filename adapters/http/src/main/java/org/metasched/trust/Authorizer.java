package org.metasched.trust;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.metasched.adapter.SubjectName;
import org.metasched.trust.AccessPolicy.Decision;
import org.metasched.trust.AccessPolicy.Vo;
import org.metasched.trust.Quotas.Limits;
import org.metasched.trust.Quotas.Use;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authorizes every operation: decides by the policy, counts requests of each subject, and records the decision. Thread-safe. */
public final class Authorizer {

    private static final Logger LOG = LoggerFactory.getLogger(Authorizer.class);
    /** Refused strangers and credentials of a network that are recorded within a minute. */
    private static final int MOST_REFUSALS = 100;

    private static final String PORT = ":\\d+$";

    /** Allows all operations and records none. */
    public static final Authorizer OPEN = new Authorizer(AccessPolicy.OPEN, Quotas.NONE, AuditLog.NONE);

    /**
     * One request.
     *
     * @param operation id as in {@link Operation}
     * @param from address and port of the sender
     */
    public record Call(Subject subject, String operation, String from) {

        /** The same caller's call of another operation, as a part of this one. */
        public Call during(String other) {
            return new Call(subject, other, from);
        }
    }

    private volatile AccessPolicy policy;
    private final Quotas quotas;
    private final AuditLog audit;
    private final AttemptCounter refusals = new AttemptCounter();

    public Authorizer(AccessPolicy policy, Quotas quotas, AuditLog audit) {
        this.policy = policy;
        this.quotas = quotas;
        this.audit = audit;
    }

    /** Decides by another policy and other limits from now on; offers under way stay counted. */
    public void use(AccessPolicy other, Quotas limits) {
        policy = other;
        quotas.use(limits);
    }

    public AccessPolicy policy() {
        return policy;
    }

    /**
     * Records that a credential was refused: at most a hundred a minute from one network, so that no stranger fills the log.
     *
     * @param credential kind of the credential
     * @param operation requested operation, as far as it is known
     */
    public void refused(String credential, String operation, String from, String reason) {
        LOG.info("A credential ({}) from {} is refused: {}", credential, from.replaceFirst(PORT, ""), reason);
        if (isRecorded(from)) {
            try {
                audit.write(
                        new Call(Subject.ANONYMOUS, operation, from),
                        "",
                        "",
                        new Decision(false, "the credential (" + credential + ") is refused: " + reason));
            } catch (NotAllowedException e) {
                LOG.debug("A refusal is not in the record, which cannot be written", e);
            }
        }
    }

    /** Counts a refusal, and decides whether it is recorded. */
    private boolean isRecorded(String from) {
        return refusals.add(network(from), audit.time()) <= MOST_REFUSALS;
    }

    private static String network(String from) {
        return NetworkPrefix.ofConnection(from.replaceFirst(PORT, ""));
    }

    /**
     * Records that a person signed in.
     *
     * @throws NotAllowedException when it cannot be written down
     */
    public void signedIn(Call call) {
        audit.write(call, "", "", policy.decide(call.subject(), call.operation(), Optional.empty()));
    }

    /**
     * Decides an operation before anything is looked up. Records a final decision: a denial (of a stranger, at most a hundred a minute from
     * one network), or an operation without an object. For an allowed log-in {@link #signedIn} or {@link #refused} records the outcome.
     *
     * @throws NotAllowedException when the caller may not, or asks too often, or the decision cannot be recorded
     */
    public void enter(Call call) {
        var decision = policy.decide(call.subject(), call.operation(), Optional.empty());
        boolean isFinal = !decision.isAllowed()
                || !Operation.isLogIn(call.operation())
                        && Operation.find(call.operation())
                                .map(o -> !o.hasObject())
                                .orElse(true);
        if (isFinal && (decision.isAllowed() || call.subject().isKnown() || isRecorded(call.from()))) {
            audit.write(call, "", "", decision);
        } else {
            audit.check();
        }
        if (!decision.isAllowed()) {
            throw new NotAllowedException("The sender may not do this here.", false);
        }
        if (!isExempt(call.subject()) && !tryAsk(call)) {
            throw new NotAllowedException("The sender asks too often; come again in a second.", true);
        }
    }

    /** Counts a request; false if the subject, its VO, or a stranger's network asks too often. */
    private boolean tryAsk(Call call) {
        String name = call.subject().name();
        return quotas.tryAsk(call.subject().isKnown() ? name : "from\n" + network(call.from()), quotas.ofSubject())
                && policy.voOf(name)
                        .filter(vo -> !quotas.tryAsk(account(vo), quotas.ofVo(vo.name())))
                        .isEmpty();
    }

    /** The name of a VO in the quotas, which is no subject's: names of subjects have no line ends. */
    private static String account(Vo vo) {
        return "vo\n" + vo.name();
    }

    /**
     * Decides an operation on an object, and records the decision.
     *
     * @throws NotAllowedException when it cannot be written down
     */
    public boolean permits(Call call, ProtectedResource resource) {
        return permits(call, resource, "");
    }

    /**
     * Decides an operation on an object, and records the decision.
     *
     * @param behalf subject on whose behalf the caller acts; empty for its own
     * @throws NotAllowedException when it cannot be written down
     */
    public boolean permits(Call call, ProtectedResource resource, String behalf) {
        var decision = policy.decide(call.subject(), call.operation(), Optional.of(resource));
        audit.write(call, resource.toString(), behalf, decision);
        return decision.isAllowed();
    }

    /** Whether the caller may see one of many objects; the decision is not recorded. */
    public boolean shows(Call call, ProtectedResource resource) {
        return policy.decide(call.subject(), call.operation(), Optional.of(resource))
                .isAllowed();
    }

    /** Whether a subject may see data of the whole server, as it may see its metrics. */
    public boolean looksAfterServer(Subject subject) {
        return policy.decide(subject, "GET /metrics", Optional.empty()).isAllowed();
    }

    /**
     * Records an operation on many objects in one message.
     *
     * @throws NotAllowedException when it cannot be written down
     */
    public void note(Call call, String what) {
        audit.write(call, what, "", new Decision(true, "decided for each"));
    }

    /**
     * Whether a subject may have one more agreement.
     *
     * @param nodeHours node-hours of the agreement's reservations
     * @param held use by all subjects whose names fit a predicate; called only if limits apply
     * @return the reason against it, as the end of a sentence that begins with "The sender"; empty if it may
     */
    public Optional<String> mayNotHold(Subject subject, double nodeHours, Function<Predicate<String>, Use> held) {
        if (isExempt(subject)) {
            return Optional.empty();
        }
        if (!held.apply(isOf(subject)).fits(quotas.ofSubject(), nodeHours)) {
            return Optional.of("has as many agreements or node-hours as one may have");
        }
        return policy.voOf(subject.name())
                .filter(vo -> !quotas.ofVo(vo.name()).equals(Limits.NONE))
                .filter(vo -> !held.apply(vo::has).fits(quotas.ofVo(vo.name()), nodeHours))
                .map(vo ->
                        "belongs to VO " + vo.name() + ", which has as many agreements or node-hours as it may have");
    }

    /**
     * Whether a subject may have more matches of a site.
     *
     * @param held number of matches there of all subjects whose names fit a predicate; called only if a limit applies
     * @return the reason against it, a sentence; empty if it may
     */
    public Optional<String> mayNotTake(
            Subject subject, String site, int matches, ToLongFunction<Predicate<String>> held) {
        for (var allowance : allowances(subject)) {
            int most = allowance.limits().matchesPerSite();
            long has = most == Integer.MAX_VALUE ? 0 : held.applyAsLong(allowance.members());
            if (has + matches > most) {
                String who = allowance.vo().isEmpty() ? "The sender" : "The sender's VO " + allowance.vo();
                return Optional.of(who + " has " + has + " matches of " + site + " and asks for " + matches
                        + " more; it may have " + most + ".");
            }
        }
        return Optional.empty();
    }

    private static Predicate<String> isOf(Subject subject) {
        return name -> SubjectName.isSame(name, subject.name());
    }

    /**
     * Bounds of a subject, or of its VO.
     *
     * @param vo name of the VO; empty for the subject alone
     * @param members test of the names of subjects whose use counts
     */
    public record Allowance(String vo, Limits limits, Predicate<String> members) {}

    /** Allowances of a subject, and of its VO. */
    public List<Allowance> allowances(Subject subject) {
        var own = new Allowance("", isExempt(subject) ? Limits.NONE : quotas.ofSubject(), isOf(subject));
        return policy.voOf(subject.name())
                .map(vo -> List.of(own, new Allowance(vo.name(), quotas.ofVo(vo.name()), vo::has)))
                .orElse(List.of(own));
    }

    /**
     * Counts an offer.
     *
     * @return action to run when it is decided; empty when the subject, or its VO, has too many under way
     */
    public Optional<Runnable> offer(Subject subject) {
        if (isExempt(subject)) {
            return Optional.of(() -> {});
        }
        return quotas.offer(subject.name(), quotas.ofSubject()).flatMap(own -> {
            var common = policy.voOf(subject.name())
                    .map(vo -> quotas.offer(account(vo), quotas.ofVo(vo.name())))
                    .orElse(Optional.of(() -> {}));
            if (common.isEmpty()) {
                own.run();
            }
            return common.map(theirs -> () -> {
                own.run();
                theirs.run();
            });
        });
    }

    /** The most bytes of ads that a subject may have; {@link Integer#MAX_VALUE} for no limit. */
    public int mostAdBytes(Subject subject) {
        return isExempt(subject) ? Integer.MAX_VALUE : quotas.ofSubject().adBytes();
    }

    /** Whether quotas do not apply to a subject. */
    private boolean isExempt(Subject subject) {
        var roles = policy.rolesOf(subject);
        return roles.contains(Role.OPERATOR) || roles.contains(Role.SERVER);
    }
}
