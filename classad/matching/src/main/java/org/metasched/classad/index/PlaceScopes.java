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
 * The scopes in which the evaluator sees a {@link EvaluationSite}: a port inside its ad with the labels behind both, or two whole ads
 * face to face. They follow the bonds: each evaluation first binds the labels of all places it can reach.
 */
final class PlaceScopes {

    /** An expression that takes longer than this is not met: one hostile ad is evaluated against every other. */
    static final Limits LIMITS = Limits.DEFAULT.withEvaluationSteps(100_000);

    private final EvaluationSite place;

    /** The labels in scope of a port; null for an ad that is whole. */
    private final @Nullable LabelBindings bindings;

    private final List<EvaluationSite.Label> labels = new ArrayList<>();
    private @Nullable MatchContext context;
    private Scope inner;
    private @Nullable Object synchronisedFor;

    PlaceScopes(EvaluationSite place) {
        this.place = place;
        MatchParty side = place.side();
        ClassAd port = side.port();
        if (port == null) {
            bindings = null;
            inner = Scope.of(side.holder(), LookupMode.OLD, LIMITS);
        } else {
            for (String name : List.of("target", "other", side.label())) {
                labels.add(new EvaluationSite.Label(name, List.of(place.own()), false));
            }
            labels.addAll(place.earlier);
            List<String> names = labels.stream().map(EvaluationSite.Label::name).toList();
            bindings = new LabelBindings(names, LookupMode.OLD, LIMITS);
            inner = bindings.scope(port, side.holder());
        }
    }

    /** The scope of a level, with all labels bound as the bonds are now. */
    Scope at(EvaluationSite.Level level) {
        Scope port = follow(new Object());
        Scope holder = port.parent();
        return level == place.inner() || holder == null ? port : holder;
    }

    private Scope follow(Object evaluation) {
        if (synchronisedFor != evaluation) {
            synchronisedFor = evaluation;
            if (bindings == null) {
                inner = facing(place.own().peer(), evaluation);
            }
            for (int i = 0; i < labels.size() && bindings != null; i++) {
                EvaluationSite.Label label = labels.get(i);
                if (label.isList()) {
                    bindings.bind(i, listOf(label, evaluation));
                } else {
                    bindings.bind(i, scopeOf(label.bonds().get(0), evaluation));
                }
            }
        }
        return inner;
    }

    private static @Nullable Scope scopeOf(LabelLink bond, Object evaluation) {
        EvaluationSite peer = bond.peer();
        return peer == null ? null : peer.scopes().follow(evaluation);
    }

    /** A label of several neighbours as a list of ads: {@code cpus.Memory} is then the list of their memories. */
    private static Value listOf(EvaluationSite.Label label, Object evaluation) {
        var members = new ArrayList<Value>();
        for (LabelLink bond : label.bonds()) {
            Scope scope = scopeOf(bond, evaluation);
            if (scope != null) {
                members.add(new Value.Record(scope));
            }
        }
        return Value.ListOf.of(members);
    }

    /** The scope of an ad that is whole, opposite another. */
    private Scope facing(@Nullable EvaluationSite peer, Object evaluation) {
        ClassAd ad = place.side().holder();
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
        // What a whole ad lacks is looked up on the other side, so the other side stands around it.
        Scope other = peer.scopes().follow(evaluation);
        var target = Literal.of(new Value.Record(other));
        ClassAd names = ClassAd.of(List.of("target", "other"), List.of(target, target));
        return other.inner(names).inner(ad);
    }
}
