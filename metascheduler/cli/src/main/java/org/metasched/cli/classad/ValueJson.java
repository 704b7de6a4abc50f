package org.metasched.cli.classad;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;

/** Values as the conformance corpus writes them: lists and ads evaluated, down to a depth. */
final class ValueJson {

    /** The depth from which lists and ads are not written: {@code "deep"} stands in their place. */
    private static final int DEEPEST = 5;

    /** The number of nodes after which no list or ad is opened any more: ads that contain each other grow fast even so. */
    private static final int MOST_NODES = 100_000;

    private int nodes;

    ObjectNode of(Value value) {
        nodes = 0;
        return of(value, 0);
    }

    private ObjectNode of(Value value, int depth) {
        nodes++;
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (value instanceof Value.ListOf list) {
            return list(node.put("t", "list"), list, depth);
        }
        if (value instanceof Value.Record record) {
            return ad(node.put("t", "ad"), record, depth);
        }
        return scalar(node, value);
    }

    private static ObjectNode scalar(ObjectNode node, Value value) {
        if (value instanceof Value.Bool bool) {
            return node.put("t", "bool").put("v", bool.value());
        }
        if (value instanceof Value.Int whole) {
            return node.put("t", "int").put("v", Long.toString(whole.value()));
        }
        if (value instanceof Value.Real number) {
            return node.put("t", "real").put("v", real(number.value()));
        }
        if (value instanceof Value.Text text) {
            return node.put("t", "string").put("v", text.text());
        }
        if (value instanceof Value.AbsTime time) {
            return node.put("t", "abstime").put("secs", time.seconds()).put("offset", time.offset());
        }
        if (value instanceof Value.RelTime time) {
            return node.put("t", "reltime").put("v", real(time.seconds()));
        }
        return node.put("t", value.isUndefined() ? "undefined" : "error");
    }

    private static String real(double value) {
        String text = Double.toString(value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private ObjectNode list(ObjectNode node, Value.ListOf list, int depth) {
        if (depth >= DEEPEST || nodes > MOST_NODES) {
            return node.put("deep", true);
        }
        ArrayNode elements = node.putArray("v");
        for (Expr element : list.elements()) {
            elements.add(of(element.evaluate(list.scope()), depth + 1));
        }
        return node;
    }

    private ObjectNode ad(ObjectNode node, Value.Record record, int depth) {
        if (depth >= DEEPEST || nodes > MOST_NODES) {
            return node.put("deep", true);
        }
        ObjectNode attributes = node.putObject("v");
        record.ad().forEach((name, expr) -> {
            Value value = expr instanceof Literal literal
                    ? literal.value()
                    : record.get(name).orElse(Value.UNDEFINED);
            attributes.set(name, of(value, depth + 1));
        });
        return node;
    }
}
