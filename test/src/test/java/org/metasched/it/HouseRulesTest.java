package org.metasched.it;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
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
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

    /**
     * The site itself is where both flows end, and the store keeps the books of both; neither counts as knowing a flow.
     */
    private static final String[] CO_ALLOCATION = {
        "org.metasched.agreement..", "org.metasched.negotiation..", "org.metasched.sites..", "org.metasched.soap"
    };

    private static final String[] MATCHMAKING = {
        "org.metasched.classad..",
        "org.metasched.publisher..",
        "org.metasched.claims..",
        "org.metasched.dag..",
        "org.metasched.soap.collector..",
        "org.metasched.soap.introduction.."
    };

    @ArchTest
    static final ArchRule ONLY_THE_BRIDGE_KNOWS_BOTH_FLOWS = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.metasched.selection", "org.metasched.server", "org.metasched.cli..", "org.metasched.bench..")
            .and(areInAPackageThatKnows(CO_ALLOCATION))
            .should(beInAPackageThatKnows(MATCHMAKING));

    @ArchTest
    static final ArchRule FAMILIES_OF_COMMANDS_DO_NOT_KNOW_THE_PROGRAM = noClasses()
            .that()
            .resideInAPackage("org.metasched.cli.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.metasched.cli");

    @ArchTest
    static final ArchRule NO_LIBRARY_KNOWS_THE_COMMAND_LINE = noClasses()
            .that()
            .resideOutsideOfPackages("org.metasched.cli..", "org.metasched.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.metasched.cli..", "picocli..");

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

    /** By package, so that two classes side by side cannot know a flow each. */
    private static DescribedPredicate<JavaClass> areInAPackageThatKnows(String... flow) {
        DescribedPredicate<JavaClass> known = resideInAnyPackage(flow)
                .and(not(simpleName("StoreUnavailableException")))
                .as("in %s", List.of(flow));
        return DescribedPredicate.describe(
                "are in a package that knows classes " + known.getDescription(),
                type -> known.test(type)
                        || type.getPackage().getClassDependenciesFromThisPackage().stream()
                                .anyMatch(dependency -> known.test(dependency.getTargetClass())));
    }

    private static ArchCondition<JavaClass> beInAPackageThatKnows(String... flow) {
        return ArchCondition.from(areInAPackageThatKnows(flow));
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
