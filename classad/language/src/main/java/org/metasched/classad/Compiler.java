package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.BoundedCache;

/** The compiler of trees to code. It drops parentheses, folds constants and chooses specialised nodes. Used for one expression. */
final class Compiler {

    /** Whether the code is shared, so that numbers and texts outside of calls are parameters. */
    private final boolean parametrised;

    /** The number of parameters compiled so far. */
    private int parameters;

    private Compiler(boolean parametrised) {
        this.parametrised = parametrised;
    }

    /** The code of a part of the expression. */
    CompiledExpr compile(Expr written) {
        Expr expr = written.bare();
        if (parametrised && SharedCode.isParameter(expr)) {
            return new CompiledExpr.Parameter(parameters++, !((Literal) expr).isNumber());
        }
        if (parametrised && SharedCode.isWhole(expr)) {
            return new Compiler(false).compile(expr);
        }
        if (expr instanceof Literal literal) {
            return new CompiledExpr.Constant(literal.value());
        }
        if (expr instanceof AttributeRef ref) {
            return ref.absolute() ? new Lookup.Absolute(ref.key()) : new Lookup.Plain(ref.key());
        }
        if (expr instanceof Selection selection) {
            return selection(selection);
        }
        if (expr instanceof Binary binary) {
            return binary(binary);
        }
        if (expr instanceof Unary unary) {
            return unary(unary);
        }
        if (expr instanceof Call call) {
            return FunctionTable.compile(call, this);
        }
        return rest(expr);
    }

    /** The code of the kinds of expression that {@link #compile} does not compile itself. */
    private CompiledExpr rest(Expr expr) {
        if (expr instanceof Conditional c) {
            return LogicOperators.choice(compile(c.condition()), compile(c.whenTrue()), compile(c.whenFalse()));
        }
        if (expr instanceof Subscript subscript) {
            return Lookup.subscripted(compile(subscript.base()), compile(subscript.index()));
        }
        if (expr instanceof ListExpr list) {
            return new ListCode(list);
        }
        if (expr instanceof RecordExpr record) {
            return recordCode(record.ad());
        }
        return bound((Scope.Ref) expr);
    }

    private CompiledExpr selection(Selection selection) {
        Expr base = selection.base();
        if (base instanceof AttributeRef ref && !ref.absolute() && Lookup.Sided.applies(ref.key())) {
            return new Lookup.Sided(ref.key(), selection.key());
        }
        return new Lookup.Selected(compile(base), selection.key());
    }

    private CompiledExpr binary(Binary binary) {
        CompiledExpr a = compile(binary.left());
        CompiledExpr b = compile(binary.right());
        BinaryOperator operator = binary.operator();
        CompiledExpr code = switch (operator) {
            case AND -> LogicOperators.and(a, b);
            case OR -> LogicOperators.or(a, b);
            case ELVIS -> LogicOperators.elvis(a, b);
            case IS -> Comparison.identity(false, a, b);
            case ISNT -> Comparison.identity(true, a, b);
            case EQUAL, NOT_EQUAL -> equality(operator, a, b);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> new Comparison(operator, a, b);
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> new Arithmetic(operator, a, b);
            default -> Arithmetic.bitwise(operator, a, b);
        };
        return a instanceof CompiledExpr.Constant && b instanceof CompiledExpr.Constant ? folded(code) : code;
    }

    /** The code of {@code ==} or {@code !=}, specialised if an operand is always a string. */
    private static CompiledExpr equality(BinaryOperator operator, CompiledExpr a, CompiledExpr b) {
        boolean negated = operator == BinaryOperator.NOT_EQUAL;
        if (b.isText()) {
            return new Comparison.WithText(negated, a, b);
        }
        if (a.isText()) {
            return new Comparison.WithText(negated, b, a);
        }
        return new Comparison(operator, a, b);
    }

    private CompiledExpr unary(Unary unary) {
        CompiledExpr operand = compile(unary.operand());
        CompiledExpr code = unary.operator() == UnaryOperator.NOT
                ? LogicOperators.not(operand)
                : Arithmetic.prefix(unary.operator(), operand);
        return operand instanceof CompiledExpr.Constant ? folded(code) : code;
    }

    /** The constant that code without references computes; the code itself if the constant is large or takes long to compute. */
    static CompiledExpr folded(CompiledExpr code) {
        Value value = Evaluation.constant(code);
        return value == null ? code : new CompiledExpr.Constant(value);
    }

    /** The code of a list, whose elements are evaluated only when they are used. A list of literals is made once. */
    private static final class ListCode extends CompiledExpr {

        private final List<Expr> elements;
        private final Value.@Nullable ListOf constant;

        ListCode(ListExpr list) {
            elements = list.elements();
            boolean literal = elements.stream().allMatch(Literal.class::isInstance);
            constant = literal ? new Value.ListOf(elements, Scope.NOWHERE) : null;
        }

        @Override
        public Value value(Evaluation e, Scope s) {
            return constant != null ? constant : new Value.ListOf(elements, s);
        }
    }

    /** The code of a nested ad. */
    private static CompiledExpr recordCode(ClassAd ad) {
        return new CompiledExpr() {
            @Override
            public Value value(Evaluation e, Scope s) {
                return s.inner(ad).record();
            }
        };
    }

    /** The code of a value that can be exchanged, such as the ad that a label of a gang is bound to. */
    private static CompiledExpr bound(Scope.Ref label) {
        return new CompiledExpr() {
            @Override
            public Value value(Evaluation e, Scope s) {
                return label.value();
            }
        };
    }

    /** The code of the operators that are not strict: an operand may decide alone. */
    static final class LogicOperators {

        private LogicOperators() {}

        /**
         * The code of {@code a && b}. FALSE or ERROR on the left decides; after UNDEFINED on the left, FALSE or ERROR on the right
         * does.
         */
        static CompiledExpr and(CompiledExpr left, CompiledExpr right) {
            return new CompiledExpr.Truth(left, right) {
                @Override
                public int truth(Evaluation e, Scope s) {
                    int a = left.truth(e, s);
                    if (a == TRUE) {
                        return right.truth(e, s);
                    }
                    if (a != UNDEFINED) {
                        return a;
                    }
                    int b = right.truth(e, s);
                    return b == TRUE ? UNDEFINED : b;
                }
            };
        }

        /**
         * The code of {@code a || b}. TRUE or ERROR on the left decides; after UNDEFINED on the left, TRUE or ERROR on the right
         * does.
         */
        static CompiledExpr or(CompiledExpr left, CompiledExpr right) {
            return new CompiledExpr.Truth(left, right) {
                @Override
                public int truth(Evaluation e, Scope s) {
                    int a = left.truth(e, s);
                    if (a == FALSE) {
                        return right.truth(e, s);
                    }
                    if (a != UNDEFINED) {
                        return a;
                    }
                    int b = right.truth(e, s);
                    return b == FALSE ? UNDEFINED : b;
                }
            };
        }

        /** The code of {@code !a}. */
        static CompiledExpr not(CompiledExpr operand) {
            return new CompiledExpr.Truth(operand) {
                @Override
                public int truth(Evaluation e, Scope s) {
                    int a = operand.truth(e, s);
                    return a < UNDEFINED ? 1 - a : a;
                }
            };
        }

        /** The code of {@code c ? a : b} and {@code ifThenElse(c,a,b)}, which evaluates only the chosen one of the two. */
        static CompiledExpr choice(CompiledExpr condition, CompiledExpr whenTrue, CompiledExpr whenFalse) {
            return new CompiledExpr(condition, whenTrue, whenFalse) {
                @Override
                public Value value(Evaluation e, Scope s) {
                    int c = condition.truth(e, s);
                    return c == TRUE
                            ? whenTrue.value(e, s)
                            : c == FALSE ? whenFalse.value(e, s) : CompiledExpr.valueOf(c);
                }

                @Override
                public int truth(Evaluation e, Scope s) {
                    int c = condition.truth(e, s);
                    return c == TRUE ? whenTrue.truth(e, s) : c == FALSE ? whenFalse.truth(e, s) : c;
                }

                @Override
                public int number(Evaluation e, Scope s) {
                    int c = condition.truth(e, s);
                    return c == TRUE ? whenTrue.number(e, s) : c == FALSE ? whenFalse.number(e, s) : c;
                }
            };
        }

        /** The code of {@code a ?: b}: a unless it is UNDEFINED. */
        static CompiledExpr elvis(CompiledExpr first, CompiledExpr second) {
            return new CompiledExpr(first, second) {
                @Override
                public Value value(Evaluation e, Scope s) {
                    Value value = first.value(e, s);
                    return value == Value.UNDEFINED ? second.value(e, s) : value;
                }

                @Override
                public int truth(Evaluation e, Scope s) {
                    int a = first.truth(e, s);
                    return a == UNDEFINED ? second.truth(e, s) : a;
                }

                @Override
                public int number(Evaluation e, Scope s) {
                    int a = first.number(e, s);
                    return a == UNDEFINED ? second.number(e, s) : a;
                }
            };
        }
    }

    /**
     * The code of all expressions that differ only in numbers and texts, which are its parameters. Machines whose policies differ
     * only in thresholds share code, which stays in the processor's caches. Immutable, thread-safe.
     *
     * @param example the expression that was compiled
     */
    record SharedCode(Expr example, CompiledExpr code) {

        private static final BoundedCache<SharedCode> CACHE =
                new BoundedCache<>(1 << 12, shared -> 256 + 160L * shared.code.size);

        /**
         * The code of an expression. {@code O(n)} in its nodes; compiles nothing if the code of an expression with other parameters
         * is cached.
         */
        static CompiledExpr of(Expr expr) {
            var parameters = new ArrayList<Literal>();
            int hash = collect(expr, parameters);
            SharedCode shared = CACHE.get(hash);
            if (shared == null || !alike(shared.example, expr)) {
                shared = new SharedCode(expr, new Compiler(true).compile(expr));
                CACHE.put(hash, shared);
            }
            return parameters.isEmpty() ? shared.code : new CompiledExpr.Parametrised(shared.code, parameters);
        }

        /** Collects the parameters of an expression from left to right; returns a hash of the rest of it. */
        private static int collect(Expr written, List<Literal> parameters) {
            Expr expr = written.bare();
            if (isParameter(expr)) {
                parameters.add((Literal) expr);
                return ((Literal) expr).isNumber() ? 1 : 2;
            }
            if (isWhole(expr)) {
                return expr.hashCode();
            }
            int hash = expr.getClass().getName().hashCode() * 31 + expr.trait().hashCode();
            for (Expr part : expr.children()) {
                hash = hash * 31 + collect(part, parameters);
            }
            return hash;
        }

        /** Whether two expressions differ only in their parameters. */
        private static boolean alike(Expr writtenA, Expr writtenB) {
            Expr a = writtenA.bare();
            Expr b = writtenB.bare();
            if (isParameter(a) && isParameter(b)) {
                return ((Literal) a).isNumber() == ((Literal) b).isNumber();
            }
            if (isWhole(a) || isWhole(b)) {
                return a.equals(b);
            }
            List<Expr> parts = a.children();
            List<Expr> others = b.children();
            boolean same = a.getClass() == b.getClass() && a.trait().equals(b.trait()) && parts.size() == others.size();
            for (int i = 0; same && i < parts.size(); i++) {
                same = alike(parts.get(i), others.get(i));
            }
            return same;
        }

        /** Whether an expression is a parameter of shared code: the literal of a number or a text. */
        static boolean isParameter(Expr expr) {
            return expr instanceof Literal literal
                    && !literal.isRelativeTime()
                    && (literal.isNumber() || literal.value() instanceof Value.Text);
        }

        /**
         * Whether an expression is compiled with its constants rather than with parameters: a function may read the arguments of its
         * call unevaluated, and an operator on constants is folded.
         */
        static boolean isWhole(Expr expr) {
            if (expr instanceof Call call) {
                return !call.isNamed("ifThenElse");
            }
            if (expr instanceof Binary || expr instanceof Unary) {
                return expr.children().stream().allMatch(part -> part.bare() instanceof Literal);
            }
            return !(expr instanceof AttributeRef
                    || expr instanceof Selection
                    || expr instanceof Subscript
                    || expr instanceof Conditional);
        }
    }
}
