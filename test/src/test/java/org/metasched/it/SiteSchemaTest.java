package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The published JSON Schema of {@code site.yaml}, the examples in the documents, and what the adapters really read. */
class SiteSchemaTest {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));
    private static final Path SCHEMA = ROOT.resolve("docs/site.schema.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TestFactory
    Stream<DynamicTest> everyExampleIsValid() throws Exception {
        JsonSchema schema = schema();
        return examples().stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    assertThat(problems(schema, Files.readString(file))).isEmpty();
                    SiteConfiguration.read(file);
                }));
    }

    @Test
    void refusesWhatTheProgramRefuses() throws Exception {
        JsonSchema schema = schema();
        for (String yaml : List.of(
                "site: fzj\n",
                "site: 'not a name'\nscheduler: {type: pbs}\n",
                "site: fzj\nscheduler: {type: pbs, exclusiv: true}\n",
                "site: fzj\nscheduler: {type: pbs, look-ahead: soon}\n",
                "site: fzj\nscheduler: {type: pbs, run: {ssh: {user: me}}}\n",
                "site: fzj\nscheduler: {type: slurm}\n",
                "site: fzj\nscheduler: {type: simulated, nodes: 4, licences: [{feature: solver, count: 2}]}\n",
                "site: fzj\nscheduler: {type: simulated, nodes: 4, licences: {solver: -1}}\n",
                "site: fzj\nscheduler: {type: ccs, nodes: 0, cores-per-node: 1}\n",
                "site: fzj\nlook-ahaed: 7d\nscheduler: {type: pbs}\n")) {
            assertThat(problems(schema, yaml)).as(yaml).isNotEmpty();
            assertThatThrownBy(() -> open(yaml)).as(yaml).isInstanceOf(InvalidSettingException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2w", "2h30m", "1.5h", "90 minutes", "PT1H30M", "7d"})
    void takesADurationThatTheProgramTakes(String duration) throws Exception {
        String yaml = "site: fzj\nscheduler: {type: simulated, nodes: 4, look-ahead: " + duration + "}\n";

        assertThat(problems(schema(), yaml)).isEmpty();
        open(yaml);
    }

    /** As in a scenario of the simulation. */
    @Test
    void licencesAreCountedByFeature() throws Exception {
        String yaml = "site: fzj\nscheduler: {type: simulated, nodes: 4, licences: {solver: 2}}\n";

        assertThat(problems(schema(), yaml)).isEmpty();
        open(yaml);
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity: {deny: [/CN=x]}", "zone: UTC", "snapshot: 1s"})
    void whatAnAdapterCannotHeedIsRefused(String setting) {
        assertThatThrownBy(() -> open("site: fzj\n" + setting + "\nscheduler: {type: simulated, nodes: 4}\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(setting.substring(0, setting.indexOf(':')))
                .hasMessageContaining("this type of scheduler does not have the setting");
    }

    @TestFactory
    Stream<DynamicTest> theSchemaKnowsTheSettingsOfEachAdapter() throws Exception {
        JsonNode definitions = JSON.readTree(Files.readString(SCHEMA)).get("$defs");
        return Stream.of("pbs", "ccs", "easy", "slurm", "slurm-rest", "oar", "gridengine", "simulated", "http")
                .map(type -> DynamicTest.dynamicTest(type, () -> {
                    var inSchema = new TreeSet<String>();
                    definitions.get(type).get("properties").fieldNames().forEachRemaining(inSchema::add);
                    assertThat(settingsOf(type)).isEqualTo(inSchema);
                }));
    }

    @Test
    void theSchemaInTheJarIsTheOneInTheDocuments() throws Exception {
        try (var inJar = SiteConfiguration.class.getResourceAsStream("site.schema.json")) {
            assertThat(new String(
                            Objects.requireNonNull(inJar).readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo(Files.readString(SCHEMA));
        }
    }

    /** Ccs and easy by the words of {@code run:}; a simulated site by its key behind {@code #}, as it runs them as the adapter's account. */
    @ParameterizedTest
    @ValueSource(strings = {"slurm", "oar", "gridengine", "pbs", "ccs", "easy", "simulated"})
    void aSampleRunsProgramsWhereItsAdapterCan(String type) throws Exception {
        String yaml = sample(type).replaceAll("(?m)^ *grid-mapfile:.*\n", "").replace("#  programs:", "  programs:");

        try (var site = opened(yaml)) {
            assertThat(site.jobStarter()).isPresent();
        }
    }

    /** No operation of its contract runs one, and the key is refused; that of my-adapter has its test beside the adapter. */
    @Test
    void theSampleOfAnHttpSiteHasNoProgramsAsNoneCanRun() throws Exception {
        try (var site = opened(sample("http"))) {
            assertThat(site.jobStarter()).isEmpty();
        }
        assertThatThrownBy(() -> open(sample("http") + "  programs: {}\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("programs");
        assertThat(Files.readString(ROOT.resolve("docs/site-http.yaml")).lines().filter(line -> line.startsWith("  /")))
                .containsExactlyInAnyOrder(
                        "  /earliest-start:", "  /reserve:", "  /find:", "  /cancel:", "  /state:", "  /load:");
    }

    private static String sample(String type) throws IOException {
        return Files.readString(ROOT.resolve("docs/sites/" + type + ".yaml"));
    }

    /** An adapter that is given a setting nobody has names those it knows. */
    private static Set<String> settingsOf(String type) {
        try {
            open("site: x\nscheduler:\n  type: " + type + "\n  zzz-nobody-has-this: 1\n");
            throw new IllegalStateException("The adapter " + type + " takes any setting.");
        } catch (InvalidSettingException e) {
            String message = String.valueOf(e.getMessage());
            String list = message.substring(message.indexOf("known are ") + "known are ".length())
                    .lines()
                    .findFirst()
                    .orElse("");
            return new TreeSet<>(Arrays.asList(list.split(", ")));
        }
    }

    private static void open(String yaml) {
        opened(yaml).close();
    }

    private static LocalScheduler opened(String yaml) {
        try (var catalog = AdapterCatalog.ofClassPath()) {
            return SiteConfiguration.from(YamlSettings.parse("site.yaml", yaml)).open(catalog, Clock.systemUTC());
        }
    }

    private static List<Path> examples() throws Exception {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/sites"))) {
            var examples = new ArrayList<>(
                    files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList());
            assertThat(examples).hasSizeGreaterThanOrEqualTo(7);
            return examples;
        }
    }

    private static JsonSchema schema() throws Exception {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(Files.readString(SCHEMA));
    }

    private static Set<ValidationMessage> problems(JsonSchema schema, String yaml) {
        Object value = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        return schema.validate(JSON.valueToTree(value));
    }
}
