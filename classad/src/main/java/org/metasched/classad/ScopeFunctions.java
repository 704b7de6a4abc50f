package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions that see the place they are called in, or expressions rather than values. */
final class ScopeFunctions {

    private static final String TARGET = "target.";

    private ScopeFunctions() {}

    static void addTo(Map<String, Functions.Entry> table) {
        Functions.node(table, "ifthenelse", 3, 3, (call, a) -> new Logic.Choice(a[0], a[1], a[2]));
        Functions.special(table, "eval", 1, 1, (e, s, call, a) -> eval(e, s, a[0].value(e, s)));
        Functions.special(table, "unparse", 1, 1, (e, s, call, a) -> unparse(s, call));
        Functions.special(table, "unresolved", 1, 2, ScopeFunctions::unresolved);
        Functions.special(table, "debug", 1, 1, (e, s, call, a) -> a[0].value(e, s));
        Functions.special(table, "evalineachcontext", 2, 2, ScopeFunctions::evalInEachContext);
        Functions.special(table, "countmatches", 2, 2, ScopeFunctions::countMatches);
    }

    private static Value eval(Evaluation e, Scope s, Value argument) {
        Value text = Functions.asText(argument);
        if (text.isExceptional()) {
            return Value.ERROR;
        }
        byte[] bytes = Bytes.bytes(Functions.octets(text));
        try {
            Expr expr = Parser.expression(bytes, Reading.NEW.with(s.mode()).with(s.limits()));
            return e.nested(expr, s);
        } catch (ClassAdSyntaxException unreadable) {
            return Value.ERROR;
        }
    }

    private static Value unparse(Scope s, Call call) {
        Expr reference = call.arguments().get(0);
        if (!(reference instanceof AttributeRef) && !(reference instanceof Selection)) {
            return Value.ERROR;
        }
        // The reference looks the printed argument up as a name, in the current ad only: selections are never found.
        Expr expr = s.ad().expression(Name.of(Printer.NEW.print(reference)));
        return new Value.Text(expr == null ? "" : Printer.printLines(expr));
    }

    /** The external references of an attribute in a list, or whether a pattern matches one of them. */
    private static Value unresolved(Evaluation e, Scope s, Call call, Code[] a) {
        Expr reference = call.arguments().get(0);
        if (!(reference instanceof AttributeRef) && !(reference instanceof Selection)) {
            return Value.ERROR;
        }
        Expr bound = bound(e, s, reference);
        if (bound == null) {
            return Value.UNDEFINED;
        }
        References found = ReferenceFinder.find(bound, e.found.ad(), s.mode());
        List<String> names = found.circular() ? List.of() : trimmed(found);
        if (a.length == 1) {
            return Value.of(String.join(",", names));
        }
        if (!(a[1].value(e, s) instanceof Value.Text pattern)) {
            return e.fail();
        }
        return PatternFunctions.anyMatches(e, pattern.octets(), names);
    }

    /** The names, {@code TARGET.Arch} being Arch, ordered by the length of the full name. */
    private static List<String> trimmed(References found) {
        var full = new ArrayList<>(found.external());
        full.sort((x, y) -> x.length() != y.length()
                ? Integer.compare(x.length(), y.length())
                : Bytes.compareIgnoringCase(Bytes.encode(x), Bytes.encode(y)));
        full.replaceAll(name -> Bytes.lower(name).startsWith(TARGET) ? name.substring(TARGET.length()) : name);
        return full;
    }

    private static Value evalInEachContext(Evaluation e, Scope s, Call call, Code[] a) {
        Value in = a[1].value(e, s);
        if (!(in instanceof Value.ListOf list)) {
            return in == Value.UNDEFINED ? in : Value.ERROR;
        }
        Expr inEach = inContext(e, s, call);
        var results = new ArrayList<Value>(list.size());
        for (Expr element : list.elements()) {
            Value context = e.value(element, list.scope());
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

    private static Value countMatches(Evaluation e, Scope s, Call call, Code[] a) {
        Value in = a[1].value(e, s);
        if (!(in instanceof Value.ListOf list)) {
            return in == Value.UNDEFINED ? Value.of(0L) : Value.ERROR;
        }
        Expr inEach = inContext(e, s, call);
        long count = 0;
        for (Expr element : list.elements()) {
            if (e.value(element, list.scope()) instanceof Value.Record record
                    && e.nested(inEach, record.scope()).satisfies()) {
                count++;
            }
        }
        return Value.of(count);
    }

    /** A name or a selection that resolves here stands for the expression it is bound to. */
    private static Expr inContext(Evaluation e, Scope s, Call call) {
        Expr argument = call.arguments().get(0);
        Expr bound = bound(e, s, argument);
        return bound == null ? argument : bound;
    }

    /** What a name or a selection is bound to, unevaluated; its place is in {@link Evaluation#found}. Null for nothing. */
    private static @Nullable Expr bound(Evaluation e, Scope s, Expr reference) {
        if (reference instanceof Selection selection) {
            return selection.base().code().value(e, s) instanceof Value.Record record
                    ? e.lookup(selection.key(), record.scope())
                    : null;
        }
        if (!(reference instanceof AttributeRef ref)) {
            return null;
        }
        Expr bound = e.lookup(ref.key(), ref.absolute() ? s.root() : s);
        Scope other = s.other();
        if (bound == null && !ref.absolute() && other != null && s.mode() == Mode.OLD) {
            return e.lookup(ref.key(), other);
        }
        return bound;
    }
}
