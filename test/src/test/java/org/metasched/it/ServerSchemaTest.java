package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ConfiguredSites;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The published JSON Schema of {@code server.yaml}, the sample that packages install, and what the server really reads. */
class ServerSchemaTest {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();
    private static final Path SCHEMA = ROOT.resolve("docs/server.schema.json");
    private static final Path SAMPLE = ROOT.resolve("metascheduler/dist/src/tree/etc/server.yaml");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SITES = "sites: [{site: a, scheduler: {type: simulated, nodes: 4}}]\n";

    /** Sections by their place in the schema, and a file with a key there that is unknown. */
    private static final Map<String, String> SECTIONS = Map.ofEntries(
            Map.entry("", "zzz: 1\n"),
            Map.entry("/properties/outbound", "outbound: {zzz: 1}\n"),
            Map.entry("/properties/security", "security: {zzz: 1}\n"),
            Map.entry(
                    "/properties/security/properties/issuers/items", "security: {audiences: a, issuers: [{zzz: 1}]}\n"),
            Map.entry("/properties/security/properties/openid", "security: {openid: {zzz: 1}}\n"),
            Map.entry("/properties/security/properties/vos/items", "security: {vos: [{zzz: 1}]}\n"),
            Map.entry("/properties/security/properties/rules/items", "security: {rules: [{zzz: 1}]}\n"),
            Map.entry("/properties/security/properties/quotas", "security: {quotas: {zzz: 1}}\n"),
            Map.entry("/$defs/quotas", "security: {vos: [{name: a, quotas: {zzz: 1}}]}\n"),
            Map.entry("/$defs/client", "client: {zzz: 1}\n"),
            Map.entry("/properties/mail", "mail: {zzz: 1}\n"),
            Map.entry("/properties/database", "database: {zzz: 1}\n"),
            Map.entry("/properties/negotiation", "negotiation: {zzz: 1}\n"),
            Map.entry("/properties/matchmaking", "matchmaking: {zzz: 1}\n"),
            Map.entry("/properties/matchmaking/properties/rebind", "matchmaking: {rebind: {zzz: 1}}\n"),
            Map.entry("/properties/matchmaking/properties/groups/items", "matchmaking: {groups: [{zzz: 1}]}\n"),
            Map.entry("/properties/monitor", "monitor: {zzz: 1}\n"),
            Map.entry("/properties/sweeper", "sweeper: {zzz: 1}\n"));

    @Test
    void theSampleIsValidWithAndWithoutItsComments() throws Exception {
        String sample = Files.readString(SAMPLE);
        String everything = Pattern.compile("^#(?=[a-z ]+(-[a-z]+)?:|  - )", Pattern.MULTILINE)
                .matcher(sample)
                .replaceAll("");
        assertThat(everything).contains("\nlisten:", "\nsecurity:\n  certificate:", "\n  - site: cesca", "\ndrain:");
        for (String yaml : List.of(sample, everything)) {
            assertThat(problems(yaml)).as(yaml).isEmpty();
        }
        read(sample);
    }

    @Test
    void theSamplePointsToFilesThatArePackaged() throws Exception {
        String sample = Files.readString(SAMPLE);
        for (String page : List.of("settings.md", "access.md", "authentication.md", "server.schema.json")) {
            assertThat(sample).contains(page);
            assertThat(ROOT.resolve("docs").resolve(page)).exists();
        }
        assertThat(Files.readString(ROOT.resolve("metascheduler/dist/src/main/assembly/tree.xml")))
                .contains("<directory>../../docs</directory>", "share/doc/metasched/docs");
    }

    @Test
    void theExamplesOfThePageOfSettingsAreValid() throws Exception {
        var blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("docs/settings.md")));
        int count = 0;
        while (blocks.find()) {
            String yaml = blocks.group(1);
            assertThat(problems(yaml.startsWith("sites:") ? yaml : yaml + SITES))
                    .as(yaml)
                    .isEmpty();
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(3);
    }

    @TestFactory
    Stream<DynamicTest> theSchemaKnowsTheSettingsOfTheServer() throws Exception {
        JsonNode schema = JSON.readTree(Files.readString(SCHEMA));
        return SECTIONS.entrySet().stream()
                .map(section -> DynamicTest.dynamicTest(section.getValue().strip(), () -> {
                    var inSchema = new TreeSet<String>();
                    schema.at(section.getKey()).get("properties").fieldNames().forEachRemaining(inSchema::add);
                    assertThat(known(section.getValue())).isEqualTo(inSchema);
                }));
    }

    @Test
    void refusesWhatTheServerRefuses() throws Exception {
        for (String yaml : List.of(
                "port: 8080\n",
                "sites: []\n",
                SITES + "listn: 0.0.0.0\n",
                SITES + "port: 70000\n",
                SITES + "operators: here\n",
                SITES + "drain: soon\n",
                SITES + "monitor: {degraded: shrug}\n",
                SITES + "negotiation: {strategy: guess}\n",
                SITES + "negotiation: {rounds: 0}\n",
                SITES + "database: {url: 'jdbc:mysql://x'}\n",
                SITES + "matchmaking: {rebind: {when: 'true', below: here}}\n",
                SITES + "matchmaking: {groups: [{name: a, quota: 1, share: 1}]}\n",
                SITES + "security: {roles: {king: [a]}}\n",
                SITES + "security: {rules: [{name: a}]}\n",
                SITES + "security: {syslog: here}\n",
                "sites: [{site: a, url: 'http://x/', nodes: 3}]\n",
                "sites: [{site: a, scheduler: {type: simulated, nodes: 4, nods: 4}}]\n",
                "sites: [{site: a}]\n")) {
            assertThat(problems(yaml)).as(yaml).isNotEmpty();
            assertThatThrownBy(() -> read(yaml)).as(yaml).isInstanceOf(InvalidSettingException.class);
        }
    }

    /** The server names the keys that it knows when it meets another. */
    private static Set<String> known(String yaml) {
        try {
            read(SITES + yaml);
            throw new IllegalStateException("The server takes any setting: " + yaml);
        } catch (InvalidSettingException e) {
            String message = String.valueOf(e.getMessage());
            assertThat(message).contains("zzz", "known are ");
            String list = message.substring(message.indexOf("known are ") + "known are ".length())
                    .lines()
                    .findFirst()
                    .orElse("");
            return new TreeSet<>(Arrays.asList(list.split(", ")));
        }
    }

    private static void read(String yaml) {
        new ConfiguredSites(ConfigurationFile.from(YamlSettings.parse("server.yaml", yaml)), Clock.systemUTC()).close();
    }

    private static Set<ValidationMessage> problems(String yaml) {
        JsonSchema schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(SCHEMA.toUri());
        return schema.validate(JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml)));
    }
}
