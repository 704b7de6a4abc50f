package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Sample configurations of documents, examples and packages, also with the keys that stand behind {@code #}: safe for a site that copies them. */
class SafeSamplesTest {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();
    private static final List<String> FOLDERS =
            List.of("docs", "examples", "metascheduler/dist/src", "metascheduler/cli/src/main/resources", "README.md");
    private static final Pattern BLOCK = Pattern.compile("```ya?ml\\n(.*?)```", Pattern.DOTALL);
    /** A key behind {@code #}, not a sentence. */
    private static final Pattern KEY = Pattern.compile("^#(?= *(- )?[a-z][a-z-]*:( |$))", Pattern.MULTILINE);
    /** What {@code metasched init} and the chart fill in. */
    private static final Pattern BLANK = Pattern.compile("@[A-Z_]+@|\\{\\{.*?}}");

    private static final Pattern LOCAL = Pattern.compile("(127[.][0-9.]+|localhost|\\[?::1]?)(:\\d+)?");

    /** One sample: of a file, or of a block in a document. */
    private record Sample(String name, Map<?, ?> keys) {}

    @Test
    void theSamplesOfPackagesAndPagesAreAmongThem() throws Exception {
        assertThat(samples())
                .extracting(Sample::name)
                .anyMatch(name -> name.contains("dist/src/tree/etc/server.yaml"))
                .anyMatch(name -> name.contains("dist/src/tree/etc/sites/simulated.yaml"))
                .anyMatch(name -> name.contains("cli/install/server.yaml"))
                .anyMatch(name -> name.contains("cli/install/site.yaml"))
                .anyMatch(name -> name.contains("docs/settings.md"))
                .anyMatch(name -> name.contains("docs/access.md"))
                .anyMatch(name -> name.contains("docs/sites/"));
    }

    @TestFactory
    Stream<DynamicTest> noSampleOpensADoor() throws Exception {
        return samples().stream().map(sample -> DynamicTest.dynamicTest(sample.name(), () -> judge(sample.keys())));
    }

    /** Keys of the chart and of an image's first start come from templates, which are no YAML. */
    @Test
    void theChartAndTheImageServeProvenCallersOverTlsAlone() throws Exception {
        String chart = Files.readString(ROOT.resolve("metascheduler/dist/src/helm/metasched/templates/server.yaml"));
        assertThat(chart).contains("certificate: /etc/metasched/tls/tls.crt", "operators: 127.0.0.1:");
        assertThat(Files.readString(ROOT.resolve("metascheduler/dist/src/helm/metasched/values.yaml")))
                .contains("\nsecurity:\n  anonymous: false\n");
        assertThat(Files.readString(ROOT.resolve("metascheduler/dist/src/image/opt/metasched/lib/first-start.sh")))
                .contains("certificate: %s/pki/server.pem", "anonymous: false", "operators: 127.0.0.1:")
                .doesNotContain("anonymous: true");
    }

    @Test
    void anUnsafeSampleIsFound() {
        for (String unsafe : List.of(
                "listen: 0.0.0.0\nsites: []",
                "listen: 0.0.0.0\nsites: []\nsecurity: {anonymous: false}",
                "sites: []\nsecurity: {anonymous: true, certificate: a, key: b, authorities: c}",
                "site: a\nserve: {address: 0.0.0.0}",
                "site: a\nidentity: {default: root}",
                "sites: [{site: a, identity: {default: root}}]",
                "sites: [{site: a, identity: {become: '*', default: '*'}}]")) {
            assertThat(Assertions.failure(() -> judge(parsed(unsafe).orElseThrow())))
                    .as(unsafe)
                    .isPresent();
        }
    }

    private static final class Assertions {
        static Optional<AssertionError> failure(Runnable judgement) {
            try {
                judgement.run();
                return Optional.empty();
            } catch (AssertionError e) {
                return Optional.of(e);
            }
        }
    }

    private static void judge(Map<?, ?> keys) {
        var security = section(keys, "security");
        assertThat(security.map(s -> String.valueOf(s.get("anonymous"))))
                .as("anonymous")
                .isNotEqualTo(Optional.of("true"));
        for (var address : List.of(
                Optional.ofNullable(keys.get("listen")), section(keys, "serve").map(serve -> serve.get("address")))) {
            address.map(String::valueOf)
                    .filter(a -> !LOCAL.matcher(a).matches())
                    .ifPresent(open -> assertThat(
                                    security.orElse(Map.of()).keySet().toString())
                            .as("listens at " + open)
                            .contains("certificate", "key"));
        }
        judgeIdentity(keys);
        if (keys.get("sites") instanceof List<?> sites) {
            sites.stream().filter(Map.class::isInstance).forEach(site -> judgeIdentity((Map<?, ?>) site));
        }
    }

    private static void judgeIdentity(Map<?, ?> site) {
        section(site, "identity")
                .flatMap(identity -> Optional.ofNullable(identity.get("default")))
                .ifPresent(user -> assertThat(String.valueOf(user)).isNotIn("root", "*", "0"));
    }

    private static Optional<Map<?, ?>> section(Map<?, ?> keys, String name) {
        return keys.get(name) instanceof Map<?, ?> section ? Optional.of(section) : Optional.empty();
    }

    private static List<Sample> samples() throws IOException {
        var samples = new ArrayList<Sample>();
        for (String folder : FOLDERS) {
            try (var files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(f -> f.toString().matches(".*[.](ya?ml|md)"))
                        .filter(f -> !f.toString().contains("/target/"))
                        .toList()) {
                    addAll(samples, file);
                }
            }
        }
        return samples;
    }

    private static void addAll(List<Sample> samples, Path file) throws IOException {
        String name = ROOT.relativize(file).toString();
        String text = Files.readString(file);
        if (name.endsWith(".md")) {
            var block = BLOCK.matcher(text);
            while (block.find()) {
                add(samples, name + " at " + block.start(), block.group(1));
            }
        } else {
            add(samples, name, text);
        }
    }

    private static void add(List<Sample> samples, String name, String text) {
        String filled = BLANK.matcher(text).replaceAll("x");
        parsed(filled).ifPresent(keys -> samples.add(new Sample(name, keys)));
        parsed(KEY.matcher(filled).replaceAll(""))
                .ifPresent(keys -> samples.add(new Sample(name + ", with what stands behind #", keys)));
    }

    /** Empty for what is no configuration of a server or a site. */
    private static Optional<Map<?, ?>> parsed(String text) {
        try {
            Object value =
                    new Load(LoadSettings.builder().setAllowDuplicateKeys(true).build()).loadFromString(text);
            return value instanceof Map<?, ?> keys
                            && Stream.of("site", "sites", "listen", "security", "serve")
                                    .anyMatch(keys::containsKey)
                    ? Optional.of(keys)
                    : Optional.empty();
        } catch (YamlEngineException notYaml) {
            return Optional.empty();
        }
    }
}
