package org.metasched.cli.classad;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Dialect;
import org.metasched.classad.Expr;
import org.metasched.classad.Limits;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.References;
import org.metasched.classad.Scope;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;

/**
 * Answers the cases of a ClassAd conformance corpus: a JSON object in, {@code {"id":..., "got":...}} out. Whatever a line holds,
 * it gets an answer.
 */
final class ConformanceCases {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Dialect dialect;
    private final ValueJson values = new ValueJson();

    ConformanceCases(Dialect dialect) {
        this.dialect = dialect;
    }

    String answer(String line) {
        ObjectNode answer = NODES.objectNode();
        try {
            JsonNode test = JSON.readTree(line);
            answer.set("id", test.path("id"));
            answer.set("got", got(test));
        } catch (JsonProcessingException notJson) {
            answer.putNull("id");
            answer.set("got", kind("parse_error"));
        }
        return answer.toString();
    }

    /** An answer of a kind, without its content. */
    static ObjectNode kind(String name) {
        return NODES.objectNode().put("t", name);
    }

    /** An ad of a case that cannot be read. */
    private static final class BadAd extends Exception {
        private static final long serialVersionUID = 1L;
        private final String which;

        BadAd(String which, ClassAdSyntaxException cause) {
            super(cause);
            this.which = which;
        }
    }

    private ObjectNode got(JsonNode test) {
        try {
            return switch (test.path("op").asText("eval")) {
                case "unparse" -> unparsed(test);
                case "convert" -> converted(ad(test, "left"));
                case "match" -> matched(test);
                case "refs" -> references(test);
                case "flatten" -> flattened(test);
                default -> evaluated(test);
            };
        } catch (BadAd bad) {
            return kind("ad_parse_error").put("which", bad.which);
        } catch (ClassAdSyntaxException e) {
            return kind("parse_error");
        }
    }

    private ReadOptions reading(JsonNode test, String syntax) {
        return new ReadOptions(syntax(syntax), mode(test), dialect, Limits.DEFAULT);
    }

    private static LookupMode mode(JsonNode test) {
        return test.path("mode").asText("new").equals("old") ? LookupMode.OLD : LookupMode.NEW;
    }

    private static Syntax syntax(String name) {
        return switch (name) {
            case "old" -> Syntax.OLD;
            case "json" -> Syntax.JSON;
            case "xml" -> Syntax.XML;
            default -> Syntax.NEW;
        };
    }

    private Expr expression(JsonNode test) throws ClassAdSyntaxException {
        return Expr.parse(
                test.path("expr").asText(), reading(test, test.path("syntax").asText("new")));
    }

    private ClassAd ad(JsonNode test, String which) throws BadAd {
        JsonNode text = test.get(which);
        if (text == null || text.isNull()) {
            return ClassAd.EMPTY;
        }
        try {
            return ClassAd.parse(
                    text.asText(), reading(test, test.path("ad_syntax").asText("new")));
        } catch (ClassAdSyntaxException e) {
            throw new BadAd(which, e);
        }
    }

    private Scope scope(JsonNode test) throws BadAd {
        ClassAd left = ad(test, "left");
        return test.hasNonNull("right")
                ? Scope.matching(left, ad(test, "right"), mode(test))
                : Scope.of(left, mode(test));
    }

    private ObjectNode evaluated(JsonNode test) throws BadAd, ClassAdSyntaxException {
        Scope scope = scope(test);
        Value value = expression(test).evaluate(scope);
        return values.of(value).put("unparsed", value.print());
    }

    private ObjectNode unparsed(JsonNode test) throws ClassAdSyntaxException {
        Expr expr = expression(test);
        String text = expr.print();
        ReadOptions reading = new ReadOptions(Syntax.NEW, mode(test), dialect, Limits.DEFAULT);
        @Nullable Expr reparsed = null;
        try {
            reparsed = Expr.parse(text, reading);
        } catch (ClassAdSyntaxException e) {
            // then it is not the same
        }
        boolean same = reparsed != null && expr.equals(reparsed);
        boolean fixpoint = reparsed != null && same && text.equals(reparsed.print());
        return kind("unparse")
                .put("new", text)
                .put("old", expr.print(Syntax.OLD))
                .put("reparse_same", same)
                .put("fixpoint", fixpoint);
    }

    private static ObjectNode converted(ClassAd ad) {
        ObjectNode got = kind("convert")
                .put("new", ad.print(Syntax.NEW))
                .put("old", ad.print(Syntax.OLD))
                .put("json", ad.print(Syntax.JSON))
                .put("xml", ad.print(Syntax.XML));
        ad.printedNames().forEach(got.putArray("names")::add);
        return got;
    }

    private ObjectNode matched(JsonNode test) throws BadAd {
        var context = new MatchContext(mode(test), dialect, Limits.DEFAULT);
        context.left(ad(test, "left"));
        context.right(ad(test, "right"));
        ObjectNode got = kind("match")
                .put("symmetric", context.symmetricMatch())
                .put("left_meets_right", context.rightAccepts())
                .put("right_meets_left", context.leftAccepts());
        set(got, "left_requirements", context.leftRequirements());
        set(got, "right_requirements", context.rightRequirements());
        set(got, "left_rank", context.leftScope().ad().evaluate("Rank", context.leftScope()));
        set(got, "right_rank", context.rightScope().ad().evaluate("Rank", context.rightScope()));
        return got;
    }

    private void set(ObjectNode got, String key, Value value) {
        got.set(key, values.of(value).put("unparsed", value.print()));
    }

    private ObjectNode references(JsonNode test) throws BadAd, ClassAdSyntaxException {
        ClassAd ad = ad(test, "left");
        References references = expression(test).references(ad, mode(test));
        ObjectNode got = kind("refs");
        put(got, "external_full", references, references.external());
        put(got, "external_top", references, references.externalTop());
        put(got, "internal_full", references, references.internal());
        return got;
    }

    private static void put(ObjectNode got, String key, References references, Iterable<String> names) {
        if (references.circular()) {
            got.putNull(key);
        } else {
            names.forEach(got.putArray(key)::add);
        }
    }

    private ObjectNode flattened(JsonNode test) throws BadAd, ClassAdSyntaxException {
        Scope scope = Scope.of(ad(test, "left"), mode(test));
        Expr flat = expression(test).flatten(scope);
        ObjectNode got = kind("flatten");
        if (flat instanceof Literal literal) {
            got.set("value", values.of(literal.value()));
        } else {
            got.put("residual", flat.print());
        }
        return got;
    }
}
