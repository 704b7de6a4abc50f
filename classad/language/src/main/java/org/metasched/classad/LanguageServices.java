package org.metasched.classad;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services that expressions and ads offer but other classes implement: grammar, written forms, printing, compiler, partial
 * evaluation, matches. The implementation is a service of the {@link ServiceLoader}, so that {@link Expr} and {@link ClassAd} do not depend
 * on the classes that work on them. Not for users of the language. Thread-safe.
 */
public abstract class LanguageServices {

    /** The holder of the implementation, which the JVM loads once, at its first use. */
    private static final class Loaded {
        static final LanguageServices LANGUAGE = ServiceLoader.load(
                        LanguageServices.class, LanguageServices.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No provider of the service %s is on the class path."
                        .formatted(LanguageServices.class.getName())));
    }

    LanguageServices() {}

    /** The implementation. */
    static LanguageServices loaded() {
        return Loaded.LANGUAGE;
    }

    /** Parses an expression, which must be all of the text, without a check of its length. */
    abstract Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** Parses an expression, which must be all of the text. */
    abstract Expr expression(String text, ReadOptions reading) throws ClassAdSyntaxException;

    /** Parses one ad, which must be all of the text. */
    abstract ClassAd read(String text, ReadOptions reading) throws ClassAdSyntaxException;

    /** Parses any number of ads, which must be all of the text. */
    abstract List<ClassAd> readAll(String text, ReadOptions reading) throws ClassAdSyntaxException;

    /** The text of an ad in a written form. */
    abstract String write(ClassAd ad, Syntax syntax);

    /** The text of an expression in the old syntax, or for all other forms in the new one. */
    abstract String print(Expr expr, Syntax syntax);

    /** The text of a value in the new syntax, as a byte string. */
    abstract String octets(Value value);

    /** The code of an expression. */
    abstract CompiledExpr compile(Expr expr);

    /** See {@link Expr#flatten}. */
    abstract Expr flatten(Expr expr, Scope scope);

    /** See {@link Expr#references}. */
    abstract References references(Expr expr, ClassAd ad, LookupMode mode);

    /** See {@link Expr#names}. */
    abstract Set<String> names(Expr expr);

    /** See {@link Scope#matching}. */
    abstract Scope matching(ClassAd my, ClassAd target, LookupMode mode);

    /** See {@link ClassAd#toMap}. */
    abstract Map<String, @Nullable Object> toMap(ClassAd ad);

    /** See {@link ClassAd#fromMap}. */
    abstract ClassAd fromMap(Map<String, ? extends @Nullable Object> map);
}
