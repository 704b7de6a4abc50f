package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.OutsideProject.ROOT;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A site admin without a checkout: takes the artifacts by the dependencies that the guide shows, compiles the guide's example by the
 * guide's lines, drops the jar in, and runs rules of the kit.
 */
@Tag("full")
class AdapterArtifactsIT {

    private static final Path EXAMPLE = ROOT.resolve("examples/my-first-adapter");

    @TempDir
    private Path dir;

    @Test
    void theGuidesLinesCompileTheGuidesExample() throws Exception {
        String guide = Files.readString(ROOT.resolve("docs/adapter-guide.md"));
        var project = new OutsideProject(dir);
        project.publish("metasched", "", false);
        project.publish("adapters", "adapters", false);
        project.publish("durable", "classad/durable", true);
        project.publish("classad", "classad", false);
        project.publish("classad-language", "classad/language", true);
        for (String part : List.of("adapter-spi", "slot-table", "adapter-base", "adapter-testkit")) {
            project.publish(part, "adapters/" + part, true);
        }
        assertThat(project.taken(block(guide, "```xml\n", "```")))
                .contains("adapter-spi", "slot-table", "adapter-base", "adapter-testkit")
                .noneMatch(jar -> jar.contains("junit") || jar.contains("jetty") || jar.contains("cxf"));

        Files.copy(
                EXAMPLE.resolve("src/test/java/org/metasched/example/lots/LotScheduler.java"),
                dir.resolve("LotScheduler.java"));
        String lines = block(guide, "    javac ", "\n\n")
                .replace("/usr/share/metasched/lib", dir.resolve("lib").toString())
                .replace("/etc/metasched/adapters.d", "adapters.d");
        project.printed("bash", "-euc", "mkdir adapters.d; " + lines.replaceAll("(?m)^ +metasched .*", ""));

        assertThat(project.printed(java(), "-cp", dir.resolve("lib") + "/*", rules().toString(), site().toString()))
                .endsWith("A2 PASSED\nR1 PASSED\nR4 PASSED\nC2 PASSED\n");
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Path site() throws Exception {
        Path lots = Files.createDirectory(dir.resolve("lots"));
        Files.writeString(lots.resolve("nodes"), "n1|4\nn2|4\n");
        return Files.writeString(dir.resolve("site.yaml"), """
                site: lab
                scheduler: {type: lots, run: {path: ['%s'], environment: {LOTS: '%s'}}}
                """.formatted(EXAMPLE.toAbsolutePath(), lots));
    }

    /** Runs some of the rules: that all hold is said by LotSchedulerTest. */
    private Path rules() throws Exception {
        return Files.writeString(dir.resolve("Rules.java"), """
                import java.nio.file.Path;
                import java.time.Clock;
                import java.util.*;
                import org.metasched.adapter.catalog.*;
                import org.metasched.adapter.testkit.*;
                class Rules {
                    public static void main(String[] site) throws Exception {
                        try (var catalog = AdapterCatalog.open(Optional.of(Path.of("adapters.d")));
                                var lab = SiteConfiguration.read(Path.of(site[0])).open(catalog, Clock.systemUTC())) {
                            for (AdapterRule rule :
                                    List.of(AdapterRule.A2, AdapterRule.R1, AdapterRule.R4, AdapterRule.C2)) {
                                var report = new AdapterKit(lab, KitSettings.usual()).run(rule);
                                System.out.println(rule + " " + report.outcome());
                            }
                        }
                    }
                }
                """);
    }

    private static String block(String guide, String from, String to) {
        var found = Pattern.compile(Pattern.quote(from.strip()) + "(.*?)" + Pattern.quote(to), Pattern.DOTALL)
                .matcher(guide);
        assertThat(found.find()).as(from).isTrue();
        return (from.startsWith("```") ? "" : from.strip()) + found.group(1);
    }
}
