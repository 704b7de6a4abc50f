package org.metasched.classad;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Services that the tree needs and does not contain: grammar, written forms, printing, compiler, partial evaluation, matches. The
 * interface between {@link Expr} and {@link ClassAd} on one side and all that works on them on the other; found as a service, so that
 * the tree refers to none of it. Not for users of the language.
 */
public abstract class LanguageServices {

    /** Loaded with the first question; a race loads it once. */
    private static final class Loaded {
        static final LanguageServices LANGUAGE = ServiceLoader.load(
                        LanguageServices.class, LanguageServices.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No provider of the service %s is on the class path."
                        .formatted(LanguageServices.class.getName())));
    }

    LanguageServices() {}

    static LanguageServices loaded() {
        return Loaded.LANGUAGE;
    }

    /** The expression that all of a text is. */
    abstract Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** The expression that all of a text is, unless it is too long. */
    abstract Expr expression(String text, ReadOptions reading) throws ClassAdSyntaxException;

    abstract ClassAd read(String text, ReadOptions reading) throws ClassAdSyntaxException;

    abstract List<ClassAd> readAll(String text, ReadOptions reading) throws ClassAdSyntaxException;

    abstract String write(ClassAd ad, Syntax syntax);

    /** An expression in the new or the old syntax. */
    abstract String print(Expr expr, Syntax syntax);

    /** A value in the new syntax, as a byte string. */
    abstract String octets(Value value);

    abstract CompiledExpr compile(Expr expr);

    abstract Expr flatten(Expr expr, Scope scope);

    abstract References references(Expr expr, ClassAd ad, LookupMode mode);

    abstract Set<String> names(Expr expr);

    /** The place of an ad that faces another. */
    abstract Scope matching(ClassAd my, ClassAd target, LookupMode mode);

    /** The values of an ad's attributes as Java's. */
    abstract Map<String, @Nullable Object> toMap(ClassAd ad);

    /** The ad of Java's values. */
    abstract ClassAd fromMap(Map<String, ? extends @Nullable Object> map);
}
