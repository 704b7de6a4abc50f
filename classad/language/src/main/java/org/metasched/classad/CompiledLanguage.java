package org.metasched.classad;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.metasched.classad.text.Bytes;

/** The language as it is: its compiler, and the written forms that are found as services and parse. Made by the service loader. */
public final class CompiledLanguage extends LanguageServices {

    private final WrittenForms forms;

    public CompiledLanguage() {
        forms = ServiceLoader.load(WrittenForms.class, WrittenForms.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "No service %s was found beside the language.".formatted(WrittenForms.class.getName())));
    }

    /** The bytes of a text that is not too long. */
    private static byte[] checked(String text, ReadOptions reading) throws ClassAdSyntaxException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int most = reading.limits().textBytes();
        if (bytes.length > most) {
            String reason = "the text has %d bytes, at most %d are read".formatted(bytes.length, most);
            throw ClassAdSyntaxException.at(bytes, 0, 0, reason, "");
        }
        return bytes;
    }

    @Override
    Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException {
        return forms.expression(text, reading);
    }

    @Override
    Expr expression(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return expression(checked(text, reading), reading);
    }

    @Override
    ClassAd read(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return forms.read(checked(text, reading), reading);
    }

    @Override
    List<ClassAd> readAll(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return forms.readAll(checked(text, reading), reading);
    }

    @Override
    String write(ClassAd ad, Syntax syntax) {
        return Bytes.decode(forms.write(ad, syntax));
    }

    @Override
    String print(Expr expr, Syntax syntax) {
        return Bytes.decode((syntax == Syntax.OLD ? Printer.OLD : Printer.NEW).print(expr));
    }

    @Override
    String octets(Value value) {
        return Printer.NEW.print(value);
    }

    @Override
    CompiledExpr compile(Expr expr) {
        return Compiler.compile(expr);
    }

    @Override
    Expr flatten(Expr expr, Scope scope) {
        return PartialEvaluator.flatten(expr, scope);
    }

    @Override
    References references(Expr expr, ClassAd ad, LookupMode mode) {
        return ReferenceFinder.find(expr, ad, mode);
    }

    @Override
    Set<String> names(Expr expr) {
        return ReferenceFinder.namesIn(expr);
    }

    @Override
    Scope matching(ClassAd my, ClassAd target, LookupMode mode) {
        var match = new MatchContext(mode);
        match.left(my);
        match.right(target);
        return match.leftScope();
    }
}
