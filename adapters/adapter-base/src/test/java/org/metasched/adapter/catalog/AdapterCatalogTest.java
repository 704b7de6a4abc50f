package org.metasched.adapter.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.settings.YamlSettings;

class AdapterCatalogTest {

    private static final String SERVICE = "META-INF/services/org.metasched.adapter.LocalSchedulerFactory";

    @TempDir
    private Path folder;

    @Test
    void findsAJarDroppedIntoTheFolder() throws Exception {
        jar("lab.jar", "LabFactory", source("LabFactory", "lab"));

        try (var catalog = AdapterCatalog.open(Optional.of(folder))) {
            assertThat(catalog.types()).contains("lab");
            assertThat(catalog.problems()).isEmpty();
            assertThat(catalog.find("lab").orElseThrow().type()).isEqualTo("lab");
        }
    }

    @Test
    void aBrokenJarIsReportedAndHidesNoOther() throws Exception {
        jar("a-broken.jar", "Nowhere", source("Other", "x"));
        Files.writeString(folder.resolve("b-text.jar"), "this is no jar");
        jar("c-good.jar", "LabFactory", source("LabFactory", "lab"));

        try (var catalog = AdapterCatalog.open(Optional.of(folder))) {
            assertThat(catalog.types()).contains("lab");
            assertThat(catalog.problems())
                    .isNotEmpty()
                    .allSatisfy(problem -> assertThat(problem).startsWith("An adapter cannot be used: "));
        }
    }

    @Test
    void ofTwoWithOneNameTheFirstIsUsedAndThisIsSaid() throws Exception {
        jar("a.jar", "FirstFactory", source("FirstFactory", "lab"));
        jar("b.jar", "SecondFactory", source("SecondFactory", "lab"));

        try (var catalog = AdapterCatalog.open(Optional.of(folder))) {
            assertThat(catalog.find("lab").orElseThrow().getClass().getSimpleName())
                    .isEqualTo("FirstFactory");
            assertThat(catalog.problems()).singleElement().asString().startsWith("Two adapters are called 'lab'");
        }
    }

    @Test
    void anUnknownTypeIsNamedWithTheNearest() throws Exception {
        jar("lab.jar", "LabFactory", source("LabFactory", "calendar"));
        var site = SiteConfiguration.from(YamlSettings.parse("site.yaml", "site: x\nscheduler:\n  type: calender\n"));

        try (var catalog = AdapterCatalog.open(Optional.of(folder))) {
            assertThatThrownBy(() -> site.open(catalog, Clock.systemUTC()))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageStartingWith("site.yaml:3:9: type: there is no adapter (calender)")
                    .hasMessageEndingWith("'calendar' was meant.");
        }
    }

    @Test
    void aFolderThatIsNotThereIsNamedWithItsPlace() {
        var none = folder.resolve("none");
        var server = YamlSettings.parse("server.yaml", "port: 80\nadapters: " + none + "\n");

        assertThatThrownBy(() -> AdapterCatalog.open(Optional.of(none)))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith(none + ": the folder of adapters cannot be read: ");
        assertThatThrownBy(() -> AdapterCatalog.folderIn(server))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("server.yaml:2:11: adapters: expected a folder that exists, not (" + none + ")");
        assertThat(AdapterCatalog.folderIn(YamlSettings.parse("server.yaml", "port: 80\n")))
                .isEmpty();
    }

    private static String source(String name, String type) {
        return """
                import org.metasched.adapter.*;
                public final class %s implements LocalSchedulerFactory {
                    public String type() { return "%s"; }
                    public LocalScheduler open(SiteId site, Settings settings, java.time.Clock clock) {
                        throw new UnsupportedOperationException();
                    }
                }
                """.formatted(name, type);
    }

    private void jar(String file, String service, String source) throws Exception {
        Path build = Files.createDirectories(folder.resolve("build-" + file));
        String name = source.replaceAll("(?s).*class (\\w+) .*", "$1");
        Path java = Files.writeString(build.resolve(name + ".java"), source);
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        build.toString(),
                        java.toString());
        assertThat(exit).isZero();
        try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve(file)))) {
            jar.putNextEntry(new JarEntry(SERVICE));
            jar.write(service.getBytes(StandardCharsets.UTF_8));
            for (String entry : List.of(name + ".class")) {
                jar.putNextEntry(new JarEntry(entry));
                jar.write(Files.readAllBytes(build.resolve(entry)));
            }
        }
    }
}
