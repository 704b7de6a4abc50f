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

/** Guards every operation: decides by the policy, counts requests of each subject, and records the decision. Thread-safe. */
public final class Authorizer {

    private static final Logger LOG = LoggerFactory.getLogger(Authorizer.class);
    private static final int MOST_REFUSALS = 100;

    /** Lets everybody in and writes nothing down. */
    public static final Authorizer OPEN = new Authorizer(AccessPolicy.OPEN, Quotas.NONE, AuditLog.NONE);

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

    private volatile AccessPolicy policy;
    private final Quotas quotas;
    private final AuditLog audit;
    private final AttemptCounter refusals = new AttemptCounter();

    public Authorizer(AccessPolicy policy, Quotas quotas, AuditLog audit) {
        this.policy = policy;
        this.quotas = quotas;
        this.audit = audit;
    }

    /** Decides by another policy and other limits from now on; what is under way stays counted. */
    public void use(AccessPolicy other, Quotas limits) {
        policy = other;
        quotas.use(limits);
    }

    public AccessPolicy policy() {
        return policy;
    }

    /**
     * Writes down that a credential proved nothing: a hundred a minute of an address, so that no stranger fills the record.
     *
     * @param method kind of the credential
     * @param operation that was asked for, as far as is known
     */
    public void refused(String method, String operation, String from, String reason) {
        String address = from.replaceFirst(":\\d+$", "");
        LOG.info("A credential ({}) from {} is refused: {}", method, address, reason);
        if (refusals.add(address, audit.time()) <= MOST_REFUSALS) {
            try {
                audit.write(
                        new Call(Subject.ANONYMOUS, operation, from),
                        "",
                        "",
                        new Decision(false, "the credential (" + method + ") is refused: " + reason));
            } catch (NotAllowedException e) {
                LOG.debug("A refusal is not in the record, which cannot be written", e);
            }
        }
    }

    /**
     * Writes down that a person proved who it is.
     *
     * @throws NotAllowedException when it cannot be written down
     */
    public void signedIn(Call call) {
        audit.write(call, "", "", policy.decide(call.subject(), call.operation(), Optional.empty()));
    }

    /**
     * Decides an operation before anything is looked up. Writes down what is final: a denial, and an operation without an object.
     * Of a log-in that is allowed, {@link #signedIn} or {@link #refused} writes the outcome.
     *
     * @throws NotAllowedException when the caller may not, or asks too often, or what is decided cannot be written down
     */
    public void enter(Call call) {
        var decision = policy.decide(call.subject(), call.operation(), Optional.empty());
        boolean isFinal = !decision.isAllowed()
                || !Operation.isLogIn(call.operation())
                        && Operation.find(call.operation())
                                .map(o -> !o.hasObject())
                                .orElse(true);
        if (isFinal) {
            audit.write(call, "", "", decision);
        } else {
            audit.check();
        }
        if (!decision.isAllowed()) {
            throw new NotAllowedException("The sender may not do this here.", false);
        }
        if (!isExempt(call.subject()) && !tryAsk(call.subject())) {
            throw new NotAllowedException("The sender asks too often; come again in a second.", true);
        }
    }

    private boolean tryAsk(Subject subject) {
        return quotas.tryAsk(subject.name(), quotas.ofSubject())
                && policy.voOf(subject)
                        .filter(vo -> !quotas.tryAsk(account(vo), quotas.ofVo(vo.name())))
                        .isEmpty();
    }

    /** No subject is called so: names of subjects have no line ends. */
    private static String account(Vo vo) {
        return "vo\n" + vo.name();
    }

    /**
     * Decides an operation at its object, and writes the decision down.
     *
     * @throws NotAllowedException when it cannot be written down
     */
    public boolean permits(Call call, ProtectedResource thing) {
        return permits(call, thing, "");
    }

    /** @param behalf on whose behalf the caller acts, if it is not its own */
    public boolean permits(Call call, ProtectedResource thing, String behalf) {
        var decision = policy.decide(call.subject(), call.operation(), Optional.of(thing));
        audit.write(call, thing.toString(), behalf, decision);
        return decision.isAllowed();
    }

    /** Whether one of many objects is shown: decided, and not written down. */
    public boolean shows(Call call, ProtectedResource thing) {
        return policy.decide(call.subject(), call.operation(), Optional.of(thing))
                .isAllowed();
    }

    /** Whether what concerns the whole server is shown to a subject, as its figures are. */
    public boolean looksAfterServer(Subject subject) {
        return policy.decide(subject, "GET /metrics", Optional.empty()).isAllowed();
    }

    /**
     * Writes down what is about to be done to many objects in one message.
     *
     * @throws NotAllowedException when it cannot be written down
     */
    public void note(Call call, String what) {
        audit.write(call, what, "", new Decision(true, "decided for each"));
    }

    /**
     * Whether a subject may have one more agreement.
     *
     * @param nodeHours of its reservations
     * @param held what subjects with such names hold, asked when it matters
     * @return why not, a predicate of which the sender is the subject; empty when it may
     */
    public Optional<String> mayNotHold(Subject subject, double nodeHours, Function<Predicate<String>, Use> held) {
        if (isExempt(subject)) {
            return Optional.empty();
        }
        if (!held.apply(isOf(subject)).fits(quotas.ofSubject(), nodeHours)) {
            return Optional.of("has as many agreements or node-hours as one may have");
        }
        return policy.voOf(subject)
                .filter(vo -> !quotas.ofVo(vo.name()).equals(Limits.NONE))
                .filter(vo -> !held.apply(vo::has).fits(quotas.ofVo(vo.name()), nodeHours))
                .map(vo ->
                        "belongs to VO " + vo.name() + ", which has as many agreements or node-hours as it may have");
    }

    /**
     * Whether a subject may have more matches of a site.
     *
     * @param held counts the matches there of subjects with such names, asked when it matters
     * @return why not, a sentence; empty when it may
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
     * @param vo its name; empty for the subject alone
     * @param members whose use counts
     */
    public record Allowance(String vo, Limits limits, Predicate<String> members) {}

    /** Allowances of a subject, and of its VO. */
    public List<Allowance> allowances(Subject subject) {
        var own = new Allowance("", isExempt(subject) ? Limits.NONE : quotas.ofSubject(), isOf(subject));
        return policy.voOf(subject)
                .map(vo -> List.of(own, new Allowance(vo.name(), quotas.ofVo(vo.name()), vo::has)))
                .orElse(List.of(own));
    }

    /** @return what to run when the offer is decided; empty when the subject, or its VO, has too many under way */
    public Optional<Runnable> offer(Subject subject) {
        if (isExempt(subject)) {
            return Optional.of(() -> {});
        }
        return quotas.offer(subject.name(), quotas.ofSubject()).flatMap(own -> {
            var common = policy.voOf(subject)
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

    /** Bytes of ads that a subject may have; {@link Integer#MAX_VALUE} for no bound. */
    public int mostAdBytes(Subject subject) {
        return isExempt(subject) ? Integer.MAX_VALUE : quotas.ofSubject().adBytes();
    }

    private boolean isExempt(Subject subject) {
        var roles = policy.rolesOf(subject);
        return roles.contains(Role.OPERATOR) || roles.contains(Role.SERVER);
    }
}
