package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.OutsideProject.VERSION;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project of somebody else takes ClassAds from a repository of files, by the BOM, and gets what it asked for and no more. */
@Tag("full")
class ClassAdArtifactsIT {

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

        assertThat(new OutsideProject(dir)
                        .printed(java, "-cp", dir.resolve("lib") + "/*", source.toString())
                        .strip())
                .isEqualTo("42");
        try (var jar = new JarFile(
                dir.resolve("lib/classad-language-" + VERSION + ".jar").toFile())) {
            assertThat(jar.getEntry("module-info.class")).isNotNull();
        }
    }

    @Test
    void gangsBringWhatTheyStandOn() throws Exception {
        assertThat(taken("classad-gangs"))
                .containsExactlyInAnyOrder(
                        "classad-gangs", "classad-matching", "classad-language", "durable", "jspecify");
    }

    /** The artifacts that a project with one dependency gets. */
    private List<String> taken(String artifact) throws Exception {
        var project = new OutsideProject(dir);
        project.publish("metasched", "", false);
        project.publish("durable", "classad/durable", true);
        project.publish("classad", "classad", false);
        project.publish("classad-bom", "classad/bom", false);
        for (String part : List.of("language", "matching", "gangs")) {
            project.publish("classad-" + part, "classad/" + part, true);
        }
        return project.taken("""
                <dependencyManagement><dependencies><dependency>
                  <groupId>org.metasched</groupId><artifactId>classad-bom</artifactId><version>%s</version><type>pom</type><scope>import</scope>
                </dependency></dependencies></dependencyManagement>
                <dependencies><dependency><groupId>org.metasched</groupId><artifactId>%s</artifactId></dependency></dependencies>
                """.formatted(VERSION, artifact));
    }
}
