package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A project of somebody else, that takes our artifacts from a repository of files and all others from what this machine has. */
final class OutsideProject {

    static final Path ROOT = Path.of(System.getProperty("metasched.root"));
    static final String VERSION = "0.1.0-SNAPSHOT";

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0";
    private static final Path KNOWN =
            Path.of(System.getProperty("maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));

    private final Path dir;

    OutsideProject(Path dir) {
        this.dir = dir;
    }

    /** Puts the pom of a module there, and its jar where it has one. */
    void publish(String artifact, String module, boolean jar) throws Exception {
        Path folder = Files.createDirectories(
                dir.resolve("repository/org/metasched").resolve(artifact).resolve(VERSION));
        String name = artifact + "-" + VERSION;
        Files.copy(ROOT.resolve(module).resolve("pom.xml"), folder.resolve(name + ".pom"));
        if (jar) {
            Path built = ROOT.resolve(module).resolve("target").resolve(name + ".jar");
            assumeTrue(Files.exists(built), "The artifacts are not packaged: run verify.");
            Files.copy(built, folder.resolve(name + ".jar"));
        }
    }

    /** The artifacts that the project gets into its folder {@code lib}. @param dependencies as in a pom */
    List<String> taken(String dependencies) throws Exception {
        assumeTrue(
                Files.isDirectory(KNOWN.resolve("org/apache/maven/plugins/maven-dependency-plugin/3.11.0")),
                "Maven's dependency plugin 3.11.0 is not in the local repository.");
        Path settings = Files.writeString(dir.resolve("settings.xml"), SETTINGS.formatted(dir.toUri(), KNOWN.toUri()));
        Path pom = Files.writeString(dir.resolve("pom.xml"), POM.formatted(dependencies));

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

    /** What a command prints, in the project's folder, that must succeed. */
    String printed(String... command) throws Exception {
        Path output = dir.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(dir.toFile())
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
              %s
            </project>
            """;
}
