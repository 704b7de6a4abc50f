package org.metasched.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.console.Operations;

/** The server's metrics and health as the console sees them. */
record OperationsView(Metrics metrics, Health condition) implements Operations {

    @Override
    public List<Figure> figures() {
        return metrics.figures();
    }

    @Override
    public Map<String, String> health() {
        var words = new LinkedHashMap<String, String>();
        condition.answer().body().fields().forEachRemaining(field -> {
            if (field.getValue().isObject()) {
                field.getValue()
                        .fields()
                        .forEachRemaining(inner -> words.put(
                                field.getKey() + ": " + inner.getKey(),
                                inner.getValue().asText()));
            } else {
                words.put(field.getKey(), field.getValue().asText());
            }
        });
        return words;
    }
}
