package org.metasched.classad;

import java.util.List;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** A name, looked up from the current ad outward; or, written {@code .name}, from the outermost ad. */
public final class AttributeRef extends Expr.Evaluated {

    private final Name name;
    private final boolean absolute;

    /** For the grammar; users call {@link #to}. */
    public AttributeRef(Name name, boolean absolute) {
        super(0);
        this.name = name;
        this.absolute = absolute;
    }

    /** A reference to a name, which may hold any text. */
    public static AttributeRef to(String name) {
        return new AttributeRef(Name.of(Bytes.encode(name)), false);
    }

    /** The name as it was written. */
    public String name() {
        return name.text();
    }

    /** Whether the reference has this name, ignoring case. */
    public boolean isNamed(String other) {
        return name.is(Bytes.lower(Bytes.encode(other)));
    }

    /** Whether the search begins at the outermost ad. */
    public boolean absolute() {
        return absolute;
    }

    Name key() {
        return name;
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    Object own() {
        return absolute ? "." + name.spelling() : name.spelling();
    }
}
