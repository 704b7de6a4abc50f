package org.metasched.classad.function;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Call;
import org.metasched.classad.CompiledExpr;
import org.metasched.classad.Evaluation;
import org.metasched.classad.Expr;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Printer;
import org.metasched.classad.References;
import org.metasched.classad.Scope;
import org.metasched.classad.Selection;
import org.metasched.classad.Value;
import org.metasched.classad.text.Bytes;

/** The functions that depend on the scope of the call, or take expressions rather than values. */
final class ScopeFunctions {

    /** The prefix of names, in lower case, that {@code unresolved} leaves out. */
    private static final String TARGET = "target.";

    private ScopeFunctions() {}

    static void addTo(FunctionTable table) {
        table.addCompiled("ifthenelse", 3, 3, (call, a) -> FunctionTable.choice(a[0], a[1], a[2]));
        table.addSpecial("eval", 1, 1, 0, (e, s, call, a) -> eval(e, s, a[0].value(e, s)));
        table.addSpecial("unparse", 1, 1, 1, (e, s, call, a) -> unparse(s, call));
        table.addSpecial("unresolved", 1, 2, 1, ScopeFunctions::unresolved);
        table.addSpecial("debug", 1, 1, 0, (e, s, call, a) -> a[0].value(e, s));
        table.addSpecial("evalineachcontext", 2, 2, 1, ScopeFunctions::evalInEachContext);
        table.addSpecial("countmatches", 2, 2, 1, ScopeFunctions::countMatches);
    }

    /** {@code eval}: the value of a text as an expression in the scope of the call. */
    private static Value eval(Evaluation e, Scope s, Value argument) {
        Value text = e.text(argument);
        if (text.isExceptional()) {
            return Value.ERROR;
        }
        Expr expr = e.parsed(FunctionArguments.octets(text), s);
        return expr == null ? Value.ERROR : e.nested(expr, s);
    }

    /** {@code unparse}: the text of the expression that a name of the current ad is bound to; empty if there is none. */
    private static Value unparse(Scope s, Call call) {
        Expr reference = call.arguments().get(0);
        if (!(reference instanceof AttributeRef) && !(reference instanceof Selection)) {
            return Value.ERROR;
        }
        // As libclassad: the printed argument is looked up as one name, in the current ad only. So no selection is
        // found.
        return new Value.Text(
                s.ad().lookup(reference.print()).map(Printer::printLines).orElse(""));
    }

    /**
     * {@code unresolved}: the external references of an attribute, with commas between; with a pattern, whether that matches any of
     * them.
     */
    private static Value unresolved(Evaluation e, Scope s, Call call, CompiledExpr[] a) {
        Expr reference = call.arguments().get(0);
        if (!(reference instanceof AttributeRef) && !(reference instanceof Selection)) {
            return Value.ERROR;
        }
        Expr bound = e.bound(reference, s);
        if (bound == null) {
            return Value.UNDEFINED;
        }
        References found = e.references(bound, e.found().ad(), s.mode());
        List<String> names = found.circular() ? List.of() : trimmed(found);
        if (a.length == 1) {
            return Value.of(String.join(",", names));
        }
        if (!(a[1].value(e, s) instanceof Value.Text pattern)) {
            return e.fail();
        }
        return PatternFunctions.anyMatches(e, pattern.octets(), names);
    }

    /** The external names without the prefix {@code TARGET.}, in the order of their lengths with the prefix, then alphabetically. */
    private static List<String> trimmed(References found) {
        var full = new ArrayList<>(found.external());
        full.sort(Comparator.comparingInt(String::length));
        full.replaceAll(name -> Bytes.lower(name).startsWith(TARGET) ? name.substring(TARGET.length()) : name);
        return full;
    }

    /** {@code evalInEachContext}: the values of an expression in each ad of a list. */
    private static Value evalInEachContext(Evaluation e, Scope s, Call call, CompiledExpr[] a) {
        Value in = a[1].value(e, s);
        if (!(in instanceof Value.ListOf list)) {
            return in == Value.UNDEFINED ? in : Value.ERROR;
        }
        Expr inEach = inContext(e, s, call);
        var results = new ArrayList<Value>(list.size());
        // Null stands for the scope of the list, in which a lexical call evaluates the elements.
        for (Expr element : list.elements()) {
            Value context = e.element(list, element, call.isLexical() ? null : s);
            results.add(
                    context instanceof Value.Record record
                            ? e.nested(inEach, record.scope())
                            : context == Value.UNDEFINED ? context : Value.ERROR);
            if (!e.spend(1)) {
                return Value.ERROR;
            }
        }
        return Value.ListOf.of(results);
    }

    /** {@code countMatches}: the number of ads in a list in which an expression is true or a number other than zero. */
    private static Value countMatches(Evaluation e, Scope s, Call call, CompiledExpr[] a) {
        Value in = a[1].value(e, s);
        if (!(in instanceof Value.ListOf list)) {
            return in == Value.UNDEFINED ? Value.of(0L) : Value.ERROR;
        }
        Expr inEach = inContext(e, s, call);
        long count = 0;
        // Null stands for the scope of the list, in which a lexical call evaluates the elements.
        for (Expr element : list.elements()) {
            if (e.element(list, element, call.isLexical() ? null : s) instanceof Value.Record record
                    && e.nested(inEach, record.scope()).satisfies()) {
                count++;
            }
        }
        return Value.of(count);
    }

    /** The expression to evaluate in each ad: the argument, or the expression that it is bound to in the scope of the call. */
    private static Expr inContext(Evaluation e, Scope s, Call call) {
        Expr argument = call.arguments().get(0);
        Expr bound = e.bound(argument, s);
        return bound == null ? argument : bound;
    }
}
