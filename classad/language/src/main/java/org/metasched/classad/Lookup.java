package org.metasched.classad;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Name;

/** Attribute references and selections, each remembering where in the last ad the name was. */
final class Lookup {

    /** So many names of an ad are worth reading ahead. */
    private static final int MOST_ASKED = 4;

    private Lookup() {}

    /**
     * A name and its memory: the same place is looked at first in ads of any shape, since ads that differ as a rule begin alike.
     * Races on the memory are harmless: it is checked before use.
     */
    static final class Memo {

        final Name name;
        final boolean special;
        private int last = -1;

        /** A shape that has no such name. */
        private Shape lacking = Shape.EMPTY;

        Memo(Name name) {
            this.name = name;
            this.special = BuiltInAttributes.isKnown(name);
        }

        @Nullable
        Expr in(ClassAd ad) {
            int index = last;
            if (index >= 0 && ad.hasAt(index, name)) {
                return ad.slot(index);
            }
            return ad.shape() == lacking ? null : search(ad);
        }

        private @Nullable Expr search(ClassAd ad) {
            Shape shape = ad.shape();
            int index = shape.indexOf(name);
            if (index >= 0) {
                last = index;
                return ad.slot(index);
            }
            if (shape.isShared()) {
                lacking = shape;
            }
            return null;
        }
    }

    /** The first names that an expression asks of the ad that its own one faces. */
    static Memo[] askedOfOther(@Nullable Expr expr, ClassAd own) {
        var names = new LinkedHashSet<Name>();
        if (expr != null) {
            addAsked(expr, own, names);
        }
        return names.stream().map(Memo::new).toArray(Memo[]::new);
    }

    private static void addAsked(Expr expr, ClassAd own, Set<Name> into) {
        if (into.size() == MOST_ASKED) {
            return;
        }
        if (expr instanceof Selection selection && (selection.isFrom("target") || selection.isFrom("other"))) {
            into.add(selection.key());
        } else if (expr instanceof AttributeRef ref) {
            if (!BuiltInAttributes.isKnown(ref.key()) && own.expression(ref.key()) == null) {
                into.add(ref.key());
            }
        } else {
            expr.children().forEach(part -> addAsked(part, own, into));
        }
    }

    /** A reference that was found: evaluates the expression in the place it was found. */
    private abstract static class Found extends CompiledExpr {

        /** The expression, its place in {@link Evaluation#found}; null for UNDEFINED. */
        abstract @Nullable Expr find(Evaluation e, Scope s);

        @Override
        public Value value(Evaluation e, Scope s) {
            Expr expr = find(e, s);
            if (expr instanceof Literal literal) {
                return literal.value();
            }
            return expr == null ? Value.UNDEFINED : e.value(expr, e.found);
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            Expr expr = find(e, s);
            if (expr instanceof Literal literal) {
                return CompiledExpr.truthOf(literal.value());
            }
            return expr == null ? UNDEFINED : e.truth(expr, e.found);
        }

        @Override
        public int number(Evaluation e, Scope s) {
            Expr expr = find(e, s);
            if (expr instanceof Literal literal) {
                return literal.number(e);
            }
            return expr == null ? UNDEFINED : e.number(expr, e.found);
        }
    }

    /** {@code name}: the own ad, the ads around it, and for a matched ad in old mode the other ad. */
    static final class Plain extends Found {

        private final Memo own;
        private final Memo others;

        Plain(Name name) {
            own = new Memo(name);
            others = new Memo(name);
        }

        @Override
        @Nullable
        Value known(Scope s) {
            return own.in(s.ad()) instanceof Literal literal ? literal.value() : null;
        }

        @Override
        @Nullable
        Expr find(Evaluation e, Scope s) {
            Expr expr = own.in(s.ad());
            if (expr != null) {
                e.found = s;
                return expr;
            }
            return elsewhere(e, s);
        }

        private @Nullable Expr elsewhere(Evaluation e, Scope s) {
            Scope opposite = s.other();
            if (own.special || opposite == null) {
                Expr expr = e.lookup(own.name, s);
                if (expr != null || opposite == null) {
                    return expr;
                }
            }
            if (s.mode() == LookupMode.NEW) {
                return null;
            }
            Expr expr = others.in(opposite.ad());
            e.found = opposite;
            return expr;
        }
    }

    /** {@code .name}: from the outermost ad. */
    static final class Absolute extends Found {

        private final Name name;

        Absolute(Name name) {
            this.name = name;
        }

        @Override
        @Nullable
        Expr find(Evaluation e, Scope s) {
            return e.lookup(name, s.root());
        }
    }

    /** {@code TARGET.name}, {@code other.name} or {@code MY.name}: quick if the place is a matched ad without such an attribute. */
    static final class Sided extends Found {

        private final Name side;
        private final boolean mine;
        private final Memo selected;

        /** Made when a place needs it: most references in matched ads do without. Two threads may each make one; either serves. */
        private @Nullable CompiledExpr slow;

        Sided(Name side, Name name) {
            this.side = side;
            this.mine = side.is("my");
            this.selected = new Memo(name);
        }

        static boolean applies(Name side) {
            return side.is("target") || side.is("other") || side.is("my");
        }

        @Override
        @Nullable
        Expr find(Evaluation e, Scope s) {
            Scope opposite = s.other();
            if (opposite == null || selected.special || s.ad().shape().hidesSide(side)) {
                return Literal.exactly(inAnyPlace(e, s));
            }
            Scope place = mine ? s : opposite;
            e.found = place;
            return selected.in(place.ad());
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            return s.other() == null ? inAnyPlace(e, s) : super.value(e, s);
        }

        private Value inAnyPlace(Evaluation e, Scope s) {
            CompiledExpr code = slow;
            if (code == null) {
                code = new Selected(new Plain(side), selected.name);
                slow = code;
            }
            return code.value(e, s);
        }
    }

    /** {@code base.name}. */
    static final class Selected extends CompiledExpr {

        private final CompiledExpr base;
        private final Memo memo;

        Selected(CompiledExpr base, Name name) {
            this.base = base;
            this.memo = new Memo(name);
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            Value of = base.value(e, s);
            return of instanceof Value.Record record ? from(e, record.scope()) : notAnAd(e, of, s);
        }

        private Value from(Evaluation e, Scope place) {
            Expr expr = find(e, place);
            return expr == null ? Value.UNDEFINED : e.value(expr, e.found);
        }

        private @Nullable Expr find(Evaluation e, Scope place) {
            Expr expr = memo.in(place.ad());
            if (expr == null) {
                return e.lookup(memo.name, place);
            }
            e.found = place;
            return expr;
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            if (base.value(e, s) instanceof Value.Record record) {
                Expr expr = find(e, record.scope());
                return expr == null ? UNDEFINED : e.truth(expr, e.found);
            }
            return super.truth(e, s);
        }

        private Value notAnAd(Evaluation e, Value of, Scope s) {
            if (of instanceof Value.ListOf list) {
                return ofEach(e, list, s);
            }
            return of == Value.UNDEFINED ? of : Value.ERROR;
        }

        /** The selection from each element; what is no ad gives ERROR elements. */
        private Value ofEach(Evaluation e, Value.ListOf list, Scope s) {
            if (!e.spend(list.size() + 1)) {
                return Value.ERROR;
            }
            var selected = new java.util.ArrayList<Value>(list.size());
            for (Expr element : list.elements()) {
                Value value = e.element(list, element, s);
                selected.add(value instanceof Value.Record record ? from(e, record.scope()) : notAnAd(e, value, s));
            }
            return Value.ListOf.of(selected);
        }

        @Override
        int size() {
            return base.size() + 1;
        }
    }

    /** {@code base[index]}. */
    static CompiledExpr subscripted(CompiledExpr base, CompiledExpr index) {
        return new CompiledExpr.Inner(base, index) {
            @Override
            public Value value(Evaluation e, Scope s) {
                Value of = base.value(e, s);
                Value at = index.value(e, s);
                if (of == Value.ERROR || at == Value.ERROR) {
                    return Value.ERROR;
                }
                if (of == Value.UNDEFINED || at == Value.UNDEFINED) {
                    return Value.UNDEFINED;
                }
                if (of instanceof Value.ListOf list && at instanceof Value.Int i) {
                    boolean inside = i.value() >= 0 && i.value() < list.size();
                    return inside ? e.value(list.elements().get((int) i.value()), list.scope()) : Value.ERROR;
                }
                if (of instanceof Value.Record record && at instanceof Value.Text name) {
                    Expr expr = record.ad().expression(Name.of(name.octets()));
                    return expr == null ? Value.UNDEFINED : e.value(expr, record.scope());
                }
                return Value.ERROR;
            }
        };
    }
}
