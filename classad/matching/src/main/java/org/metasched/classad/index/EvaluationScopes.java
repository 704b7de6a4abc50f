package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.LabelBindings;
import org.metasched.classad.Limits;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * The scopes of an {@link EvaluationSite}: those of a port, its ad and the labels in scope, or those of two whole ads that face each
 * other. A <em>whole</em> ad is one without ports. The scopes follow the links: each evaluation first binds the labels of all evaluation
 * sites that it can reach.
 */
final class EvaluationScopes {

    /** Limits of an evaluation, since a hostile ad may be evaluated against every other one; a constraint that exceeds them is not met. */
    static final Limits LIMITS = Limits.DEFAULT.withEvaluationSteps(100_000);

    private final EvaluationSite site;

    /** The labels in scope of a port; null for a whole ad. */
    private final @Nullable LabelBindings bindings;

    private final List<EvaluationSite.Label> labels = new ArrayList<>();

    /** The two ads that face each other; made at the first evaluation against a whole ad. */
    private @Nullable MatchContext context;

    private Scope inner;

    /** The evaluation for which all labels are bound. */
    private @Nullable Object boundFor;

    EvaluationScopes(EvaluationSite site) {
        this.site = site;
        MatchParty side = site.side();
        ClassAd port = side.port();
        if (port == null) {
            bindings = null;
            inner = Scope.of(side.holder(), LookupMode.OLD, LIMITS);
        } else {
            for (String name : List.of("target", "other", side.label())) {
                labels.add(new EvaluationSite.Label(name, List.of(site.own()), false));
            }
            labels.addAll(site.earlier);
            List<String> names = labels.stream().map(EvaluationSite.Label::name).toList();
            bindings = new LabelBindings(names, LookupMode.OLD, LIMITS);
            inner = bindings.scope(port, side.holder());
        }
    }

    /** The scope of a level, after all labels are bound to what the links show now. */
    Scope at(EvaluationSite.Level level) {
        Scope port = follow(new Object());
        Scope holder = port.parent();
        return level == site.inner() || holder == null ? port : holder;
    }

    /**
     * Binds all labels that are in reach, each once in an evaluation; returns the inner scope.
     *
     * @param evaluation identity of the evaluation
     */
    private Scope follow(Object evaluation) {
        if (boundFor != evaluation) {
            boundFor = evaluation;
            if (bindings == null) {
                inner = facing(site.own().peer(), evaluation);
            }
            for (int i = 0; i < labels.size() && bindings != null; i++) {
                EvaluationSite.Label label = labels.get(i);
                if (label.isList()) {
                    bindings.bind(i, listOf(label, evaluation));
                } else {
                    bindings.bind(i, scopeOf(label.links().get(0), evaluation));
                }
            }
        }
        return inner;
    }

    private static @Nullable Scope scopeOf(LabelLink link, Object evaluation) {
        EvaluationSite peer = link.peer();
        return peer == null ? null : peer.scopes().follow(evaluation);
    }

    /** A label of several neighbours as a list of ads: {@code cpus.Memory} is then the list of their memories. */
    private static Value listOf(EvaluationSite.Label label, Object evaluation) {
        var members = new ArrayList<Value>();
        for (LabelLink link : label.links()) {
            Scope scope = scopeOf(link, evaluation);
            if (scope != null) {
                members.add(new Value.Record(scope));
            }
        }
        return Value.ListOf.of(members);
    }

    /** The scope of a whole ad that faces the other side. */
    private Scope facing(@Nullable EvaluationSite peer, Object evaluation) {
        ClassAd ad = site.side().holder();
        if (peer == null) {
            return Scope.of(ad, LookupMode.OLD, LIMITS);
        }
        if (peer.side().isWhole()) {
            MatchContext both = context == null ? new MatchContext(LookupMode.OLD, Dialect.REFERENCE, LIMITS) : context;
            context = both;
            both.left(ad);
            both.right(peer.side().holder());
            return both.leftScope();
        }
        // A name that a whole ad lacks is looked up on the other side, so the other side is the scope around it.
        Scope other = peer.scopes().follow(evaluation);
        var target = Literal.of(new Value.Record(other));
        ClassAd names = ClassAd.of(List.of("target", "other"), List.of(target, target));
        return other.inner(names).inner(ad);
    }
}
