package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.simulation.scenario.ScenarioReader;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The published JSON Schema of scenarios, the examples, and what the program really reads. */
class ScenarioSchemaTest {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SITES = "sites: {a: {workload: none, nodes: 4}}\n";

    @TempDir
    private Path folder;

    private static JsonNode tree() throws Exception {
        return JSON.readTree(Files.readString(ROOT.resolve("docs/scenario.schema.json")));
    }

    private static boolean isValid(String yaml) throws Exception {
        JsonSchema schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(tree());
        return schema.validate(JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml)))
                .isEmpty();
    }

    static Stream<Path> examples() throws Exception {
        try (var files = Files.list(ROOT.resolve("examples/parco-evaluation"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void examplesAreValid(Path example) throws Exception {
        assertThat(isValid(Files.readString(example))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "polcy: windows\n",
                "policy: magic\n",
                "length: soon\n",
                "streams: {m: {per-day: 1, nodes: 2, duration: 1h, shar: 1}}\n",
                "streams: {m: {per-day: -1, nodes: 2, duration: 1h}}\n",
                "streams: {m: {per-day: 1, nodes: 2, duration: 1h, order: backwards}}\n",
                "streams: {m: {per-day: 1, nodes: 2, duration: 1h, only: colour=3, arrivals: trace, workload: x}}\n"
            })
    void theSchemaRefusesWhatTheProgramRefuses(String extra) throws Exception {
        var file = Files.writeString(folder.resolve("s.yaml"), SITES + extra);

        assertThat(isValid(SITES + extra)).isFalse();
        assertThatThrownBy(() -> ScenarioReader.open(file, Map.of()).read(Map.of()))
                .isInstanceOf(InvalidSettingException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "site", "stream"})
    void theSchemaHasTheKeysThatTheProgramKnows(String part) throws Exception {
        String unknown = switch (part) {
            case "site" -> "sites: {a: {workload: none, nodes: 4, unknown-key: 1}}\n";
            case "stream" -> SITES + "streams: {m: {unknown-key: 1}}\n";
            default -> SITES + "unknown-key: 1\n";
        };
        var file = Files.writeString(folder.resolve("s.yaml"), unknown);

        String said = refusal(file);

        Set<String> known = new TreeSet<>(Arrays.asList(
                said.replaceAll("(?s).*known are ([^\\n]*).*", "$1").split(", ")));
        Set<String> described = new TreeSet<>();
        (part.isEmpty() ? tree() : tree().path("$defs").path(part))
                .path("properties")
                .fieldNames()
                .forEachRemaining(described::add);
        assertThat(described).isEqualTo(known);
    }

    private static String refusal(Path file) {
        try {
            ScenarioReader.open(file, Map.of()).read(Map.of());
            return "";
        } catch (InvalidSettingException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void aRightScenarioIsValidAndRead() throws Exception {
        String yaml = SITES
                + "streams: {m: {per-day: 1, parts: 1, nodes: [1, 2], duration: 1h..2h, order: chain}}\nlength: 3d\n";
        var file = Files.writeString(folder.resolve("s.yaml"), yaml);

        assertThat(isValid(yaml)).isTrue();
        assertThat(ScenarioReader.open(file, Map.of()).read(Map.of()).streams()).hasSize(1);
    }
}
