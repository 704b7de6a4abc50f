package org.metasched.classad;

import java.util.ArrayList;
import java.util.Map;

/** Functions that see the place they are called in, or expressions rather than values. */
final class ScopeFunctions {

    private ScopeFunctions() {}

    static void addTo(Map<String, Functions.Entry> table) {
        // Compiled to a conditional; the entry is here for its number of arguments.
        Functions.special(table, "ifthenelse", 3, 3, (e, s, call, a) -> Value.ERROR);
        Functions.special(table, "eval", 1, 1, (e, s, call, a) -> eval(e, s, a[0].value(e, s)));
        Functions.special(table, "unparse", 1, 1, (e, s, call, a) -> unparse(e, s, call));
        Functions.special(table, "unresolved", 1, 2, ScopeFunctions::unresolved);
        Functions.special(table, "debug", 1, 1, (e, s, call, a) -> a[0].value(e, s));
        Functions.special(table, "evalineachcontext", 2, 2, ScopeFunctions::evalInEachContext);
        Functions.special(table, "countmatches", 2, 2, ScopeFunctions::countMatches);
    }

    private static Value eval(Evaluation e, Scope s, Value argument) {
        Value text = Functions.asText(argument);
        if (text.isExceptional()) {
            return text;
        }
        byte[] bytes = Bytes.bytes(Functions.octets(text));
        try {
            Expr expr = Parser.expression(bytes, Reading.NEW.with(s.mode()).with(s.limits()));
            return e.nested(expr.code(), s);
        } catch (ClassAdSyntaxException unreadable) {
            return Value.ERROR;
        }
    }

    private static Value unparse(Evaluation e, Scope s, Call call) {
        if (!(call.arguments().get(0) instanceof AttributeRef ref)) {
            return Value.ERROR;
        }
        Expr expr = e.lookup(ref.key(), s);
        return new Value.Text(expr == null ? "" : Printer.NEW.print(expr));
    }

    /** The external references of an attribute in a list, or whether a pattern matches one of them. */
    private static Value unresolved(Evaluation e, Scope s, Call call, Code[] a) {
        if (!(call.arguments().get(0) instanceof AttributeRef ref)) {
            return Value.ERROR;
        }
        References found = ReferenceFinder.find(ref, s.ad(), s.mode());
        if (found.circular()) {
            return Value.UNDEFINED;
        }
        var names = new ArrayList<>(found.external());
        names.sort((x, y) -> x.length() != y.length()
                ? Integer.compare(x.length(), y.length())
                : Bytes.compareIgnoringCase(Bytes.encode(x), Bytes.encode(y)));
        if (a.length == 1) {
            return Value.of(String.join(",", names));
        }
        if (!(a[1].value(e, s) instanceof Value.Text pattern)) {
            return e.fail();
        }
        return PatternFunctions.anyMatches(e, pattern.octets(), names);
    }

    private static Value evalInEachContext(Evaluation e, Scope s, Call call, Code[] a) {
        Value in = a[1].value(e, s);
        if (!(in instanceof Value.ListOf list)) {
            return in == Value.UNDEFINED ? in : Value.ERROR;
        }
        Code code = inContext(e, s, call, a[0]);
        var results = new ArrayList<Value>(list.size());
        for (Expr element : list.elements()) {
            results.add(
                    e.value(element, list.scope()) instanceof Value.Record record
                            ? e.nested(code, record.scope())
                            : Value.ERROR);
            if (!e.spend(1)) {
                return Value.ERROR;
            }
        }
        return Value.ListOf.of(results);
    }

    private static Value countMatches(Evaluation e, Scope s, Call call, Code[] a) {
        Value in = a[1].value(e, s);
        if (!(in instanceof Value.ListOf list)) {
            return in == Value.UNDEFINED ? Value.of(0L) : Value.ERROR;
        }
        Code code = inContext(e, s, call, a[0]);
        long count = 0;
        for (Expr element : list.elements()) {
            if (e.value(element, list.scope()) instanceof Value.Record record
                    && e.nested(code, record.scope()) instanceof Value.Bool b
                    && b.value()) {
                count++;
            }
        }
        return Value.of(count);
    }

    /** A bare name that resolves here stands for the expression it is bound to. */
    private static Code inContext(Evaluation e, Scope s, Call call, Code argument) {
        if (call.arguments().get(0) instanceof AttributeRef ref) {
            Expr bound = e.lookup(ref.key(), s);
            return bound == null ? argument : bound.code();
        }
        return argument;
    }
}
