package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Size and shape of the house, measured and bounded: {@code test/figures.sh} prints what this test measures. Lines of code are
 * lines of {@code src/main/java} that hold more than white space and comments.
 */
class HouseFiguresTest {

    private static final int MOST_LINES_OF_CODE = 99_663;
    private static final int LONGEST_FILE = 400;
    private static final int LONGER_FILES = 0;
    private static final int MOST_FIELDS = 12;
    private static final int CLASSES_WITH_MORE_FIELDS = 1;
    private static final int MOST_PARAMETERS = 7;
    private static final int CONSTRUCTORS_WITH_MORE_PARAMETERS = 0;
    private static final int NEEDLESS_INTERFACES = 8;

    private static final Path ROOT = Path.of(System.getProperty("metasched.root"));
    private static final Path MAIN = Path.of("src", "main", "java");

    /** Text blocks, strings and characters (kept), comments (dropped): whichever begins first. */
    private static final Pattern TOKENS = Pattern.compile(
            "(\"\"\"(?:[^\\\\]|\\\\.)*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*+\"|'(?:[^'\\\\\\n]|\\\\.)*+')|//[^\\n]*+|/\\*.*?\\*/",
            Pattern.DOTALL);

    private static final Pattern OPERATION =
            Pattern.compile("(?m)^ {4}public [^;{=]*?(\\w+)\\([^;{=]*\\{\\n(?s:(.*?))\\n {4}\\}$");
    private static final int LONGEST_OPERATION = 15;

    private static Map<Path, String> sources;
    private static List<JavaClass> types;

    @BeforeAll
    static void readTheHouse() throws IOException {
        try (var files = Files.walk(ROOT)) {
            sources = files.filter(HouseFiguresTest::isMainSource)
                    .collect(Collectors.toMap(Function.identity(), HouseFiguresTest::text, (a, b) -> a, TreeMap::new));
        }
        types = OurClasses.all();
    }

    @AfterAll
    static void letGo() {
        sources = Map.of();
        types = List.of();
    }

    @Test
    void theHouseIsNotLarger() {
        var modules = new TreeMap<String, Long>();
        sources.forEach((file, text) -> modules.merge(module(file), linesOfCode(text), Long::sum));
        long all = modules.values().stream().mapToLong(Long::longValue).sum();
        modules.forEach((module, lines) -> tell("%7d %s", lines, module));
        tell("%7d lines of code in src/main/java", all);

        assertThat(all).isBetween(10_000L, (long) MOST_LINES_OF_CODE);
    }

    @Test
    void countsLinesOfCodeOnly() {
        String text =
                "/** A\n * b. */\nclass A { // c\n\n  String s = \"/* no comment */\"; /* d\n e */ int i;\n  char c = '\"'; // \"\n}\n";

        assertThat(linesOfCode(text)).isEqualTo(5);
    }

    @Test
    void noFileHoldsTwoIdeas() {
        var tooLong = sources.entrySet().stream()
                .filter(source -> source.getValue().lines().count() > LONGEST_FILE)
                .map(source -> ROOT.relativize(source.getKey()) + ": "
                        + source.getValue().lines().count())
                .toList();

        tell("%7d files over %d lines", tooLong.size(), LONGEST_FILE);
        tooLong.forEach(one -> tell("        %s", one));
        assertThat(tooLong).hasSizeLessThanOrEqualTo(LONGER_FILES);
    }

    /** Doors translate and call; what they decide is a step with a name. */
    @Test
    void operationsOfSoapDoorsAreShort() {
        var tooLong = sources.entrySet().stream()
                .filter(source -> source.getValue().contains("@WebService(")
                        && module(source.getKey()).startsWith("metascheduler"))
                .flatMap(source -> OPERATION
                        .matcher(source.getValue())
                        .results()
                        .filter(operation -> operation.group(2).lines().count() > LONGEST_OPERATION)
                        .map(operation -> ROOT.relativize(source.getKey()) + ": " + operation.group(1)))
                .toList();

        assertThat(tooLong).isEmpty();
    }

    @Test
    void fewClassesHaveManyFields() {
        var large = types.stream()
                .filter(type -> !type.getPackageName().startsWith("org.metasched.bench"))
                .filter(type -> instanceFields(type) > MOST_FIELDS)
                .map(type -> type.getName() + ": " + instanceFields(type))
                .toList();

        tell("%7d classes with more than %d fields", large.size(), MOST_FIELDS);
        large.forEach(one -> tell("        %s", one));
        assertThat(large).hasSizeLessThanOrEqualTo(CLASSES_WITH_MORE_FIELDS);
    }

    @Test
    void fewConstructorsTakeManyArguments() {
        var wide = types.stream()
                .filter(type -> !type.isRecord())
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> constructor.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(constructor -> constructor.getOwner().getName() + ": "
                        + constructor.getRawParameterTypes().size())
                .toList();

        tell("%7d constructors with more than %d parameters, records left out", wide.size(), MOST_PARAMETERS);
        wide.forEach(one -> tell("        %s", one));
        assertThat(wide).hasSizeLessThanOrEqualTo(CONSTRUCTORS_WITH_MORE_PARAMETERS);
    }

    /** An interface with one implementation earns its place where the implementation belongs to another module, or is a service. */
    @Test
    void anInterfaceWithOneImplementationIsTheDoorOfAModule() throws IOException {
        var modules = new TreeMap<String, String>();
        sources.keySet().forEach(file -> modules.put(typeName(file), module(file)));
        Set<String> services = services();

        var needless = types.stream()
                .filter(type -> type.isInterface() && !type.isAnnotation())
                // Those are implemented by lambdas too, which are not counted here.
                .filter(type -> !type.isAnnotatedWith(FunctionalInterface.class))
                .filter(type -> implementations(type).size() == 1)
                .filter(type -> !services.contains(type.getName()))
                .filter(type -> modules.getOrDefault(OurClasses.outermost(type), "")
                        .equals(modules.get(
                                OurClasses.outermost(implementations(type).get(0)))))
                .map(type ->
                        type.getName() + " <- " + implementations(type).get(0).getName())
                .toList();

        tell("%7d interfaces with one implementation in their own module", needless.size());
        needless.forEach(one -> tell("        %s", one));
        assertThat(needless).hasSizeLessThanOrEqualTo(NEEDLESS_INTERFACES);
    }

    private static List<JavaClass> implementations(JavaClass type) {
        return type.getAllSubclasses().stream().filter(c -> !c.isInterface()).toList();
    }

    private static long instanceFields(JavaClass type) {
        return type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                .count();
    }

    /** Interfaces that {@code ServiceLoader} looks up. */
    private static Set<String> services() throws IOException {
        Set<String> names = new HashSet<>();
        try (var files = Files.walk(ROOT)) {
            files.filter(file -> file.getParent().endsWith("src/main/resources/META-INF/services"))
                    .forEach(file -> names.add(file.getFileName().toString()));
        }
        return names;
    }

    private static long linesOfCode(String text) {
        String code = TOKENS.matcher(text)
                .replaceAll(token -> token.group(1) != null
                        ? "x\n".repeat((int) token.group().lines().count()).stripTrailing()
                        : "\n".repeat((int)
                                token.group().chars().filter(c -> c == '\n').count()));
        return code.lines().filter(line -> !line.isBlank()).count();
    }

    private static boolean isMainSource(Path file) {
        return file.toString().endsWith(".java")
                && ROOT.relativize(file).toString().contains(MAIN + "/");
    }

    private static String module(Path file) {
        String path = ROOT.relativize(file).toString();
        return path.substring(0, path.indexOf("/" + MAIN));
    }

    private static String typeName(Path file) {
        String path = file.toString();
        return path.substring(path.indexOf(MAIN + "/") + MAIN.toString().length() + 1, path.length() - ".java".length())
                .replace('/', '.');
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void tell(String form, Object... values) {
        System.out.println("HouseFigures: " + String.format(form, values));
    }
}
