package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.cli.output.ExitCodeException;

/** Each failure of the world names its cause: one line of the tables for each, without a stack trace or a class of Java. */
class FailureCausesTest {

    private static final String NOT_FOUND =
            "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno";
    private static final String PAGE =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<ok>";
    private static final String TLS_ALERT = "\u0015\u0003\u0003\u0000\u0002\u0002\u0016";

    private static final String RESET = "reset";

    /** What listens at the other end. */
    private static final Map<String, String> ANSWERS =
            Map.of("404", NOT_FOUND, "page", PAGE, "tls", TLS_ALERT, "silence", "", "reset", RESET);

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sites     | http  | unknown | the host name is unknown      | name is misspelled
                    templates | http  | unknown | the host name is unknown      | name is misspelled
                    status    | http  | unknown | the host name is unknown      | name is misspelled
                    sites     | http  | refused | connection refused            | 'metasched server' starts one
                    templates | http  | refused | connection refused            | not running
                    status    | http  | refused | connection refused            | not running
                    sites     | https | 404     | the port does not speak TLS   | http://
                    templates | https | 404     | the port does not speak TLS   | http://
                    status    | https | 404     | the port does not speak TLS   | http://
                    sites     | http  | tls     | the answer is not HTTP        | https://
                    templates | http  | tls     | the answer is not HTTP        | https://
                    status    | http  | tls     | the answer is not HTTP        | https://
                    sites     | http  | silence | ended without an answer       | https://
                    templates | http  | silence | ended without an answer       | https://
                    sites     | http  | reset   | the connection was reset      | the server ended
                    templates | http  | reset   | the connection was reset      | the server ended
                    status    | http  | reset   | the connection was reset      | the server ended
                    sites     | http  | 404     | answered 404                  |
                    templates | http  | 404     | no such service               |
                    status    | http  | 404     | no such service               |
                    sites     | http  | page    | something that is not JSON    | not a metasched server
                    status    | http  | page    | the answer is in another format | another service
                    """)
    void aServerThatCannotBeAskedNamesTheCause(String command, String scheme, String there, String reason, String maybe)
            throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String host = there.equals("unknown") ? "no.such.host.invalid" : "127.0.0.1";
            int port = listener.getLocalPort();
            if (ANSWERS.containsKey(there)) {
                var answering = new Thread(() -> answer(listener, ANSWERS.get(there)));
                answering.setDaemon(true);
                answering.start();
            } else {
                listener.close();
            }

            assertThat(run(command, "--server", scheme + "://" + host + ":" + port))
                    .isEqualTo(ExitCodeException.OUTSIDE);
        }
        assertThat(err.toString()).contains(reason).contains(maybe == null ? "" : maybe);
        isForPeople();
    }

    @Test
    void aDataFolderThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(run("server", "--config", configuration(file.resolve("data"))))
                .isEqualTo(ExitCodeException.OUTSIDE);

        assertThat(err.toString())
                .contains("the folder " + file.resolve("data") + " cannot be made", "Maybe it belongs to another user");
        isForPeople();
    }

    @Test
    void aDatabaseThatAnotherServerHasIsNamed() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        try (var other = java.sql.DriverManager.getConnection("jdbc:h2:file:" + data.resolve("server"))) {
            assertThat(run("server", "--config", configuration(data))).isEqualTo(ExitCodeException.OUTSIDE);
        }
        assertThat(err.toString()).contains("Maybe a server that you thought was stopped still runs");
        isForPeople();
    }

    @ParameterizedTest
    @CsvSource({
        "sites, 2, '(ftp://x) of METASCHED_SERVER must be'",
        "matches list, 2, METASCHED_SERVER",
        "--help, 0, Usage"
    })
    void aWrongServerOfTheEnvironmentIsNamedWhereItIsUsed(String command, int exit, String part) throws Exception {
        var arguments = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path")));
        arguments.add(Main.class.getName());
        arguments.addAll(List.of(command.split(" ")));
        var started = new ProcessBuilder(arguments).redirectErrorStream(true);
        started.environment().put("METASCHED_SERVER", "ftp://x");

        var process = started.start();

        err.write(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertThat(err.toString()).contains(part);
        isForPeople();
        assertThat(process.waitFor()).isEqualTo(exit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metasched", "metascheduler/dist/src/tree/bin/metasched"})
    void aJavaThatIsNoneIsNamedByTheLauncher(String launcher) throws Exception {
        Path script = Path.of(System.getProperty("metasched.root"), launcher);
        var started = new ProcessBuilder("sh", script.toString(), "--version").redirectErrorStream(true);
        started.environment().put("METASCHED_JAVA", "/no/java");

        var process = started.start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("metasched: METASCHED_JAVA (/no/java) is no program");
        assertThat(process.waitFor()).isEqualTo(ExitCodeException.OUTSIDE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metasched", "metascheduler/dist/src/tree/bin/metasched"})
    void theLauncherStartsWithoutJavaHome(String launcher) throws Exception {
        Path script = Files.createDirectories(folder.resolve("tree/bin")).resolve("metasched");
        Files.copy(Path.of(System.getProperty("metasched.root"), launcher), script);
        Files.createFile(Files.createDirectories(folder.resolve("tree/bin/metascheduler/cli/target"))
                .resolve("metasched-cli.jar"));
        var started = new ProcessBuilder("sh", script.toString(), "--version").redirectErrorStream(true);
        started.environment().remove("JAVA_HOME");

        var process = started.start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isNotEmpty()
                .doesNotContain("parameter not set");
        process.waitFor();
    }

    /** In the locale C a JVM would pass no letters beyond ASCII, in names of files and words of programs. */
    @ParameterizedTest
    @CsvSource({
        "C, C.UTF-8",
        "'', C.UTF-8",
        "POSIX, C.UTF-8",
        "de_DE.ISO-8859-1, de_DE.ISO-8859-1",
        "de_DE.UTF-8, de_DE.UTF-8",
        "en_US.utf8, en_US.utf8"
    })
    void theLauncherLetsNoLettersBeLost(String locale, String expected) throws Exception {
        Path java = Files.writeString(folder.resolve("java"), "#!/bin/sh\necho \"$LC_ALL\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path start = Path.of(System.getProperty("metasched.root"), "metascheduler/dist/src/tree/lib/start.sh");
        var started = new ProcessBuilder("sh", "-c", ". \"$0\"", start.toString()).redirectErrorStream(true);
        started.environment().keySet().removeAll(Set.of("LC_CTYPE", "LANG"));
        started.environment().putAll(Map.of("LC_ALL", locale, "java", java.toString(), "archive", ""));

        var process = started.start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(expected + "\n");
        assertThat(process.waitFor()).isZero();
    }

    private void isForPeople() {
        assertThat(err.toString())
                .doesNotContain("\tat ")
                .doesNotContainPattern("Exception|\\bjava[x]?\\.|\\w+Error\\b");
    }

    private String configuration(Path data) throws IOException {
        return Files.writeString(folder.resolve("server.yaml"), """
                        port: 0
                        data: %s
                        sites:
                          - {site: lab, scheduler: {type: simulated, nodes: 4}}
                        """.formatted(data))
                .toString();
    }

    private static void answer(ServerSocket at, String with) {
        while (!at.isClosed()) {
            try (Socket caller = at.accept()) {
                if (with.isEmpty() || with.equals(RESET)) {
                    readWhole(caller.getInputStream());
                    caller.setSoLinger(with.equals(RESET), 0);
                } else {
                    caller.getInputStream().read(new byte[1 << 16]);
                    caller.getOutputStream().write(with.getBytes(StandardCharsets.ISO_8859_1));
                }
            } catch (IOException e) {
                // the caller is gone, or the test is over
            }
        }
    }

    /** Reads a whole request: a caller that still writes may meet another failure than the reset. */
    private static void readWhole(InputStream from) throws IOException {
        var request = new StringBuilder();
        var head = Pattern.compile("(?is).*?(?:content-length: *(\\d+).*?)?\r\n\r\n");
        byte[] block = new byte[1 << 16];
        for (int n = from.read(block); n > 0; n = from.read(block)) {
            request.append(new String(block, 0, n, StandardCharsets.ISO_8859_1));
            var read = head.matcher(request);
            boolean chunked = request.toString().toLowerCase(Locale.ROOT).contains("chunked");
            if (read.lookingAt() && (chunked ? request.toString().endsWith("0\r\n\r\n") : bodyIsThere(request, read))) {
                return;
            }
        }
    }

    private static boolean bodyIsThere(CharSequence request, Matcher head) {
        return request.length() - head.end() >= (head.group(1) == null ? 0 : Integer.parseInt(head.group(1)));
    }

    private int run(String... arguments) {
        return Main.execute(new StringWriter(), new PrintWriter(err, true), arguments);
    }
}
