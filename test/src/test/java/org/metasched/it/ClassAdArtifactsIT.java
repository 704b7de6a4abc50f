package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metasched.it.OutsideProject.VERSION;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

        assertThat(new OutsideProject(dir)
                        .printed(tool("java"), "-cp", dir.resolve("lib") + "/*", source.toString())
                        .strip())
                .isEqualTo("42");
    }

    @Test
    void aModuleSeesWhatIsInterfaceAndNothingBehindIt() throws Exception {
        taken("classad-gangs");
        Files.writeString(dir.resolve("module-info.java"), "module consumer { requires org.metasched.classad.gangs; }");

        assertThat(consumer("")).isEqualTo("true");
        for (String internal : List.of("index.OfferSet", "text.Name", "grammar.Parser", "function.ListFunctions")) {
            assertThatThrownBy(() -> consumer("import org.metasched.classad." + internal + ";"))
                    .hasMessageContaining("does not export it");
        }
    }

    /** What a consumer prints that is compiled and run as a module. */
    private String consumer(String furtherImport) throws Exception {
        Path source = Files.createDirectories(dir.resolve("example")).resolve("Consumer.java");
        Files.writeString(source, """
                package example;
                import java.util.List;
                import org.metasched.classad.*;
                import org.metasched.classad.gang.*;
                %s
                class Consumer {
                    public static void main(String[] none) {
                        ClassAd root = ClassAd.parse("[ Ports = { [ Label = cpu; Constraint = cpu.Memory > 1 ] } ]");
                        ClassAd offer = ClassAd.parse("[ Memory = 2; Requirements = true ]");
                        System.out.println(new DynamicGangmatcher().marshal(root, List.of(offer)).isPresent());
                    }
                }
                """.formatted(furtherImport));
        var outside = new OutsideProject(dir);
        outside.printed(tool("javac"), "-p", "lib", "-d", "out", "module-info.java", source.toString());
        return outside.printed(tool("java"), "-p", "lib:out", "-m", "consumer/example.Consumer")
                .strip();
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
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
