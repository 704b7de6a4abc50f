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

    /** What an ad's own label is also called in a port. */
    private static final List<String> ALIASES = List.of("target", "other");

    /** An expression that takes longer than this is not met: one hostile ad is evaluated against every other. */
    static final Limits LIMITS = Limits.DEFAULT.withEvaluationSteps(100_000);

    private final EvaluationSite place;
    private final List<EvaluationSite.Label> lists = new ArrayList<>();
    private final List<LabelLink> bonds = new ArrayList<>();
    private final @Nullable LabelBindings labels;
    private @Nullable MatchContext context;
    private Scope inner;
    private @Nullable Object synchronisedFor;

    PlaceScopes(EvaluationSite place) {
        this.place = place;
        ClassAd port = place.side().port();
        if (port == null) {
            labels = null;
            inner = Scope.of(place.side().holder(), LookupMode.OLD, LIMITS);
        } else {
            labels = labelsOf(place);
            inner = labels.scope(port, place.side().holder());
        }
    }

    private LabelBindings labelsOf(EvaluationSite place) {
        var names = new ArrayList<String>(ALIASES);
        bonds.add(place.own());
        bonds.add(place.own());
        names.add(place.side().label());
        bonds.add(place.own());
        for (EvaluationSite.Label label : place.earlier()) {
            if (label.isList()) {
                lists.add(label);
            } else {
                names.add(label.name());
                bonds.add(label.bonds().get(0));
            }
        }
        return new LabelBindings(names, LookupMode.OLD, LIMITS);
    }

    /** The scope of a level, with all labels bound as the bonds are now. */
    Scope at(EvaluationSite.Level level) {
        follow(new Object());
        if (level == place.inner()) {
            return inner;
        }
        Scope holder = inner.parent();
        return holder == null ? inner : holder;
    }

    private void follow(Object evaluation) {
        if (synchronisedFor == evaluation) {
            return;
        }
        synchronisedFor = evaluation;
        if (labels == null) {
            followWhole(evaluation);
            return;
        }
        for (int i = 0; i < bonds.size(); i++) {
            labels.bind(i, scopeOf(bonds.get(i), evaluation));
        }
        ClassAd port = place.side().port();
        if (!lists.isEmpty() && port != null) {
            inner = labels.scope(listLabels(evaluation))
                    .inner(place.side().holder())
                    .inner(port);
        }
    }

    private static @Nullable Scope scopeOf(LabelLink bond, Object evaluation) {
        EvaluationSite peer = bond.peer();
        if (peer == null) {
            return null;
        }
        PlaceScopes scopes = peer.scopes();
        scopes.follow(evaluation);
        return scopes.inner;
    }

    /** Labels of several neighbours as lists of ads: {@code cpus.Memory} is then the list of their memories. */
    private ClassAd listLabels(Object evaluation) {
        ClassAd ad = ClassAd.EMPTY;
        for (EvaluationSite.Label label : lists) {
            var members = new ArrayList<Value>();
            for (LabelLink bond : label.bonds()) {
                Scope scope = scopeOf(bond, evaluation);
                if (scope != null) {
                    members.add(new Value.Record(scope));
                }
            }
            ad = ad.with(label.name(), Literal.of(Value.ListOf.of(members)));
        }
        return ad;
    }

    private void followWhole(Object evaluation) {
        EvaluationSite peer = place.own().peer();
        ClassAd ad = place.side().holder();
        if (peer == null) {
            inner = Scope.of(ad, LookupMode.OLD, LIMITS);
        } else if (peer.side().isWhole()) {
            MatchContext both = context;
            if (both == null) {
                both = new MatchContext(LookupMode.OLD, Dialect.REFERENCE, LIMITS);
                context = both;
            }
            both.left(ad);
            both.right(peer.side().holder());
            inner = both.leftScope();
        } else {
            // What a whole ad lacks is looked up on the other side, so the other side stands around it.
            PlaceScopes other = peer.scopes();
            other.follow(evaluation);
            var target = Literal.of(new Value.Record(other.inner));
            ClassAd names = ClassAd.of(List.of("target", "other"), List.of(target, target));
            inner = other.inner.inner(names).inner(ad);
        }
    }
}
