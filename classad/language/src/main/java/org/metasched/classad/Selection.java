package org.metasched.classad;

import java.util.List;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** {@code base.name}: the name looked up from the ad that the base is, outward. */
public final class Selection extends Expr.Evaluated {

    private final Expr base;
    private final Name name;

    /** For the grammar; users call {@link #of}. */
    public Selection(Expr base, Name name) {
        super(above(base));
        this.base = base;
        this.name = name;
    }

    /** {@code base.name} for a name, which may hold any text. */
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

    /** The name as a reference, for a look into an ad. */
    public AttributeRef selected() {
        return new AttributeRef(name, false);
    }

    /** Whether the base is a plain name, and this one: {@code TARGET.x} is a selection from TARGET. */
    public boolean isFrom(String baseName) {
        return base instanceof AttributeRef ref && !ref.absolute() && ref.isNamed(baseName);
    }

    Name key() {
        return name;
    }

    @Override
    public List<Expr> children() {
        return List.of(base);
    }

    @Override
    Object own() {
        return name.spelling();
    }
}
