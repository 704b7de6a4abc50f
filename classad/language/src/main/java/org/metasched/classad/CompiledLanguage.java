package org.metasched.classad;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Bytes;

/**
 * The provider of the services of the language: its compiler, and the written forms, which are found as a service. Made by the
 * service loader.
 */
public final class CompiledLanguage extends LanguageServices {

    private final WrittenForms forms;

    /** For the service loader. */
    public CompiledLanguage() {
        forms = ServiceLoader.load(WrittenForms.class, WrittenForms.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "No provider of the service %s is on the class path.".formatted(WrittenForms.class.getName())));
    }

    /** The UTF-8 bytes of a text; throws if there are more of them than the limits allow. */
    private static byte[] checked(String text, ReadOptions reading) throws ClassAdSyntaxException {
        Objects.requireNonNull(text, "The text to parse is null.");
        int most = reading.limits().textBytes();
        // A text with more characters than the bytes allowed is refused without being encoded.
        byte[] bytes = text.length() > most ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        int length = Math.max(text.length(), bytes.length);
        if (length > most) {
            String reason = "the text has %d bytes, at most %d are read".formatted(length, most);
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
        return Compiler.SharedCode.of(expr);
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

    @Override
    Map<String, @Nullable Object> toMap(ClassAd ad) {
        return new JavaValues().map(Scope.of(ad));
    }

    @Override
    ClassAd fromMap(Map<String, ? extends @Nullable Object> map) {
        return JavaValues.ad(map);
    }

    /**
     * The converter of values of the language to Java's and back. A list may contain itself, so that depth and number of the values are
     * bounded; all of them are evaluated within the limits of one evaluation.
     */
    private static final class JavaValues {

        /** The depth of nested lists and ads below which values become ERROR. */
        private static final int DEEPEST = 100;

        /** The number of values beyond which they become ERROR. */
        private static final int MOST_VALUES = 1_000_000;

        private final EvaluationBudget.SharedBudget budget =
                new EvaluationBudget.SharedBudget(Limits.DEFAULT.evaluationSteps(), Limits.DEFAULT.evaluationBytes());
        private int valuesLeft = MOST_VALUES;
        private int depth;

        /** The Java values of the attributes of a scope's ad, in order. */
        Map<String, @Nullable Object> map(Scope scope) {
            var map = new LinkedHashMap<String, @Nullable Object>();
            scope.ad().forEach((name, expr) -> map.put(name, java(Evaluation.evaluate(expr, scope, budget))));
            return Collections.unmodifiableMap(map);
        }

        /** The Java value of a value; null for UNDEFINED. */
        private @Nullable Object java(Value value) {
            if (--valuesLeft < 0 || depth > DEEPEST) {
                return Value.ERROR;
            }
            depth++;
            try {
                if (value instanceof Value.ListOf list) {
                    var elements = new ArrayList<@Nullable Object>();
                    for (Expr element : list.elements()) {
                        elements.add(java(Evaluation.evaluate(element, list.scope(), budget)));
                    }
                    return Collections.unmodifiableList(elements);
                }
                return value instanceof Value.Record ad ? map(ad.scope()) : scalar(value);
            } finally {
                depth--;
            }
        }

        private static @Nullable Object scalar(Value value) {
            if (value instanceof Value.Bool bool) {
                return bool.value();
            } else if (value instanceof Value.Int integer) {
                return integer.value();
            } else if (value instanceof Value.Real real) {
                return real.value();
            } else if (value instanceof Value.Text text) {
                return text.text();
            } else if (value instanceof Value.AbsTime time) {
                return instant(time);
            } else if (value instanceof Value.RelTime time) {
                return Duration.ofMillis(Math.round(time.seconds() * 1000));
            }
            return value.isUndefined() ? null : value;
        }

        /** The {@link OffsetDateTime} of an instant, or the instant itself if Java has no such time. */
        private static Object instant(Value.AbsTime time) {
            try {
                return Instant.ofEpochSecond(time.seconds()).atOffset(ZoneOffset.ofTotalSeconds(time.offset()));
            } catch (DateTimeException beyondJava) {
                return time;
            }
        }

        /** The expression of a Java value; {@code name} is the attribute that an error message names. */
        static Expr expression(String name, @Nullable Object java) {
            if (java instanceof Expr expr) {
                return expr;
            } else if (java instanceof ClassAd ad) {
                return new RecordExpr(ad);
            } else if (java instanceof Map<?, ?> map) {
                return new RecordExpr(ad(map));
            } else if (java instanceof Collection<?> list) {
                List<Expr> elements = new ArrayList<>();
                list.forEach(element -> elements.add(expression(name, element)));
                return new ListExpr(elements);
            }
            Value value = value(name, java);
            return value instanceof Value.RelTime ? Literal.exactly(value) : Literal.of(value);
        }

        /** The value of a Java value that is no collection; UNDEFINED for null. */
        private static Value value(String name, @Nullable Object java) {
            if (java == null) {
                return Value.UNDEFINED;
            } else if (java instanceof Value value) {
                return value;
            } else if (java instanceof CharSequence text) {
                return Value.of(text.toString());
            } else if (java instanceof Boolean truth) {
                return Value.of(truth.booleanValue());
            } else if (java instanceof Double || java instanceof Float) {
                return Value.of(((Number) java).doubleValue());
            } else if (java instanceof Long
                    || java instanceof Integer
                    || java instanceof Short
                    || java instanceof Byte) {
                return Value.of(((Number) java).longValue());
            } else if (java instanceof OffsetDateTime time) {
                return new Value.AbsTime(time.toEpochSecond(), time.getOffset().getTotalSeconds());
            } else if (java instanceof Instant time) {
                return new Value.AbsTime(time.getEpochSecond(), 0);
            } else if (java instanceof Duration span) {
                return new Value.RelTime(span.toMillis() / 1000.0);
            }
            throw new IllegalArgumentException(
                    "The attribute %s is a %s, expected a string, a number, a boolean, a time, a list, a map or a part of the language."
                            .formatted(name, java.getClass().getName()));
        }

        /** The ad of a map. */
        static ClassAd ad(Map<?, ?> map) {
            var builder = new ClassAd.Builder();
            map.forEach((name, value) -> builder.set(String.valueOf(name), expression(String.valueOf(name), value)));
            return builder.build();
        }
    }
}
