package org.metasched.classad;

import java.util.List;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** A call of a function: {@code f(a, b)}. A call of an unknown function is ERROR, not a syntax error. */
public final class Call extends Expr.Evaluated {

    private final Name name;
    private final List<Expr> arguments;
    private final boolean lexical;

    /**
     * For the grammar; users call {@link #of}.
     *
     * @param lexical whether the function evaluates the elements of a list in the scope of the list, as in the papers' dialect, rather
     *     than in the scope of the call
     */
    public Call(Name name, List<Expr> arguments, boolean lexical) {
        super(heightAbove(arguments));
        this.name = name;
        this.arguments = List.copyOf(arguments);
        this.lexical = lexical;
    }

    /** A call of a function by name, in the reference dialect. */
    public static Call of(String function, List<Expr> arguments) {
        return new Call(Name.of(Bytes.encode(function)), arguments, false);
    }

    /** The function's name as it was written. */
    public String name() {
        return name.text();
    }

    /** Whether this is a call of the function of that name, ignoring case. */
    public boolean isNamed(String function) {
        return name.is(Bytes.lower(Bytes.encode(function)));
    }

    /** The arguments, unevaluated, in their order. */
    public List<Expr> arguments() {
        return arguments;
    }

    /** The function's name. */
    Name key() {
        return name;
    }

    @Override
    public List<Expr> children() {
        return arguments;
    }

    /** Whether the function evaluates the elements of a list in the scope of the list, not in the scope of the call. */
    public boolean isLexical() {
        return lexical;
    }

    /** A call of the same function with other arguments. */
    Call with(List<Expr> others) {
        return new Call(name, others, lexical);
    }

    /** The spelling of the function's name; in a list for a lexical call, so that the two kinds of call differ. */
    @Override
    Object trait() {
        return lexical ? List.of(name.spelling()) : name.spelling();
    }
}
