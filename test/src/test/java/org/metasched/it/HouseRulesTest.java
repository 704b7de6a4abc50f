package org.metasched.it;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.TimeSlot;

/** The arrows of the house: who may know whom. */
@AnalyzeClasses(packages = "org.metasched", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    private static final String[] JDK_AND_LOGGING = {"java..", "org.slf4j..", "org.jspecify.."};
    /** Longer files than this hold two ideas for certain; past 400 lines a file is reported. */
    private static final int LONGEST_FILE = 600;

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES = slices().matching("org.metasched.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(generated(), alwaysTrue());

    @ArchTest
    static final ArchRule SITES_KNOW_ADAPTERS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.sites")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.sites", "org.metasched.adapter"));

    @ArchTest
    static final ArchRule NEGOTIATION_KNOWS_SITES_AND_ADAPTERS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.negotiation")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.negotiation", "org.metasched.sites", "org.metasched.adapter"));

    @ArchTest
    static final ArchRule AGREEMENTS_KNOW_NEGOTIATION_SITES_AND_ADAPTERS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.agreement")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with(
                    "org.metasched.agreement",
                    "org.metasched.negotiation",
                    "org.metasched.sites",
                    "org.metasched.adapter"));

    @ArchTest
    static final ArchRule THE_SITE_INTERFACE_NEEDS_THE_JDK_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.adapter")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "org.metasched.adapter");

    /** Of the site interface, the slot table knows the two kinds of interval. */
    @ArchTest
    static final ArchRule THE_SLOT_TABLE_NEEDS_THE_JDK_AND_TWO_INTERVALS = classes()
            .that()
            .resideInAPackage("org.metasched.slots..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "org.metasched.slots..")
                    .or(belongToAnyOf(TimeSlot.class, FreeWindows.StartInterval.class)));

    @ArchTest
    static final ArchRule ADAPTER_TEXTS_NEED_THE_JDK_ONLY = adapterRoom("text").knows();

    @ArchTest
    static final ArchRule ADAPTER_SETTINGS_KNOW_TEXTS_ONLY =
            adapterRoom("settings").knows("org.metasched.adapter", "org.metasched.adapter.text", "org.snakeyaml..");

    @ArchTest
    static final ArchRule ADAPTER_COMMANDS_KNOW_TEXTS_ONLY = adapterRoom("command")
            .knows("org.metasched.adapter", "org.metasched.adapter.text", "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule ADAPTER_IDENTITY_KNOWS_TEXTS_ONLY =
            adapterRoom("identity").knows("org.metasched.adapter", "org.metasched.adapter.text");

    @ArchTest
    static final ArchRule ADAPTER_CATALOG_KNOWS_SETTINGS_ONLY = adapterRoom("catalog")
            .knows("org.metasched.adapter", "org.metasched.adapter.text", "org.metasched.adapter.settings");

    @ArchTest
    static final ArchRule BOOKING_KNOWS_THE_ROOMS_BELOW_IT = adapterRoom("booking")
            .knows(
                    "org.metasched.slots",
                    "org.metasched.adapter",
                    "org.metasched.adapter.text",
                    "org.metasched.adapter.command",
                    "org.metasched.adapter.identity");

    @ArchTest
    static final ArchRule THE_HTTP_SERVER_KNOWS_NEITHER_SITES_NOR_SOAP = classes()
            .that()
            .resideInAPackage("org.metasched.http..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.http..", "jakarta.servlet..", "org.eclipse.jetty.."));

    @ArchTest
    static final ArchRule ONLY_THE_HTTP_SERVER_KNOWS_JETTY = noClasses()
            .that()
            .resideOutsideOfPackage("org.metasched.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.eclipse.jetty..");

    @ArchTest
    static final ArchRule CLASSADS_NEED_THE_JDK_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.classad..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.classad.."));

    @ArchTest
    static final ArchRule CLASSAD_TEXTS_KNOW_NO_TREE = classes()
            .that()
            .resideInAPackage("org.metasched.classad.text")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.classad.text"));

    @ArchTest
    static final ArchRule THE_CLASSAD_LANGUAGE_KNOWS_NEITHER_FUNCTIONS_NOR_WRITTEN_FORMS = classes()
            .that()
            .resideInAPackage("org.metasched.classad")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.classad", "org.metasched.classad.text"));

    @ArchTest
    static final ArchRule CLASSAD_FUNCTIONS_KNOW_THE_LANGUAGE_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.classad.function")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    with("org.metasched.classad", "org.metasched.classad.text", "org.metasched.classad.function"));

    @ArchTest
    static final ArchRule WRITTEN_FORMS_OF_CLASSADS_KNOW_THE_LANGUAGE_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.classad.form")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    with("org.metasched.classad", "org.metasched.classad.text", "org.metasched.classad.form"));

    /** Users, and the matchmakers too, write and evaluate ads through the language; texts and services are its own affair. */
    @ArchTest
    static final ArchRule ONLY_THE_CLASSAD_LANGUAGE_KNOWS_ITS_PARTS = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.metasched.classad",
                    "org.metasched.classad.text",
                    "org.metasched.classad.function",
                    "org.metasched.classad.form")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "org.metasched.classad.text",
                            "org.metasched.classad.function",
                            "org.metasched.classad.form")
                    .or(belongToTheMachineryOfClassAds()));

    @ArchTest
    static final ArchRule THE_CLASSAD_LANGUAGE_READS_THE_CLOCK_AT_ONE_DOOR = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.metasched.classad",
                    "org.metasched.classad.text",
                    "org.metasched.classad.function",
                    "org.metasched.classad.form")
            .and()
            .doNotHaveFullyQualifiedName("org.metasched.classad.Present")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Clock.class, InstantSource.class);

    @ArchTest
    static final ArchRule THE_WIRE_IS_A_FENCE = noClasses()
            .that()
            .resideOutsideOfPackages("org.metasched.soap..", "org.metasched.adapter.soap..", "org.metasched.wsag..")
            .and()
            .resideInAPackage("org.metasched..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.xml..", "org.metasched.wsag..");

    @ArchTest
    static final ArchRule ONLY_THE_STORE_KNOWS_SQL = noClasses()
            .that()
            .resideOutsideOfPackage("org.metasched.store")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "com.zaxxer..", "org.flywaydb..");

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_PRINTS = noClasses()
            .that()
            .resideOutsideOfPackages("org.metasched.cli..", "org.metasched.bench..")
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule NO_PACKAGE_IS_NAMED_AFTER_A_LAYER = noClasses()
            .should()
            .resideInAnyPackage(
                    "..util..",
                    "..utils..",
                    "..common..",
                    "..support..",
                    "..impl..",
                    "..dto..",
                    "..model..",
                    "..service..");

    @Test
    void noFileHoldsTwoIdeas() throws IOException {
        Map<Path, Long> tooLong = new TreeMap<>();
        var root = Path.of(System.getProperty("metasched.root"));

        try (var files = Files.walk(root)) {
            files.filter(f -> f.toString().endsWith(".java") && f.toString().contains("src/main/java"))
                    .forEach(f -> {
                        long lines = lines(f);
                        if (lines > 400) {
                            System.out.println("HouseRulesTest: " + root.relativize(f) + " has " + lines + " lines");
                        }
                        if (lines > LONGEST_FILE) {
                            tooLong.put(root.relativize(f), lines);
                        }
                    });
        }

        assertThat(tooLong).isEmpty();
    }

    /** Public for the functions and the written forms, which stand in packages of their own. */
    private static DescribedPredicate<JavaClass> belongToTheMachineryOfClassAds() {
        var machinery = Set.of(
                "Language",
                "CompiledLanguage",
                "WrittenForm",
                "FormReader",
                "FormWriter",
                "FunctionLibrary",
                "FunctionTable",
                "Code",
                "Evaluation",
                "Operators");
        return DescribedPredicate.describe(
                "belong to the machinery of ClassAds",
                type -> type.getPackageName().equals("org.metasched.classad")
                        && machinery.contains(type.getSimpleName()));
    }

    /** What is made from the schemas follows the schemas' own circles. */
    private static DescribedPredicate<JavaClass> generated() {
        return resideInAPackage("org.metasched.wsag..");
    }

    private static long lines(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A package of the adapters' base. */
    private record AdapterRoom(String name) {

        ArchRule knows(String... others) {
            var allowed = Arrays.copyOf(others, others.length + 1);
            allowed[others.length] = name;
            return classes()
                    .that()
                    .resideInAPackage(name)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(with(allowed));
        }
    }

    private static AdapterRoom adapterRoom(String name) {
        return new AdapterRoom("org.metasched.adapter." + name);
    }

    private static String[] with(String... own) {
        var all = new String[own.length + JDK_AND_LOGGING.length];
        System.arraycopy(own, 0, all, 0, own.length);
        System.arraycopy(JDK_AND_LOGGING, 0, all, own.length, JDK_AND_LOGGING.length);
        return all;
    }
}
