package org.metasched.adapter.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.command.SiteClock;

/** Files that {@code job.sh} brings and takes away; scp and rsync are stand-ins that copy what the address names. */
class StagingTest {

    @TempDir
    private Path folder;

    private List<String> launch = List.of();
    private Map<String, String> variables = Map.of();

    /** OpenSSH drops the first slash of the path in an address: what is left is below the home, unless it begins with another one. */
    @ParameterizedTest
    @CsvSource({"scp, host/", "rsync, host"})
    void filesAreBroughtAndTakenAwayAsTheUser(String scheme, String host) throws Exception {
        tool(
                scheme,
                "for last; do :; done; shift $(($# - 2)); cp \"${1#*://" + host + "}\" \"${last#*://" + host + "}\"");
        Files.writeString(folder.resolve("there"), "dear");

        var ended = run(
                new Transfer("in/letter", place(scheme, "there"), Optional.empty(), false, false, false),
                new Transfer("stdout", Optional.empty(), place(scheme, "answer"), false, false, false));

        assertThat(ended).isEqualTo("ended 0");
        assertThat(folder.resolve("answer")).hasContent("dear");
    }

    @Test
    void aPathBelowTheHomeStaysOne() throws Exception {
        tool("scp", "echo \"$3\" >&2; exit 1");
        var home = Optional.of(URI.create("scp://me@host:22/~/there"));

        run(new Transfer("in/letter", home, Optional.empty(), false, false, false));

        assertThat(folder.resolve("job/transfers.log")).hasContent("scp://me@host:22/~/there");
    }

    @Test
    void aFileThatCannotBeBroughtEndsTheJobBeforeItsProgram() throws Exception {
        tool("scp", "echo no such host >&2; exit 1");

        var ended = run(new Transfer("in/letter", place("scp", "letter"), Optional.empty(), false, false, false));

        assertThat(ended).startsWith("ended 74 a file could not be brought");
        assertThat(folder.resolve("job/work/stdout")).doesNotExist();
    }

    /** Four at once, each with its own argument, variable and output; each exit code is told. */
    @Test
    void theInstancesOfASweepRunOnceEach() throws Exception {
        var instances = IntStream.range(0, 9)
                .mapToObj(i -> new Program(
                        "sh",
                        List.of(
                                "-c",
                                "echo $METASCHED_RANK $SEED >> \"$METASCHED_DIR/ran\"; echo out of \"$1\"; exit $((SEED % 3))",
                                "x",
                                "it's " + i),
                        Map.of("SEED", "" + i),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("out" + i),
                        Optional.empty(),
                        1,
                        0,
                        Map.of(),
                        List.of(),
                        Optional.empty(),
                        List.of()))
                .toList();

        var ended = run(Program.swept(instances, 2).with(Map.of("METASCHED_RANK_OFFSET", "10")), "n1\nn2\n");

        assertThat(ended).isEqualTo("ended 1 exit codes of the instances: 0 1 2 0 1 2 0 1 2");
        assertThat(Files.readAllLines(folder.resolve("job/work/ran")))
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 9).mapToObj(i -> 10 + i + " " + i).toArray(String[]::new));
        for (int i = 0; i < 9; i++) {
            assertThat(folder.resolve("job/work/out" + i)).hasContent("out of it's " + i);
        }
    }

    /** As a PBS host has it: a poor path, virtual nodes with invented names, and a launcher that passes no variable on. */
    @Test
    void processesStartOnTheHostsThatTheSchedulerNamesByItsOwnLauncher() throws Exception {
        Files.createDirectories(folder.resolve("pbs"));
        tool("../pbs/bin/pbs_tmrsh", "echo \"$1\" >> " + folder + "/launched; shift; exec env -i \"$@\"");
        Files.writeString(folder.resolve("pbs.conf"), "PBS_SERVER=here\nPBS_EXEC=" + folder + "/pbs\n");
        variables = Map.of(
                "PBS_CONF_FILE",
                folder + "/pbs.conf",
                "PBS_NODEFILE",
                folder + "/hosts",
                "PATH",
                "/bin:/usr/bin:/mine");
        Files.writeString(folder.resolve("hosts"), "host1\nhost2\n");
        launch = List.of("pbs_tmrsh", "{node}");

        String path = " " + folder + "/bin:/bin:/usr/bin:/mine";
        var ended = run(shell("echo $METASCHED_LOCAL_RANK $PATH >> ran", Map.of(), 4), "hx[0]\nhx[1]\n");

        assertThat(ended).isEqualTo("ended 0");
        assertThat(Files.readAllLines(folder.resolve("launched")))
                .containsExactlyInAnyOrder("host1", "host1", "host2", "host2");
        assertThat(Files.readAllLines(folder.resolve("job/work/ran")))
                .containsExactlyInAnyOrder("0" + path, "1" + path, "2" + path, "3" + path);
    }

    /** The third fails once all have run: a launcher may end the others then. */
    private static final String THIRD_FAILS = "echo $METASCHED_RANK >> ran; [ $METASCHED_RANK -ne 2 ] || {"
            + " while [ $(wc -l < ran) -lt 4 ]; do sleep 0.1; done; exit 7; }";

    /** The real ones, with the words of the guide, where Debian's packages are: each process once, and its exit code comes back. */
    @ParameterizedTest
    @CsvSource({"mpiexec.openmpi, -n 1 --host {node}", "mpiexec.hydra, -n 1 -host {node}"})
    void processesStartByMpiexec(String tool, String words) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", tool)), "no " + tool + " here");
        launch = List.of((tool + " " + words).split(" "));
        variables = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");

        var ended = run(shell(THIRD_FAILS, Map.of(), 4), "localhost\nlocalhost\n");

        assertThat(ended)
                .as(Files.readString(folder.resolve("job/work/stderr")))
                .isEqualTo("ended 7");
        assertThat(Files.readAllLines(folder.resolve("job/work/ran"))).containsExactlyInAnyOrder("0", "1", "2", "3");
        guideShows(words.replace("1", "'1'").replace(" ", ", ").replace("{node}", "'{node}'"));
    }

    /** Torque's, which takes a host; a stand-in that takes no other words. */
    @Test
    void processesStartByThePbsdshOfTorque() throws Exception {
        tool(
                "pbsdsh",
                "[ \"$1\" = -h ] || exit 9; echo \"$2\" >> " + folder + "/launched; shift 2; exec env -i \"$@\"");
        launch = List.of("pbsdsh", "-h", "{node}");

        var ended = run(shell("echo $METASCHED_RANK >> ran", Map.of(), 2), "host1\nhost2\n");

        assertThat(ended).isEqualTo("ended 0");
        assertThat(Files.readAllLines(folder.resolve("launched"))).containsExactlyInAnyOrder("host1", "host2");
        assertThat(Files.readAllLines(folder.resolve("job/work/ran"))).containsExactlyInAnyOrder("0", "1");
        guideShows("[pbsdsh, -h, '{node}']");
    }

    private static void guideShows(String words) throws Exception {
        var guide = Path.of(System.getProperty("metasched.root", "../.."), "docs", "adapter-guide.md");
        assumeTrue(Files.exists(guide), "docs/adapter-guide.md is not beside this module.");
        assertThat(Files.readString(guide)).contains(words);
    }

    @Test
    void aHostWithoutTheLauncherIsNamed() throws Exception {
        launch = List.of("no-such-launcher", "{node}");

        assertThat(run(shell("true", Map.of(), 2), "n1\n"))
                .startsWith("ended 72 the host ")
                .contains("has no program no-such-launcher");
    }

    /** Names of the job's own files and of the variables of its script, written, brought and set by the user. */
    @Test
    void theUsersNamesAreNotTheScripts() throws Exception {
        tool("scp", "for last; do :; done; printf 'touch %s/sourced\\n' " + folder + " > \"$last\"");
        var bring = Stream.of("program", "job.sh", "nodes", "go")
                .map(name -> new Transfer(name, place("scp", "x"), Optional.empty(), false, false, false))
                .toList();
        var names = Map.of(
                "METASCHED_RANK_OFFSET", "0", "output", "mine", "ms_dir", "/", "directory", "/none", "swept", "yes");
        var program = new Program(
                "sh",
                List.of("-c", "echo 42 > output; echo hello > state; echo 17 > id; echo $output $ms_dir $directory"),
                names,
                Optional.empty(),
                Optional.empty(),
                Optional.of("pid"),
                Optional.of("started"),
                1,
                0,
                Map.of(),
                bring,
                Optional.empty(),
                List.of());

        var ended = run(program, "n1\n");

        assertThat(ended).isEqualTo("ended 0");
        assertThat(folder.resolve("sourced")).doesNotExist();
        assertThat(folder.resolve("job/work/pid")).hasContent("mine / /none");
        assertThat(folder.resolve("job/output")).doesNotExist();
        assertThat(folder.resolve("job").resolve(ProgramFile.output(program))).hasContent("mine / /none");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("job/work"))))
                .isEqualTo("rwx------");
    }

    /** As behind {@code setpriv} or a wrapper that keeps the adapter's environment, where {@code runuser} and {@code sudo} do not. */
    @Test
    void theAdaptersHomeAndNameAreNotTheUsers() throws Exception {
        assumeTrue(!"?".equals(System.getProperty("user.name")), "This account has no name.");
        variables = Map.of("HOME", "/srv/adapter", "USER", "adapter", "LOGNAME", "adapter");

        var ended = run(shell("echo $HOME $USER $LOGNAME", Map.of(), 1), "n1\n");

        String me = System.getProperty("user.name");
        assertThat(ended).isEqualTo("ended 0");
        assertThat(folder.resolve("job/work/stdout")).hasContent(System.getProperty("user.home") + " " + me + " " + me);
    }

    /** TZ as the site sets it, from a scheduler that hands it on; Python's zoneinfo knows the zones of the database only. */
    @ParameterizedTest
    @CsvSource({"Z, yes", "UTC+2, yes", "Asia/Kolkata, yes", "America/St_Johns, yes", "Etc/GMT+5, yes", "+05:30, no"})
    void aProgramHasTheLocalTimeOfTheSitesZone(String zone, String named) throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/share/zoneinfo")), "This machine has no tzdata.");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "This machine has no Python.");
        variables = Map.of("TZ", new SiteClock(ZoneId.of(zone)).tz());
        String python = "import datetime, os, zoneinfo; now = datetime.datetime.now(datetime.timezone.utc);"
                + " print(now.astimezone().strftime('%z')); named = os.environ['TZ'] in zoneinfo.available_timezones();"
                + " print(now.astimezone(zoneinfo.ZoneInfo(os.environ['TZ'])).strftime('%z') if named else 'no name')";

        var ended = run(shell("date +%z && python3 -c \"" + python + "\"", Map.of(), 1), "n1\n");

        String offset = DateTimeFormatter.ofPattern("xx", Locale.ROOT).format(ZonedDateTime.now(ZoneId.of(zone)));
        assertThat(ended).isEqualTo("ended 0");
        assertThat(Files.readAllLines(folder.resolve("job/work/stdout")))
                .containsExactly(offset, offset, named.equals("yes") ? offset : "no name");
    }

    private Program shell(String script, Map<String, String> more, int processes) {
        var environment = new java.util.LinkedHashMap<>(more);
        environment.put("METASCHED_RANK_OFFSET", "0");
        return new Program(
                "sh",
                List.of("-c", script),
                environment,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                processes,
                0,
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of());
    }

    private Optional<URI> place(String scheme, String name) {
        return Optional.of(URI.create(scheme + "://host" + folder + "/" + name));
    }

    private void tool(String name, String script) throws Exception {
        var tool = Files.createDirectories(folder.resolve("bin")).resolve(name).normalize();
        Files.createDirectories(tool.getParent());
        Files.writeString(tool, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What the job says at its end. */
    private String run(Transfer... transfers) throws Exception {
        var program = new Program(
                "cat",
                List.of("in/letter"),
                Map.of("METASCHED_RANK_OFFSET", "0"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                Map.of(),
                List.of(transfers),
                Optional.empty(),
                List.of());
        return run(program, "n1\n");
    }

    private String run(Program program, String nodes) throws Exception {
        var job = Files.createDirectories(folder.resolve("job"));
        Files.writeString(job.resolve("program"), ProgramFile.of(program, launch));
        Files.writeString(job.resolve("job.sh"), JobFolders.script());
        Files.writeString(job.resolve("machinefile"), nodes);
        Files.writeString(job.resolve("nodes"), nodes);
        var builder = new ProcessBuilder("sh", job + "/job.sh", job.toString());
        builder.environment().putAll(variables);
        builder.environment().merge("PATH", folder.resolve("bin") + ":", (path, bin) -> bin + path);
        var process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(job.resolve("state")).strip();
    }
}
