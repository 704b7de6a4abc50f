package org.metasched.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LoopbackHost;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.TemporaryFailure;
import org.metasched.adapter.TimeSlot;
import org.metasched.leases.MatchLeases;
import org.slf4j.Logger;

/** The arrows of the house: who may know whom. */
@AnalyzeClasses(
        packages = "org.metasched",
        importOptions = {ImportOption.DoNotIncludeTests.class, HouseRulesTest.WithoutTestJars.class})
class HouseRulesTest {

    /** Test jars, and the benches of a checkout, are not what is installed. */
    static final class WithoutTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar") && !location.contains("/test/bench/");
        }
    }

    private static final String[] JDK_AND_LOGGING = {"java..", "org.slf4j..", "org.jspecify.."};
    /** An empty shell unless an agent stands beside the JVM. */
    private static final String TRACING = "io.opentelemetry..";
    /** A package with more top-level types is a hall: a reader cannot hold it in the head. */
    private static final long MOST_TYPES = 48;

    /** Commands wire programs. */
    private static final String[] MAY_READ_THE_WALL_CLOCK = {"org.metasched.cli.."};

    /** Where the house is entered from outside, beside services, the interface for adapters, and the examples. */
    private static final Set<String> DOORS = Set.of(
            // the command line, through which the server and each adapter's program start
            "org.metasched.cli.Main",
            // libraries: a Java program begins with one of these
            "org.metasched.classad.ClassAd",
            "org.metasched.dag.DagParser",
            "org.metasched.submit.SubmitDescription",
            "org.metasched.negotiation.EmbeddedGrid",
            "org.metasched.publisher.PublishSchedule",
            "org.metasched.client.AgreementClient",
            "org.metasched.soap.introduction.MatchReceiver",
            "org.metasched.classad.claim.GangClaimer",
            "org.metasched.classad.claim.ResourceAgent",
            "org.metasched.adapter.simulated.SimulatedGrid",
            "org.metasched.adapter.testkit.AdapterKit",
            "org.metasched.adapter.testkit.LocalSchedulerContract",
            "org.metasched.adapter.testkit.ScriptedCommands");

    /** The first logger reads its configuration, which takes a third of the time of a short command. */
    @ArchTest
    static final ArchRule SHORT_COMMANDS_MAKE_NO_LOGGER = noFields()
            .that()
            .haveRawType(Logger.class)
            .should()
            .beDeclaredInClassesThat()
            .resideInAnyPackage("org.metasched.cli..", "org.metasched.dag..", "org.metasched.submit..");

    @ArchTest
    static final ArchRule SITES_KNOW_ADAPTERS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.sites")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.sites", "org.metasched.adapter", TRACING));

    @ArchTest
    static final ArchRule SUBMIT_DESCRIPTIONS_NEED_THE_CLASSAD_LANGUAGE_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.submit")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.submit", "org.metasched.classad"));

    @ArchTest
    static final ArchRule NEGOTIATION_KNOWS_SITES_AND_ADAPTERS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.negotiation")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with(
                    "org.metasched.negotiation",
                    "org.metasched.choice",
                    "org.metasched.sites",
                    "org.metasched.adapter"));

    @ArchTest
    static final ArchRule CHOICE_KNOWS_ADAPTERS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.choice")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.choice", "org.metasched.adapter"));

    /** The model knows none of the three that work with it. */
    @ArchTest
    static final ArchRule THE_MODEL_OF_AGREEMENTS_KNOWS_NO_WORK_ON_THEM =
            agreementRoom("org.metasched.agreement").knows("org.metasched.agreement");

    @ArchTest
    static final ArchRule GUARANTEES_KNOW_THE_MODEL_ONLY = agreementRoom("org.metasched.agreement.guarantee")
            .knows("org.metasched.agreement", "org.metasched.agreement.guarantee");

    @ArchTest
    static final ArchRule MAKING_KNOWS_THE_MODEL_AND_GUARANTEES = agreementRoom("org.metasched.agreement.making")
            .knows("org.metasched.agreement", "org.metasched.agreement.guarantee", "org.metasched.agreement.making");

    @ArchTest
    static final ArchRule MONITORING_KNOWS_MAKING_AND_GUARANTEES =
            agreementRoom("org.metasched.agreement.monitoring").knows("org.metasched.agreement..");

    /** Of the core, the client knows the words of agreements; of the wire, nothing but XML. */
    @ArchTest
    static final ArchRule THE_CLIENT_NEEDS_THE_JDK_AND_THE_WORDS_OF_AGREEMENTS = classes()
            .that()
            .resideInAPackage("org.metasched.client..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with(
                    "org.metasched.client..",
                    "org.metasched.agreement",
                    "org.metasched.negotiation",
                    "org.metasched.choice",
                    "org.metasched.adapter",
                    "javax.net.ssl..",
                    "javax.xml..",
                    "org.w3c.dom..",
                    "org.xml.sax..",
                    "com.sun.net.httpserver.."));

    /**
     * The site itself is where both flows end, and the store keeps the books of both; neither counts as knowing a flow.
     */
    private static final String[] CO_ALLOCATION = {
        "org.metasched.agreement..", "org.metasched.negotiation..", "org.metasched.sites..", "org.metasched.soap"
    };

    private static final String[] MATCHMAKING = {
        "org.metasched.classad..",
        "org.metasched.publisher..",
        "org.metasched.leases..",
        "org.metasched.dag..",
        "org.metasched.submit..",
        "org.metasched.soap.collector..",
        "org.metasched.soap.introduction.."
    };

    @ArchTest
    static final ArchRule ONLY_THE_BRIDGE_KNOWS_BOTH_FLOWS = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.metasched.selection", "org.metasched.server", "org.metasched.store", "org.metasched.cli..")
            .and(areInAPackageThatKnows(CO_ALLOCATION))
            .should(beInAPackageThatKnows(MATCHMAKING));

    /** Doors translate and call services; what several of them show stands below them. */
    @ArchTest
    static final ArchRule SOAP_KNOWS_NO_OTHER_DOOR =
            door("org.metasched.soap..", "org.metasched.api", "org.metasched.console");

    @ArchTest
    static final ArchRule THE_REST_API_KNOWS_NO_OTHER_DOOR =
            door("org.metasched.api", "org.metasched.soap..", "org.metasched.console");

    @ArchTest
    static final ArchRule THE_CONSOLE_KNOWS_NO_OTHER_DOOR =
            door("org.metasched.console", "org.metasched.soap..", "org.metasched.api");

    private static ArchRule door(String door, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(door)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    /** Nor does what serves several doors go through one of them. */
    @ArchTest
    static final ArchRule NO_CALLER_OF_A_SERVICE_GOES_THROUGH_AN_ENDPOINT = noClasses()
            .that()
            .resideInAPackage("org.metasched.server")
            .and()
            .doNotHaveSimpleName("ServerAssembly")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("AgreementFactoryEndpoint");

    @ArchTest
    static final ArchRule FAMILIES_OF_COMMANDS_DO_NOT_KNOW_THE_PROGRAM = noClasses()
            .that()
            .resideInAPackage("org.metasched.cli.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.metasched.cli");

    /** Results of commands are records; trees of JSON are read from servers, and written for ClassAd conformance. */
    @ArchTest
    static final ArchRule ONE_MAPPER_WRITES_WHAT_COMMANDS_PRINT = noClasses()
            .that()
            .resideInAPackage("org.metasched.cli..")
            .and()
            .doNotHaveFullyQualifiedName("org.metasched.cli.output.ResultMapper")
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "write JSON by a mapper of their own",
                    call -> call.getTargetOwner().getSimpleName().equals("ObjectMapper")
                            && call.getName().startsWith("write")));

    @ArchTest
    static final ArchRule BENCHES_ARE_NO_PART_OF_THE_PRODUCT =
            noClasses().should().resideInAPackage("org.metasched.bench..");

    @ArchTest
    static final ArchRule NO_LIBRARY_KNOWS_THE_COMMAND_LINE = noClasses()
            .that()
            .resideOutsideOfPackage("org.metasched.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.metasched.cli..", "picocli..");

    @ArchTest
    static final ArchRule THE_SITE_INTERFACE_NEEDS_THE_JDK_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.adapter")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "javax.net.ssl..", "org.jspecify..", "org.metasched.adapter");

    /** Of the site interface, the slot table knows the two kinds of interval. */
    @ArchTest
    static final ArchRule THE_SLOT_TABLE_NEEDS_THE_JDK_AND_TWO_INTERVALS = classes()
            .that()
            .resideInAPackage("org.metasched.slots..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "org.metasched.slots..")
                    .or(belongToAnyOf(TimeSlot.class, FreeWindows.StartInterval.class)));

    @ArchTest
    static final ArchRule DURABLE_FILES_NEED_THE_JDK_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.durable")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "org.metasched.durable");

    /** An example shall not depend on us. */
    @ArchTest
    static final ArchRule ONLY_DURABLE_FILES_FORCE_CHANNELS_AND_MOVE_ATOMICALLY = noClasses()
            .that()
            .resideOutsideOfPackages("org.metasched.durable", "org.metasched.example..")
            .should()
            .accessField(StandardCopyOption.class, "ATOMIC_MOVE")
            .orShould()
            .callMethod(FileChannel.class, "force", boolean.class);

    @ArchTest
    static final ArchRule ADAPTER_TEXTS_NEED_THE_JDK_ONLY = adapterRoom("text").knows();

    @ArchTest
    static final ArchRule PICTURES_NEED_THE_JDK_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.drawing")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.drawing"));

    @ArchTest
    static final ArchRule ADAPTER_SETTINGS_KNOW_TEXTS_ONLY =
            adapterRoom("settings").knows("org.metasched.adapter", "org.metasched.adapter.text", "org.snakeyaml..");

    @ArchTest
    static final ArchRule ADAPTER_COMMANDS_KNOW_TEXTS_ONLY = adapterRoom("command")
            .knows("org.metasched.adapter", "org.metasched.adapter.text", "com.fasterxml.jackson..", TRACING);

    @ArchTest
    static final ArchRule ADAPTER_IDENTITY_KNOWS_DURABLE_FILES_AND_TEXTS_ONLY = adapterRoom("identity")
            .knows("org.metasched.adapter", "org.metasched.adapter.text", "org.metasched.durable");

    @ArchTest
    static final ArchRule ADAPTER_CATALOG_KNOWS_SETTINGS_ONLY = adapterRoom("catalog")
            .knows(
                    "org.metasched.adapter",
                    "org.metasched.adapter.text",
                    "org.metasched.adapter.settings",
                    "org.metasched.adapter.policy");

    @ArchTest
    static final ArchRule SITE_POLICY_KNOWS_CLASSADS_IDENTITIES_DURABLE_FILES_AND_TEXTS_ONLY = adapterRoom("policy")
            .knows(
                    "org.metasched.adapter",
                    "org.metasched.adapter.identity",
                    "org.metasched.adapter.text",
                    "org.metasched.classad",
                    "org.metasched.durable");

    @ArchTest
    static final ArchRule JOBS_RUN_BY_COMMANDS_AS_LOCAL_USERS = adapterRoom("jobs")
            .knows(
                    "org.metasched.adapter",
                    "org.metasched.adapter.text",
                    "org.metasched.adapter.command",
                    "org.metasched.adapter.identity");

    @ArchTest
    static final ArchRule BOOKING_KNOWS_THE_ROOMS_BELOW_IT = adapterRoom("booking")
            .knows(
                    "org.metasched.slots",
                    "org.metasched.adapter",
                    "org.metasched.adapter.text",
                    "org.metasched.adapter.command",
                    "org.metasched.adapter.identity",
                    "org.metasched.adapter.jobs",
                    "org.metasched.durable");

    /** Excepted: the mark of exceptions of its servlets, by which it answers 503, and the rule which hosts are loopback ones. */
    @ArchTest
    static final ArchRule THE_HTTP_SERVER_KNOWS_NEITHER_SITES_NOR_SOAP = classes()
            .that()
            .resideInAPackage("org.metasched.http..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(with(
                            "org.metasched.http..",
                            "org.metasched.trust..",
                            "javax.net.ssl..",
                            "jakarta.servlet..",
                            "org.eclipse.jetty.."))
                    .or(belongToAnyOf(TemporaryFailure.class, LoopbackHost.class)));

    /** Certificates, tokens and signatures are read by libraries; how a message travels is not known here. */
    @ArchTest
    static final ArchRule WHO_SPEAKS_KNOWS_NO_PROTOCOL = classes()
            .that()
            .resideInAPackage("org.metasched.trust..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with(
                    "org.metasched.trust..",
                    "org.metasched.adapter",
                    "org.metasched.classad",
                    "org.metasched.durable",
                    "javax.net.ssl..",
                    "javax.security.auth.x500..",
                    "com.nimbusds..",
                    "eu.emi.security..",
                    "org.bouncycastle..",
                    "org.apache.wss4j..",
                    "org.w3c.dom..",
                    "javax.crypto.."));

    @ArchTest
    static final ArchRule ONLY_THE_HTTP_SERVER_KNOWS_JETTY = noClasses()
            .that()
            .resideOutsideOfPackage("org.metasched.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.eclipse.jetty..");

    @ArchTest
    static final ArchRule CLASSADS_NEED_THE_JDK_AND_DURABLE_FILES_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.classad..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.classad..", "org.metasched.leases", "org.metasched.durable"));

    /** What a claimant holds of a site is a lease, in one of these; each passes one contract. */
    @ArchTest
    static final ArchRule LEASES_KNOW_CLASSADS_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.leases")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(with("org.metasched.leases", "org.metasched.durable", "org.metasched.classad"));

    @ArchTest
    static final ArchRule LEASES_ARE_HELD_IN_A_FILE_A_DATABASE_OR_BEHIND_A_SERVER = classes()
            .that()
            .implement(MatchLeases.class)
            .should()
            .haveSimpleName("FileLeases")
            .orShould()
            .haveSimpleName("JdbcLeases")
            .orShould()
            .haveSimpleName("RemoteLeases")
            .orShould()
            .haveSimpleName("LeaseStore")
            .orShould()
            .haveSimpleName("MatchmakerMonitor");

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
            .resideInAnyPackage(with(
                    "org.metasched.classad",
                    "org.metasched.classad.text",
                    "org.metasched.classad.grammar",
                    "org.metasched.classad.form"));

    @ArchTest
    static final ArchRule THE_GRAMMAR_OF_CLASSADS_KNOWS_THE_TREE_ONLY = classes()
            .that()
            .resideInAPackage("org.metasched.classad.grammar")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    with("org.metasched.classad", "org.metasched.classad.text", "org.metasched.classad.grammar"));

    /** Users, and the matchmakers too, write and evaluate ads through the language; texts and services are its own affair. */
    @ArchTest
    static final ArchRule ONLY_THE_CLASSAD_LANGUAGE_KNOWS_ITS_PARTS = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.metasched.classad",
                    "org.metasched.classad.text",
                    "org.metasched.classad.function",
                    "org.metasched.classad.grammar",
                    "org.metasched.classad.form")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "org.metasched.classad.text",
                            "org.metasched.classad.function",
                            "org.metasched.classad.grammar",
                            "org.metasched.classad.form")
                    .or(belongToTheMachineryOfClassAds()));

    @ArchTest
    static final ArchRule THE_CLASSAD_LANGUAGE_READS_THE_CLOCK_AT_ONE_DOOR = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.metasched.classad",
                    "org.metasched.classad.text",
                    "org.metasched.classad.function",
                    "org.metasched.classad.grammar",
                    "org.metasched.classad.form")
            .and()
            .doNotHaveFullyQualifiedName("org.metasched.classad.EvaluationClock")
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
    static final ArchRule ONLY_THE_COMMAND_LINE_PRINTS =
            noClasses().that().resideOutsideOfPackage("org.metasched.cli..").should(ACCESS_STANDARD_STREAMS);

    /** Time is a parameter. A process reads the wall clock where it is wired; durations are measured with nanoTime. */
    @ArchTest
    static final ArchRule ONLY_WHERE_A_PROGRAM_IS_WIRED_IS_THE_WALL_CLOCK_READ = noClasses()
            .that()
            .resideOutsideOfPackages(MAY_READ_THE_WALL_CLOCK)
            .and()
            .doNotHaveFullyQualifiedName("org.metasched.adapter.testkit.KitSettings")
            .and()
            .doNotHaveFullyQualifiedName("org.metasched.submit.SubmitContext")
            .and()
            .doNotHaveFullyQualifiedName("org.metasched.classad.EvaluationClock")
            .should()
            .callMethodWhere(readsTheWallClock());

    /** A site may be silent for minutes. The kit that checks adapters is a program of one thread at a time. Blocks are looked for in the source, as they leave no mark that this tool sees. */
    @ArchTest
    static final ArchRule NO_LOCK_IS_HELD_WHILE_A_SITE_IS_ASKED = noClasses()
            .that(callLocalSchedulers())
            .and()
            .resideOutsideOfPackage("org.metasched.adapter.testkit")
            .should(takeLocks());

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
    void noPackageIsAHall() throws IOException {
        Map<Path, Long> halls = new TreeMap<>();
        try (var files = Files.walk(root())) {
            files.filter(HouseRulesTest::isMainSource)
                    .filter(f -> !f.endsWith("package-info.java") && !f.endsWith("module-info.java"))
                    .forEach(f -> halls.merge(packageOf(f), 1L, Long::sum));
        }
        halls.values().removeIf(types -> types <= MOST_TYPES);

        assertThat(halls).as("packages with more than " + MOST_TYPES + " types").isEmpty();
    }

    @Test
    void oneClockCanBeSet() throws IOException {
        try (var files = Files.walk(root())) {
            var clocks = files.filter(
                            f -> f.toString().endsWith(".java") && f.toString().contains("src/"))
                    .filter(f -> sourceOf(f).contains(" extends" + " Clock "))
                    .map(f -> f.getFileName().toString())
                    .toList();

            assertThat(clocks)
                    .containsExactlyInAnyOrder("SettableClock.java", "DatabaseClock.java", "StepoutClock.java");
        }
    }

    private static String sourceOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ArchTest
    static void everyPublicTypeIsReachedFromADoor(JavaClasses house) throws IOException {
        Deque<JavaClass> open = new ArrayDeque<>();
        Set<JavaClass> reached = new HashSet<>();
        var services = services();
        house.stream().filter(c -> isDoor(c) || services.contains(c.getName())).forEach(open::add);
        while (!open.isEmpty()) {
            var type = outermost(open.remove());
            if (reached.add(type)) {
                house.stream()
                        .filter(c -> outermost(c).equals(type))
                        .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                        .map(dependency -> outermost(dependency.getTargetClass()))
                        .filter(c -> c.getPackageName().startsWith("org.metasched") && !reached.contains(c))
                        .forEach(open::add);
            }
        }

        assertThat(house.stream()
                        .filter(c -> c.isTopLevelClass() && c.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(c -> !c.getSimpleName().equals("package-info"))
                        .filter(c -> !generated().test(c) && !reached.contains(c))
                        .map(JavaClass::getName))
                .as("public types that no command, service, interface for adapters, example or library door reaches")
                .isEmpty();
    }

    private static boolean isDoor(JavaClass type) {
        return DOORS.contains(type.getName())
                || type.getPackageName().equals("org.metasched.adapter")
                || type.getPackageName().startsWith("org.metasched.example");
    }

    /** What {@code ServiceLoader} finds by name. */
    private static Set<String> services() throws IOException {
        Set<String> names = new HashSet<>();
        try (var files = Files.walk(root())) {
            for (var file : files.filter(f -> f.toString().contains("src/main/resources/META-INF/services/"))
                    .filter(Files::isRegularFile)
                    .toList()) {
                names.addAll(Files.readAllLines(file));
            }
        }
        return names;
    }

    private static JavaClass outermost(JavaClass type) {
        var outer = type.getBaseComponentType();
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }

    private static DescribedPredicate<JavaMethodCall> readsTheWallClock() {
        return DescribedPredicate.describe("read the wall clock", call -> {
            var target = call.getTarget();
            String owner = target.getOwner().getName();
            return owner.equals("java.lang.System") && target.getName().equals("currentTimeMillis")
                    || Set.of("java.time.Clock", "java.time.InstantSource").contains(owner)
                            && target.getName().startsWith("system")
                    || owner.startsWith("java.time.")
                            && target.getName().equals("now")
                            && target.getRawParameterTypes().stream().noneMatch(p -> p.isEquivalentTo(Clock.class));
        });
    }

    private static DescribedPredicate<JavaClass> callLocalSchedulers() {
        return DescribedPredicate.describe(
                "call a LocalScheduler of their own or another's",
                type -> type.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(LocalScheduler.class)
                                || call.getTargetOwner().isEquivalentTo(LoadReporting.class)
                                || call.getTargetOwner().isEquivalentTo(RuntimeSupport.class)));
    }

    private static ArchCondition<JavaClass> takeLocks() {
        return new ArchCondition<>("have a synchronized method or block, or take a lock") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean method = type.getMethods().stream()
                        .anyMatch(m -> m.getModifiers().contains(JavaModifier.SYNCHRONIZED));
                boolean lock = type.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTargetOwner().isAssignableTo(Lock.class)
                                && call.getTarget().getName().startsWith("lock"));
                boolean block = sourceOf(type).contains("synchronized (");
                events.add(new SimpleConditionEvent(
                        type, method || lock || block, type.getName() + " locks, and calls a LocalScheduler"));
            }
        };
    }

    private static String sourceOf(JavaClass type) {
        String path = "src/main/java/" + outermost(type).getName().replace('.', '/') + ".java";
        try (var files = Files.walk(root())) {
            var file = files.filter(f -> f.toString().endsWith(path)).findFirst();
            return file.isPresent() ? Files.readString(file.get()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isMainSource(Path file) {
        return file.toString().endsWith(".java") && file.toString().contains("src/main/java");
    }

    private static Path packageOf(Path file) {
        for (Path folder = file; folder != null; folder = folder.getParent()) {
            if (folder.endsWith("src/main/java")) {
                return folder.relativize(file.getParent());
            }
        }
        throw new IllegalArgumentException(file + " is no source.");
    }

    /**
     * A cast after a question is right until a case is added; a fold has a parameter more then, and its callers do not compile. The fold
     * itself asks of which case it is, and casts {@code this}.
     */
    @ArchTest
    static void sealedResultsAreTakenApartByTheCompiler(JavaClasses house) throws IOException {
        Map<String, List<Class<?>>> folded = new TreeMap<>();
        for (var type : house) {
            var reflected = type.isInterface() && !generated().test(type) ? type.reflect() : Object.class;
            if (reflected.isSealed()) {
                var cases = List.of(reflected.getPermittedSubclasses());
                Stream.of(reflected.getDeclaredMethods())
                        .filter(m -> m.getName().equals("fold"))
                        .forEach(m -> {
                            assertThat(m.getParameterCount()).as(type.getName()).isEqualTo(cases.size());
                            folded.put(type.getSimpleName(), cases);
                        });
            }
        }
        assertThat(folded).hasSizeGreaterThan(5);
        Map<Path, String> casts = new TreeMap<>();
        try (var files = Files.walk(root())) {
            for (var file : files.filter(HouseRulesTest::isMainSource).toList()) {
                String text = Files.readString(file);
                folded.forEach((result, cases) -> {
                    var cast = castTo(cases).matcher(text);
                    boolean about = Pattern.compile("\\b" + result + "\\b")
                            .matcher(text)
                            .find();
                    if (about && cast.find()) {
                        casts.put(root().relativize(file), cast.group());
                    }
                    asksAboutEachCase(text, result, cases);
                });
            }
        }

        assertThat(casts)
                .as("casts to a case of a sealed result that has a fold")
                .isEmpty();
    }

    private static void asksAboutEachCase(String text, String result, List<Class<?>> cases) {
        var fold = Pattern.compile(
                        "sealed interface " + result + "\\b.*?\n( *)default [^;]*? fold\\((.*?)\n\\1\\}",
                        Pattern.DOTALL)
                .matcher(text);
        if (fold.find()) {
            for (var one : cases) {
                assertThat(fold.group(2))
                        .as("the fold of " + result)
                        .containsPattern("(instanceof |\\()" + one.getSimpleName() + "\\b(<\\w+>)?(\\) this| \\w+)");
            }
        }
    }

    private static Pattern castTo(List<Class<?>> cases) {
        String names = cases.stream().map(Class::getSimpleName).collect(Collectors.joining("|"));
        return Pattern.compile("\\((?:\\w+\\.)?(?:" + names + ")(?:<[^>]*>)?\\) ?(?!this\\b)[a-z(]");
    }

    /** Text from outside cannot become markup: templates escape by context, and two values of ours alone are written as they are. */
    @Test
    void pagesAreTemplatesThatEscape() throws IOException {
        var literal = Pattern.compile("\"<[a-z/]");
        Map<String, String> written = new TreeMap<>();
        try (var files = Files.walk(root().resolve("metascheduler/server/src/main"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                String text = name.endsWith(".sql") ? "" : Files.readString(file);
                if (name.endsWith(".jte") && text.contains("$unsafe")) {
                    written.put(
                            name,
                            text.replaceAll("(?s).*?\\$unsafe\\{([^}]*)}(?:(?!\\$unsafe).)*", "$1 ")
                                    .strip());
                } else if (file.getParent().endsWith("org/metasched/console")) {
                    assertThat(literal.matcher(text).find())
                            .as("%s writes markup", name)
                            .isFalse();
                }
            }
        }

        assertThat(written)
                .containsOnly(Map.entry("Layout.jte", "PageOutput.SHEET"), Map.entry("Chart.jte", "chart.svg()"));
    }

    @Test
    void picturesAreDrawnByOneWriter() throws IOException {
        try (var files = Files.walk(root())) {
            assertThat(files.filter(HouseRulesTest::isMainSource)
                            .filter(file -> read(file).contains("www.w3.org/2000/svg")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasFileName("SvgWriter.java"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By package, so that two classes side by side cannot know a flow each. */
    private static DescribedPredicate<JavaClass> areInAPackageThatKnows(String... flow) {
        DescribedPredicate<JavaClass> known = resideInAnyPackage(flow)
                .and(not(simpleName("StoreUnavailableException")))
                .as("in %s", List.of(flow));
        var knows = new ConcurrentHashMap<JavaPackage, Boolean>();
        return DescribedPredicate.describe(
                "are in a package that knows classes " + known.getDescription(),
                type -> known.test(type)
                        || knows.computeIfAbsent(
                                type.getPackage(),
                                its -> its.getClassDependenciesFromThisPackage().stream()
                                        .anyMatch(dependency -> known.test(dependency.getTargetClass()))));
    }

    private static ArchCondition<JavaClass> beInAPackageThatKnows(String... flow) {
        return ArchCondition.from(areInAPackageThatKnows(flow));
    }

    /** Public for the functions and the written forms, which stand in packages of their own. */
    private static DescribedPredicate<JavaClass> belongToTheMachineryOfClassAds() {
        var machinery = Set.of(
                "LanguageServices",
                "CompiledLanguage",
                "WrittenForms",
                "Printer",
                "FunctionLibrary",
                "FunctionTable",
                "CompiledExpr",
                "Evaluation");
        return DescribedPredicate.describe(
                "belong to the machinery of ClassAds",
                type -> type.getPackageName().equals("org.metasched.classad")
                        && machinery.contains(type.getSimpleName()));
    }

    /** What is made from the schemas follows the schemas' own circles. */
    private static DescribedPredicate<JavaClass> generated() {
        return resideInAPackage("org.metasched.wsag..");
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

    /** A package of agreements; each may use what is below them. */
    private record AgreementRoom(String name) {

        ArchRule knows(String... agreements) {
            var below = with(
                    "org.metasched.negotiation",
                    "org.metasched.choice",
                    "org.metasched.sites",
                    "org.metasched.adapter");
            return classes()
                    .that()
                    .resideInAPackage(name)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            Stream.of(agreements, below).flatMap(Stream::of).toArray(String[]::new));
        }
    }

    private static AgreementRoom agreementRoom(String name) {
        return new AgreementRoom(name);
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

    /** Read when a rule runs: Surefire discovers the rules in Maven's own JVM, which does not have the property. */
    private static Path root() {
        return Path.of(System.getProperty("metasched.root"));
    }
}
