package org.metasched.classad;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Name;

/** The code of references, selections and subscripts. Each reference remembers at which index the last ad had its name. */
final class Lookup {

    /** The most names that {@link #askedOfOther} finds: to read more of them ahead does not pay. */
    private static final int MOST_ASKED = 4;

    private Lookup() {}

    /**
     * A name and the index at which the last ad had it. The next ad is searched there first, whatever its shape: different ads usually
     * begin with the same attributes. Races are harmless, as the index is checked before use.
     */
    static final class Memo {

        final Name name;

        /** Whether the name may be that of a built-in attribute. */
        final boolean isBuiltIn;

        /** The index of the name in the last ad that had it; -1 before the first. */
        private int last = -1;

        /** A shape without the name. */
        private Shape lacking = Shape.EMPTY;

        Memo(Name name) {
            this.name = name;
            this.isBuiltIn = BuiltInAttributes.isKnown(name);
        }

        /** The expression of the name in an ad; null if the ad has none. */
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

    /** Memos of the first names, at most four, that an expression of the ad {@code own} reads from the opposite ad of a match. */
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

    /** The code of a reference: finds an expression and evaluates it in the scope where it was found. */
    private abstract static class Reference extends CompiledExpr {

        /** The expression that is referred to, {@link Evaluation#found} being its scope; null if there is none. */
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

    /** The code of {@code name}: looks in the own ad, the ads around it, and, for an ad in a match in old mode, the opposite ad. */
    static final class Plain extends Reference {

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

        /**
         * The expression outside the own ad. The ads around an ad in a match have built-in attributes only, and are skipped for other
         * names.
         */
        private @Nullable Expr elsewhere(Evaluation e, Scope s) {
            Scope opposite = s.other();
            if (own.isBuiltIn || opposite == null) {
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

    /** The code of {@code .name}, which is looked up in the outermost ad. */
    static final class Absolute extends Reference {

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

    /**
     * The code of {@code TARGET.name}, {@code other.name} or {@code MY.name}. Fast in the scope of an ad in a match, unless the ad has
     * an attribute called TARGET, other or MY.
     */
    static final class Sided extends Reference {

        private final Name side;

        /** Whether the side is MY. */
        private final boolean isMy;

        private final Memo selected;

        /** The code for any scope, made when one needs it: in matches, none does. Two threads may each make one; they are equivalent. */
        private @Nullable CompiledExpr general;

        Sided(Name side, Name name) {
            this.side = side;
            this.isMy = side.is("my");
            this.selected = new Memo(name);
        }

        /** Whether a name is that of a side. */
        static boolean applies(Name side) {
            return side.is("target") || side.is("other") || side.is("my");
        }

        @Override
        @Nullable
        Expr find(Evaluation e, Scope s) {
            Scope opposite = s.other();
            if (opposite == null || selected.isBuiltIn || s.ad().shape().hidesSide(side)) {
                return Literal.exactly(inAnyScope(e, s));
            }
            Scope scope = isMy ? s : opposite;
            e.found = scope;
            return selected.in(scope.ad());
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            return s.other() == null ? inAnyScope(e, s) : super.value(e, s);
        }

        /** The value by the general rules of selections. */
        private Value inAnyScope(Evaluation e, Scope s) {
            CompiledExpr code = general;
            if (code == null) {
                code = new Selected(new Plain(side), selected.name);
                general = code;
            }
            return code.value(e, s);
        }
    }

    /** The code of {@code base.name}. */
    static final class Selected extends CompiledExpr {

        private final CompiledExpr base;
        private final Memo memo;

        Selected(CompiledExpr base, Name name) {
            super(base);
            this.base = base;
            this.memo = new Memo(name);
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            Value of = base.value(e, s);
            return of instanceof Value.Record record ? from(e, record.scope()) : notAnAd(e, of, s);
        }

        /** The value of the name in the scope of an ad. */
        private Value from(Evaluation e, Scope scope) {
            Expr expr = find(e, scope);
            return expr == null ? Value.UNDEFINED : e.value(expr, e.found);
        }

        private @Nullable Expr find(Evaluation e, Scope scope) {
            Expr expr = memo.in(scope.ad());
            if (expr == null) {
                return e.lookup(memo.name, scope);
            }
            e.found = scope;
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

        /** The value of a selection from a value that is no ad. */
        private Value notAnAd(Evaluation e, Value of, Scope s) {
            if (of instanceof Value.ListOf list) {
                return ofEach(e, list, s);
            }
            return of == Value.UNDEFINED ? of : Value.ERROR;
        }

        /** The list of the selections from each element; ERROR is the selection from an element that is no ad. */
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
    }

    /** The code of {@code base[index]}. */
    static CompiledExpr subscripted(CompiledExpr base, CompiledExpr index) {
        return new CompiledExpr(base, index) {
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
