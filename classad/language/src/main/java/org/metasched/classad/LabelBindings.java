package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names for ads that are bound one at a time, as a gang's ports bind their candidates: {@code cpu.Memory} is the Memory of
 * whatever ad the label {@code cpu} is bound to, and UNDEFINED while it is bound to none. Binding makes no objects.
 *
 * <p>Not thread-safe: labels belong to one search.
 */
public final class LabelBindings {

    private final List<Scope.Ref> references = new ArrayList<>();
    private final Scope scope;

    /** Labels around which there is nothing else; a repeated label keeps its first place and last meaning. */
    public LabelBindings(List<String> labels, LookupMode mode, Limits limits) {
        for (int i = 0; i < labels.size(); i++) {
            references.add(new Scope.Ref());
        }
        scope = new Scope(ClassAd.of(labels, references), null, mode, limits);
    }

    /** Labels in new mode. */
    public static LabelBindings of(String... labels) {
        return new LabelBindings(List.of(labels), LookupMode.NEW, Limits.DEFAULT);
    }

    /** Evaluations in these labels' places see that time from now on, and draw their random numbers from its source. */
    public void at(EvaluationTime moment) {
        scope.during(new EvaluationClock(moment));
    }

    /** Binds the label of that index; null unbinds it. */
    public void bind(int label, @Nullable Scope target) {
        bind(label, target == null ? Value.UNDEFINED : target.record());
    }

    /** Binds the label of that index to a value, such as a list of ads. */
    public void bind(int label, Value value) {
        references.get(label).bind(value);
    }

    /** The place of an ad that sees these labels behind its own attributes. */
    public Scope scope(ClassAd ad) {
        return scope.inner(ad);
    }

    /** The place of an ad inside another, as a port in its holder: own attributes, then the holder's, then the labels. */
    public Scope scope(ClassAd inner, ClassAd holder) {
        return scope.inner(holder).inner(inner);
    }
}
