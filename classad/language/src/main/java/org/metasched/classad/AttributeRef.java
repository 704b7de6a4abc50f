package org.metasched.classad;

import java.util.List;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/**
 * A reference to an attribute by its name, looked up from the current ad outward and then, in {@link LookupMode#OLD}, in the other ad of a
 * match; if written {@code .name}, in the outermost ad only.
 */
public final class AttributeRef extends Expr.Evaluated {

    private final Name name;
    private final boolean absolute;

    /**
     * For the grammar; users call {@link #to}.
     *
     * @param absolute whether it is written with a dot, and the name is looked up in the outermost ad
     */
    public AttributeRef(Name name, boolean absolute) {
        super(0);
        this.name = name;
        this.absolute = absolute;
    }

    /** A reference to a name, which may be any text; printing quotes it if need be. */
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

    /** Whether the name is looked up in the outermost ad only. */
    public boolean absolute() {
        return absolute;
    }

    /** The name. */
    Name key() {
        return name;
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    /** The spelling; in a list for an absolute reference, as the name itself may begin with a dot. */
    @Override
    Object trait() {
        return absolute ? List.of(name.spelling()) : name.spelling();
    }
}
