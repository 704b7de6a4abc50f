package org.metasched.example.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;

class CheapestTest {

    private static final Path PAGE =
            Path.of(System.getProperty("metasched.root", "../.."), "docs", "classad-in-ten-minutes.md");
    private static final Pattern BLOCK = Pattern.compile("```(java|text)\n(.*?)```", Pattern.DOTALL);
    private static final String LANGUAGE = placeOf(ClassAd.class);

    @Test
    void theProgramNeedsTheLanguageOnly() throws Exception {
        assertThat(printed(
                        placeOf(Cheapest.class) + File.pathSeparator + LANGUAGE,
                        Cheapest.class.getName(),
                        "machines.ads",
                        "price(Tariff, Cores * Hours)"))
                .isEqualTo("12.80  heron\n16.00  plover\n96.00  snipe\n");
    }

    @Test
    void thePageCompilesAndPrintsWhatItShows(@TempDir Path dir) throws Exception {
        List<MatchResult> blocks =
                BLOCK.matcher(Files.readString(PAGE)).results().toList();
        var imports = new StringBuilder();
        var statements = new StringBuilder();
        var shown = new StringBuilder();
        var sources = new ArrayList<Path>();
        for (MatchResult block : blocks) {
            String text = block.group(2);
            if (block.group(1).equals("text")) {
                shown.append(text);
            } else if (text.startsWith("package ")) {
                sources.add(write(dir.resolve("example/RackFunctions.java"), text));
            } else if (text.startsWith("import ")) {
                imports.append(text);
            } else {
                statements.append(text);
            }
        }
        String main = imports + "public class Page { public static void main(String[] none) throws Exception {\n"
                + statements + "} }\n";
        sources.add(write(dir.resolve("Page.java"), main));
        write(dir.resolve("META-INF/services/org.metasched.classad.FunctionLibrary"), "example.RackFunctions");

        compile(sources, dir);

        assertThat(printed(dir + File.pathSeparator + LANGUAGE, "Page")).isEqualTo(shown.toString());
        assertThat(shown).hasLineCount(19);
    }

    @Test
    void aFunctionOfATakenNameIsLeftOutAndAllOthersWork(@TempDir Path dir) throws Exception {
        String clash = """
                package example;
                import org.metasched.classad.*;
                public final class Clash implements FunctionLibrary {
                    public void addTo(FunctionTable table) {
                        table.function("Size", 1, 1, 1, true, values -> Value.TRUE);
                        table.function("same", 1, 1, 1, true, values -> values.get(0));
                        throw new IllegalStateException("at the end");
                    }
                }
                """;
        String main = """
                public class Main { public static void main(String[] none) throws Exception {
                    System.out.println(org.metasched.classad.ClassAd.parse("[ a = same(size(\\"four\\")) ]").getInt("a"));
                } }
                """;
        compile(List.of(write(dir.resolve("example/Clash.java"), clash), write(dir.resolve("Main.java"), main)), dir);
        write(dir.resolve("META-INF/services/org.metasched.classad.FunctionLibrary"), "example.Clash");

        assertThat(printed(dir + File.pathSeparator + LANGUAGE, "Main").lines())
                .contains("4")
                .anyMatch(line -> line.contains("example.Clash") && line.contains("Size"))
                .anyMatch(line -> line.contains("example.Clash") && line.contains("at the end"));
    }

    private static void compile(List<Path> sources, Path dir) {
        var arguments = new ArrayList<>(List.of("-proc:none", "-cp", LANGUAGE, "-d", dir.toString()));
        sources.forEach(source -> arguments.add(source.toString()));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static String placeOf(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    /** What a program prints, with these classes and the JDK's only. */
    private static String printed(String classPath, String... program) throws Exception {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath));
        command.addAll(List.of(program));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
