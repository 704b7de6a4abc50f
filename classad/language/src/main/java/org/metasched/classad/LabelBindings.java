package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Labels that are bound to ads, like the labels of a gang's ports to their candidates: {@code cpu.Memory} is the Memory of the ad to
 * which the label {@code cpu} is bound, and UNDEFINED while it is bound to none. Binding a label makes no objects.
 *
 * <p>Not thread-safe: each search has its own labels.
 */
public final class LabelBindings {

    private final List<Scope.Ref> references = new ArrayList<>();
    private final Scope scope;

    /**
     * Unbound labels.
     *
     * @param labels the names of the labels, each with its index in this list; of a repeated name, only the last index counts
     */
    public LabelBindings(List<String> labels, LookupMode mode, Limits limits) {
        for (int i = 0; i < labels.size(); i++) {
            references.add(new Scope.Ref());
        }
        scope = new Scope(ClassAd.of(labels, references), null, mode, limits);
    }

    /** Unbound labels in {@link LookupMode#NEW}. */
    public static LabelBindings of(String... labels) {
        return new LabelBindings(List.of(labels), LookupMode.NEW, Limits.DEFAULT);
    }

    /** Sets the time that evaluations in scopes made from now on see, and the source of their random numbers. */
    public void at(EvaluationTime moment) {
        scope.setClock(new EvaluationClock(moment));
    }

    /** Binds the label of an index to the ad of a scope; null unbinds it. */
    public void bind(int label, @Nullable Scope target) {
        bind(label, target == null ? Value.UNDEFINED : target.record());
    }

    /** Binds the label of an index to a value, such as a list of ads. */
    public void bind(int label, Value value) {
        references.get(label).bind(value);
    }

    /** The scope of an ad in which names are looked up in the ad, then among the labels. */
    public Scope scope(ClassAd ad) {
        return scope.inner(ad);
    }

    /**
     * The scope of an ad inside another, as a port inside its holder: names are looked up in it, then in the holder, then among the
     * labels.
     */
    public Scope scope(ClassAd inner, ClassAd holder) {
        return scope.inner(holder).inner(inner);
    }
}
