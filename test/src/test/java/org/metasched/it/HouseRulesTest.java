package org.metasched.it;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
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
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

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
                    "..util..", "..utils..", "..common..", "..impl..", "..dto..", "..model..", "..service..");

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

    private static String[] with(String... own) {
        var all = new String[own.length + JDK_AND_LOGGING.length];
        System.arraycopy(own, 0, all, 0, own.length);
        System.arraycopy(JDK_AND_LOGGING, 0, all, own.length, JDK_AND_LOGGING.length);
        return all;
    }
}
