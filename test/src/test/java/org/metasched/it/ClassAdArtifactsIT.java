package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project of somebody else takes ClassAds from a repository of files, by the BOM, and gets what it asked for and no more. */
class ClassAdArtifactsIT {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root"));
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0";
    private static final Path KNOWN =
            Path.of(System.getProperty("maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));

    @TempDir
    private Path dir;

    @Test
    void aProjectTakesTheLanguageFromARepository() throws Exception {
        assertThat(taken("classad-language")).containsExactlyInAnyOrder("classad-language", "jspecify");
        Path source = Files.writeString(dir.resolve("Sum.java"), """
                import org.metasched.classad.*;
                class Sum {
                    public static void main(String[] none) throws ClassAdSyntaxException {
                        System.out.println(Expr.parse("sum({1, 2, 39})").evaluate(Scope.NOWHERE).print());
                    }
                }
                """);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        assertThat(printed(java, "-cp", dir.resolve("lib") + "/*", source.toString())
                        .strip())
                .isEqualTo("42");
        try (var jar = new JarFile(
                dir.resolve("lib/classad-language-" + VERSION + ".jar").toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                    .isEqualTo("org.metasched.classad");
        }
    }

    @Test
    void gangsBringWhatTheyStandOn() throws Exception {
        assertThat(taken("classad-gangs"))
                .containsExactlyInAnyOrder("classad-gangs", "classad-matching", "classad-language", "jspecify");
    }

    /** The artifacts that a project with one dependency gets. */
    private List<String> taken(String artifact) throws Exception {
        assumeTrue(
                Files.isDirectory(KNOWN.resolve("org/apache/maven/plugins/maven-dependency-plugin/3.11.0")),
                "Maven's dependency plugin 3.11.0 is not in the local repository.");
        publish("metasched", ROOT, false);
        publish("classad", ROOT.resolve("classad"), false);
        publish("classad-bom", ROOT.resolve("classad/bom"), false);
        for (String part : List.of("language", "matching", "gangs")) {
            publish("classad-" + part, ROOT.resolve("classad").resolve(part), true);
        }
        Path settings = Files.writeString(dir.resolve("settings.xml"), SETTINGS.formatted(dir.toUri(), KNOWN.toUri()));
        Path pom = Files.writeString(dir.resolve("pom.xml"), POM.formatted(VERSION, artifact));

        printed(
                "mvn",
                "-B",
                "-q",
                "-s",
                settings.toString(),
                "-f",
                pom.toString(),
                "-Dmaven.repo.local=" + dir.resolve("local"),
                "-DoutputDirectory=" + dir.resolve("lib"),
                PLUGIN + ":copy-dependencies");

        try (var jars = Files.list(dir.resolve("lib"))) {
            return jars.map(jar -> jar.getFileName().toString().replaceFirst("-\\d.*", ""))
                    .toList();
        }
    }

    private void publish(String artifact, Path module, boolean jar) throws Exception {
        Path folder = Files.createDirectories(
                dir.resolve("repository/org/metasched").resolve(artifact).resolve(VERSION));
        String name = artifact + "-" + VERSION;
        Files.copy(module.resolve("pom.xml"), folder.resolve(name + ".pom"));
        if (jar) {
            Path built = module.resolve("target").resolve(name + ".jar");
            assumeTrue(Files.exists(built), "The artifacts are not packaged: run verify.");
            Files.copy(built, folder.resolve(name + ".jar"));
        }
    }

    private String printed(String... command) throws Exception {
        Path output = dir.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(4, TimeUnit.MINUTES))
                    .as(Arrays.toString(command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    /** Ours come from the folder; all else, and nothing from a network, from what this machine has already. */
    private static final String SETTINGS = """
            <settings>
              <mirrors><mirror><id>known</id><mirrorOf>central</mirrorOf><url>%2$s</url></mirror></mirrors>
              <profiles><profile><id>ours</id><repositories>
                <repository><id>ours</id><url>%1$srepository</url><snapshots><enabled>true</enabled></snapshots></repository>
              </repositories></profile></profiles>
              <activeProfiles><activeProfile>ours</activeProfile></activeProfiles>
            </settings>
            """;

    private static final String POM = """
            <project>
              <modelVersion>4.0.0</modelVersion><groupId>example</groupId><artifactId>example</artifactId><version>1</version>
              <dependencyManagement><dependencies><dependency>
                <groupId>org.metasched</groupId><artifactId>classad-bom</artifactId><version>%s</version><type>pom</type><scope>import</scope>
              </dependency></dependencies></dependencyManagement>
              <dependencies><dependency><groupId>org.metasched</groupId><artifactId>%s</artifactId></dependency></dependencies>
            </project>
            """;
}
