package org.metasched.classad;

import java.util.List;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** A selection, {@code base.name}: the name is looked up from the ad that the base evaluates to, outward. */
public final class Selection extends Expr.Evaluated {

    private final Expr base;
    private final Name name;

    /**
     * For the grammar; users call {@link #of}.
     *
     * @param base the expression before the dot
     */
    public Selection(Expr base, Name name) {
        super(heightAbove(base));
        this.base = base;
        this.name = name;
    }

    /** The selection of a name, which may be any text; printing quotes it if need be. */
    public static Selection of(Expr base, String name) {
        return new Selection(base, Name.of(Bytes.encode(name)));
    }

    /** The expression before the dot. */
    public Expr base() {
        return base;
    }

    /** The name as it was written. */
    public String name() {
        return name.text();
    }

    /** A reference to the name, to be looked up in an ad. */
    public AttributeRef selected() {
        return new AttributeRef(name, false);
    }

    /** Whether the base is a reference to this name, ignoring case: {@code TARGET.x} is a selection from TARGET. */
    public boolean isFrom(String baseName) {
        return base instanceof AttributeRef ref && !ref.absolute() && ref.isNamed(baseName);
    }

    /** The name behind the dot. */
    Name key() {
        return name;
    }

    @Override
    public List<Expr> children() {
        return List.of(base);
    }

    @Override
    Object trait() {
        return name.spelling();
    }
}
