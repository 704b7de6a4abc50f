package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares what a command prints with {@code --json} with a golden file: keys, their order, types, and values that do not depend on
 * time or place. The system property {@code golden.write=true} writes the files anew.
 */
final class ShownForms {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final Path GOLDEN = Path.of("src/test/resources/org/metasched/cli/shown");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern AGREEMENT = Pattern.compile("ag-[a-z0-9]{20}");
    private static final Pattern COUNTS = Pattern.compile("\\d+ rounds?, \\d+ calls?, \\d+ attempts?, \\d+ ms");
    private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:\\d+");
    /** Keys whose numbers differ from run to run, or from machine to machine. */
    private static final Pattern MEASURED =
            Pattern.compile("(?i).*(millis|seconds|seconds?median|updated)$|secs|newest|rounds|calls");

    private final Path folder;

    ShownForms(Path folder) {
        this.folder = folder;
    }

    /** What a command came to. */
    record Ran(int exit, String out, String err) {}

    static Ran run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ran(exit, out.toString(), err.toString());
    }

    /** Runs a command with {@code --json}, compares what it prints with the golden file of this name, and returns it. */
    JsonNode check(String name, int exit, String... arguments) throws IOException {
        Ran ran = run(Stream.concat(
                        Stream.of(arguments[0], "--json"), Stream.of(arguments).skip(1))
                .toArray(String[]::new));
        assertThat(ran.exit()).as(name + ": " + ran.err()).isEqualTo(exit);
        compare(name, ran.out());
        return JSON.readTree(ran.out());
    }

    void compare(String name, String printed) throws IOException {
        ArrayNode documents = JsonNodeFactory.instance.arrayNode();
        JSON.readerFor(JsonNode.class)
                .<JsonNode>readValues(printed)
                .forEachRemaining(document -> documents.add(steady("", document)));
        Path file = GOLDEN.resolve(name + ".json");
        String shown = JSON.writeValueAsString(documents) + "\n";
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(file, shown);
        }
        assertThat(documents).as(name).isEqualTo(JSON.readTree(file.toFile()));
        assertThat(shown).as(name + ": the order of keys").isEqualTo(Files.readString(file));
    }

    private JsonNode steady(String key, JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode result = JsonNodeFactory.instance.objectNode();
            object.fields()
                    .forEachRemaining(field -> result.set(field.getKey(), steady(field.getKey(), field.getValue())));
            return result;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode result = JsonNodeFactory.instance.arrayNode();
            array.forEach(element -> result.add(steady(key, element)));
            return result;
        }
        if (node.isNumber() && MEASURED.matcher(key).matches()) {
            return node.isIntegralNumber()
                    ? JsonNodeFactory.instance.numberNode(0)
                    : JsonNodeFactory.instance.numberNode(0.5);
        }
        if (key.equals("document")) {
            return JsonNodeFactory.instance.textNode("DOCUMENT");
        }
        return node.isTextual() ? JsonNodeFactory.instance.textNode(steady(node.textValue())) : node;
    }

    private String steady(String text) {
        String placed = text.replace(folder.toUri().getRawPath().replaceAll("/$", ""), "FOLDER");
        placed = TIME.matcher(placed).replaceAll("TIME");
        placed = ID.matcher(placed).replaceAll("ID");
        placed = AGREEMENT.matcher(placed).replaceAll("AGREEMENT");
        placed = COUNTS.matcher(placed).replaceAll("COUNTS");
        return ADDRESS.matcher(placed).replaceAll("ADDRESS");
    }
}
