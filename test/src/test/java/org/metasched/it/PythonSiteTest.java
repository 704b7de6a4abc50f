package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;

/** The example site in Python, over the operations of {@code docs/site-http.yaml}. */
class PythonSiteTest extends LocalSchedulerContract {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));

    @TempDir
    private Path folder;

    private Process python;
    private LocalScheduler site;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no python3 here");
        python = new ProcessBuilder(
                        "/usr/bin/python3",
                        ROOT.resolve("examples/python-site/site.py")
                                .toAbsolutePath()
                                .toString(),
                        "0",
                        "4",
                        folder.resolve("held.json").toString())
                .redirectError(ProcessBuilder.Redirect.appendTo(new File("target/python-site.log")))
                .start();
        var out = new BufferedReader(python.inputReader(StandardCharsets.US_ASCII));
        String port = Objects.requireNonNull(out.readLine());
        var yaml = "site: python\nscheduler: {type: http, url: 'http://127.0.0.1:" + port + "'}\n";
        try (var catalog = AdapterCatalog.ofClassPath()) {
            site = SiteConfiguration.from(YamlSettings.parse("site.yaml", yaml)).open(catalog, Clock.systemUTC());
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (site != null) {
            site.close();
        }
        if (python != null) {
            python.destroyForcibly().waitFor();
        }
    }

    @Override
    protected LocalScheduler scheduler() {
        return site;
    }

    @Test
    void aRestartForgetsNothing() throws Exception {
        var key = new RequestKey("k1");
        var request = ResourceRequest.nodes(3, Duration.ofMinutes(10));
        var from = Clock.systemUTC().instant().plus(Duration.ofHours(1));
        var made = site.reserve(key, request, site.earliestStart(request, from).orElseThrow());
        stop();

        start();

        assertThat(site.find(key).orElseThrow().reservation()).isEqualTo(made);
        assertThat(made.nodeNames()).hasSize(3);
        assertThat(site.earliestStart(request, from)).contains(made.slot().end());
    }

    @Test
    void aStartWithinASecondIsCovered() throws Exception {
        var request = ResourceRequest.nodes(1, Duration.ofMinutes(10));
        var hour = Clock.systemUTC().instant().truncatedTo(ChronoUnit.HOURS);
        var asked = TimeSlot.of(hour.plus(Duration.ofHours(2)).plusMillis(500), request.duration());

        var held = site.reserve(new RequestKey("k1"), request, asked.start()).slot();

        assertThat(held.covers(asked)).isTrue();
        assertThat(site.earliestStart(ResourceRequest.nodes(4, Duration.ofMinutes(10)), held.start()))
                .contains(held.end());
    }

    /** The document, the adapter and the example name the same operations. */
    @Test
    void theDocumentNamesTheOperationsThatAreCalledAndAnswered() throws Exception {
        var adapter = "adapters/adapter-base/src/main/java/org/metasched/adapter/rest/RestScheduler.java";

        var described = found("docs/site-http.yaml", "(?m)^  /([a-z-]+):$");

        assertThat(described).hasSize(6);
        assertThat(found(adapter, "calls\\.call\\(\\s*\"([a-z-]+)\"")).isEqualTo(described);
        assertThat(found("examples/python-site/site.py", "\"/([a-z-]+)\": ")).isEqualTo(described);
    }

    /** Without blank lines and comments, a statement a line. */
    @Test
    void theExampleHasAtMostSixtyLines() throws Exception {
        var lines = Files.readString(ROOT.resolve("examples/python-site/site.py"))
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();

        assertThat(lines).hasSizeLessThanOrEqualTo(60).noneMatch(line -> line.contains(";"));
        assertThat(lines).noneMatch(line -> line.matches("(def|class|if|with|for|try|except)\\b.*:\\s*[^\\s\\]})].*"));
        assertThat(lines).allMatch(line -> line.length() <= 140);
    }

    private static TreeSet<String> found(String file, String form) throws Exception {
        var found = new TreeSet<String>();
        Pattern.compile(form)
                .matcher(Files.readString(ROOT.resolve(file)))
                .results()
                .forEach(match -> found.add(match.group(1)));
        return found;
    }
}
