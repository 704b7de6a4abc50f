package org.metasched.classad;

import java.util.List;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** A call of a built-in function. Unknown names parse, too, and evaluate to ERROR. */
public final class Call extends Expr.Evaluated {

    private final Name name;
    private final List<Expr> arguments;
    private final boolean lexical;

    /**
     * For the grammar; users call {@link #of}.
     *
     * @param lexical whether the elements of lists are evaluated where the list stands, as the papers have it, not where the call does
     */
    public Call(Name name, List<Expr> arguments, boolean lexical) {
        super(above(arguments));
        this.name = name;
        this.arguments = List.copyOf(arguments);
        this.lexical = lexical;
    }

    /** A call of a function, known or not: an unknown one evaluates to ERROR. */
    public static Call of(String function, List<Expr> arguments) {
        return new Call(Name.of(Bytes.encode(function)), arguments, false);
    }

    /** The function's name as it was written. */
    public String name() {
        return name.text();
    }

    /** Whether this calls that function, in any case. */
    public boolean isNamed(String function) {
        return name.is(Bytes.lower(function));
    }

    /** The arguments, unevaluated, in their order. */
    public List<Expr> arguments() {
        return arguments;
    }

    Name key() {
        return name;
    }

    @Override
    public List<Expr> children() {
        return arguments;
    }

    /** Whether the elements of lists are evaluated where the list stands. */
    public boolean isLexical() {
        return lexical;
    }

    /** The same call of other arguments. */
    Call with(List<Expr> others) {
        return new Call(name, others, lexical);
    }

    @Override
    Object own() {
        return lexical ? name : name.spelling();
    }
}
