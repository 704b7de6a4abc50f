package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.OutsideProject.ROOT;

import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ClassAd libraries on the module path of somebody else's program: it sees what is API, and no more. */
class ClassAdModulesTest {

    private static final List<Path> LIBRARIES = Stream.of("durable", "language", "matching", "gangs")
            .map(part -> ROOT.resolve("classad").resolve(part).resolve("target/classes"))
            .toList();

    private static final String PROGRAM = """
            package example.grid;

            import java.util.List;
            import org.metasched.classad.*;
            import org.metasched.classad.gang.DynamicGangmatcher;

            public final class Program implements FunctionLibrary {
                @Override
                public void addTo(FunctionTable table) {
                    table.function("twice", 1, 1, 1, true, arguments -> Value.of(2 * arguments.get(0).rank()));
                }

                public static void main(String[] none) throws Exception {
                    var job = ClassAd.parse("[ Ports = { [ Label = cpu; Requirements = twice(cpu.Memory) >= 60 ] } ]");
                    var small = ClassAd.parse("[ Name = \\"heron\\"; Memory = 16; Requirements = true ]");
                    var large = ClassAd.parseOld("Name = \\"snipe\\"\\nMemory = 32\\nRequirements = true");
                    var gang = new DynamicGangmatcher().marshal(job, List.of(small, large)).orElseThrow();
                    System.out.print(gang.members().get(1).ad().name() + " " + Program.class.getModule().getName());
                }
            }
            """;

    @TempDir
    private Path dir;

    @Test
    void aModuleBringsAFunctionAndMatchesAGang() throws Exception {
        String module = """
                module example.grid {
                    requires org.metasched.classad.gangs;
                    provides org.metasched.classad.FunctionLibrary with example.grid.Program;
                }
                """;
        assertThat(errors(module, PROGRAM)).isEmpty();

        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertThat(new OutsideProject(dir)
                        .printed(
                                java,
                                "-p",
                                modulePath() + File.pathSeparator + dir.resolve("classes"),
                                "-m",
                                "example.grid/example.grid.Program"))
                .isEqualTo("snipe example.grid");
    }

    @Test
    void aPackageThatIsNoApiCannotBeImported() throws Exception {
        Set<String> api = packages(true);
        Set<String> inner = packages(false);
        assertThat(api)
                .containsExactly(
                        "org.metasched.classad",
                        "org.metasched.classad.claim",
                        "org.metasched.classad.collector",
                        "org.metasched.classad.cycle",
                        "org.metasched.classad.gang",
                        "org.metasched.classad.match",
                        "org.metasched.durable",
                        "org.metasched.leases");
        assertThat(inner)
                .containsExactly(
                        "org.metasched.classad.form",
                        "org.metasched.classad.function",
                        "org.metasched.classad.grammar",
                        "org.metasched.classad.index",
                        "org.metasched.classad.text");

        String module = "module example.grid { requires org.metasched.classad.gangs; requires org.metasched.durable; }";
        assertThat(errors(module, importing(api))).isEmpty();
        assertThat(errors(module, importing(inner)))
                .hasSameSizeAs(inner)
                .containsOnly("compiler.err.package.not.visible");
    }

    private static String importing(Set<String> packages) {
        return packages.stream()
                .map("import %s.*; "::formatted)
                .collect(Collectors.joining("", "package example.grid; ", "class Program {}"));
    }

    /** The packages that everybody may import, or the others. */
    private static Set<String> packages(boolean exported) {
        return ModuleFinder.of(LIBRARIES.toArray(Path[]::new)).findAll().stream()
                .map(ModuleReference::descriptor)
                .flatMap(module -> module.packages().stream()
                        .filter(name -> exported
                                == module.exports().stream()
                                        .filter(exports -> !exports.isQualified())
                                        .map(ModuleDescriptor.Exports::source)
                                        .anyMatch(name::equals)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Compiles a module of one class; the codes of what the compiler refuses. */
    private List<String> errors(String module, String program) throws Exception {
        Path sources = Files.createDirectories(dir.resolve("sources/example/grid"));
        Path descriptor = Files.writeString(dir.resolve("sources/module-info.java"), module);
        Path source = Files.writeString(sources.resolve("Program.java"), program);
        var compiler = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        try (var files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            var options = List.of(
                    "--release",
                    "17",
                    "-p",
                    modulePath(),
                    "-d",
                    dir.resolve("classes").toString());
            compiler.getTask(null, files, found, options, null, files.getJavaFileObjects(descriptor, source))
                    .call();
        }
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(Diagnostic::getCode)
                .toList();
    }

    private static String modulePath() {
        return LIBRARIES.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
