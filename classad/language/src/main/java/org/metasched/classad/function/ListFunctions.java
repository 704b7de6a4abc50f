package org.metasched.classad.function;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.CompiledExpr;
import org.metasched.classad.Evaluation;
import org.metasched.classad.Expr;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;

/** The functions of lists: membership, aggregates and comparisons. */
final class ListFunctions {

    /**
     * The operators that {@code anyCompare} and {@code allCompare} accept, by their symbols: comparisons, {@code is} and
     * {@code isnt}.
     */
    private static final Map<String, BinaryOperator> COMPARISONS = Arrays.stream(BinaryOperator.values())
            .filter(operator ->
                    operator.level() == BinaryOperator.EQUAL.level() || operator.level() == BinaryOperator.LESS.level())
            .collect(Collectors.toMap(BinaryOperator::symbol, operator -> operator));

    private ListFunctions() {}

    static void addTo(FunctionTable table) {
        table.addPure("member", 2, 2, (e, a) -> member(e, a[0], a[1]));
        table.addPure("identicalmember", 2, 2, (e, a) -> identicalMember(e, a[0], a[1]));
        table.addPure("sum", 1, 1, (e, a) -> aggregate(e, a[0], Aggregate.SUM));
        table.addPure("avg", 1, 1, (e, a) -> aggregate(e, a[0], Aggregate.AVERAGE));
        table.addPure("min", 1, 1, (e, a) -> aggregate(e, a[0], Aggregate.LEAST));
        table.addPure("max", 1, 1, (e, a) -> aggregate(e, a[0], Aggregate.GREATEST));
        table.addPure("anycompare", 3, 3, (e, a) -> compareAll(e, a, true));
        table.addPure("allcompare", 3, 3, (e, a) -> compareAll(e, a, false));
    }

    /** {@code member}: whether any element {@code == x}. */
    private static Value member(Evaluation e, Value x, Value in) {
        if (x == Value.UNDEFINED || in == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        if (x == Value.ERROR
                || x instanceof Value.ListOf
                || x instanceof Value.Record
                || !(in instanceof Value.ListOf list)) {
            return Value.ERROR;
        }
        var elements = list.elements();
        for (int i = 0; i < elements.size(); i++) {
            Value element = e.element(list, elements.get(i));
            if (e.looksAt(element) && FunctionTable.compare(BinaryOperator.EQUAL, x, element) == CompiledExpr.TRUE) {
                return Value.TRUE;
            }
        }
        return Value.FALSE;
    }

    /** {@code identicalMember}: whether any element {@code is x}. */
    private static Value identicalMember(Evaluation e, Value x, Value in) {
        if (in == Value.UNDEFINED) {
            return Value.UNDEFINED;
        }
        if (x instanceof Value.ListOf || x instanceof Value.Record || !(in instanceof Value.ListOf list)) {
            return Value.ERROR;
        }
        for (Expr element : list.elements()) {
            Value value = e.element(list, element);
            if (e.looksAt(value) && FunctionTable.identical(x, value) == CompiledExpr.TRUE) {
                return Value.TRUE;
            }
        }
        return Value.FALSE;
    }

    private enum Aggregate {
        SUM,
        AVERAGE,
        LEAST,
        GREATEST
    }

    /** {@code sum}, {@code avg}, {@code min}, {@code max}. UNDEFINED elements are skipped; ERROR if another is no number or boolean. */
    private static Value aggregate(Evaluation e, Value argument, Aggregate kind) {
        if (!(argument instanceof Value.ListOf list)) {
            return argument == Value.UNDEFINED ? argument : Value.ERROR;
        }
        Value result = null;
        int count = 0;
        for (Expr element : list.elements()) {
            Value value = e.element(list, element);
            if (value == Value.UNDEFINED) {
                continue;
            }
            if (!(value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool)) {
                return Value.ERROR;
            }
            count++;
            result = result == null ? first(e, value, kind) : combined(e, result, value, kind);
        }
        if (result == null) {
            return kind == Aggregate.SUM || kind == Aggregate.AVERAGE ? Value.of(0L) : Value.UNDEFINED;
        }
        return kind == Aggregate.AVERAGE && result != Value.ERROR ? Value.of(result.rank() / count) : result;
    }

    /**
     * The aggregate of the first value. As in the reference, a boolean becomes an integer only when another value follows, and the
     * average of infinity is ERROR.
     */
    private static Value first(Evaluation e, Value value, Aggregate kind) {
        return kind == Aggregate.AVERAGE ? FunctionTable.sum(e, Value.of(-0.0), value) : value;
    }

    /** The aggregate of the aggregate so far and one more value. */
    private static Value combined(Evaluation e, Value a, Value b, Aggregate kind) {
        if (kind == Aggregate.LEAST || kind == Aggregate.GREATEST) {
            BinaryOperator order = kind == Aggregate.LEAST ? BinaryOperator.LESS : BinaryOperator.GREATER;
            Value bound = FunctionTable.compare(order, b, a) == CompiledExpr.TRUE ? b : a;
            boolean real = a instanceof Value.Real || b instanceof Value.Real;
            return real ? TypeFunctions.real(bound) : TypeFunctions.integer(bound);
        }
        return FunctionTable.sum(e, a, b);
    }

    /** {@code anyCompare}, or {@code allCompare} if {@code any} is false: the arguments are operator, list, and right operand. */
    private static Value compareAll(Evaluation e, Value[] a, boolean any) {
        if (!(a[0] instanceof Value.Text text)) {
            return a[0] == Value.UNDEFINED ? a[0] : Value.ERROR;
        }
        BinaryOperator operator = COMPARISONS.get(text.octets());
        if (operator == null || !(a[1] instanceof Value.ListOf list)) {
            return operator != null && a[1] == Value.UNDEFINED ? a[1] : Value.ERROR;
        }
        for (Expr element : list.elements()) {
            Value value = e.element(list, element);
            int truth = e.looksAt(value) ? FunctionTable.compare(operator, value, a[2]) : CompiledExpr.ERROR;
            if (truth == CompiledExpr.ERROR) {
                return Value.ERROR;
            }
            if (truth == CompiledExpr.UNDEFINED) {
                return Value.FALSE;
            }
            if (any == (truth == CompiledExpr.TRUE)) {
                return Value.of(any);
            }
        }
        return Value.of(!any);
    }
}
