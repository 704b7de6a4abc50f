package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.durable.ReloadedFile;

/** Offers to a running server, of whose site a mapping makes local users: none is made in the name of root, or of all users. */
class LocalUserAtTheDoorTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));

    @TempDir
    private static Path folder;

    private static Path map;
    private static Path calls;
    private static ConsoleServer server;

    @BeforeAll
    static void serve() throws Exception {
        map = folder.resolve("grid-mapfile");
        map("bob", "bob");
        calls = Files.createFile(folder.resolve("calls"));
        Path standIn = folder.resolve("pbs");
        var install = new ProcessBuilder(
                        "sh", ROOT.resolve("test/standins/install.sh").toString(), "pbs", standIn.toString(), "4", "1")
                .inheritIO()
                .start();
        assertThat(install.waitFor()).isZero();
        Path noted = Files.createDirectory(folder.resolve("noted")).resolve("pbs_rsub");
        Files.writeString(
                noted, "#!/bin/sh\necho \"$*\" >>'" + calls + "'\nexec " + standIn + "/bin/pbs_rsub \"$@\"\n");
        assertThat(noted.toFile().setExecutable(true)).isTrue();
        server = server(
                "server",
                "{type: pbs, run: {path: [" + noted.getParent() + ", " + standIn + "/bin]}, "
                        + "identity: {grid-mapfile: " + map + "}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void mapNobodyElse() throws Exception {
        map("bob", "bob");
        ReloadedFile.lookAtAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "root,root", ".root", ".prod", ".prod,root", "*", "root,*", "'*'", "0", "-root"})
    void noWayOfMappingMakesAReservationOfRootOrOfAll(String user) throws Exception {
        map("alice", user);

        assertThat(offer("alice")).startsWith("409 ").contains("no local user for the subject");
        assertThat(Files.readAllLines(calls)).noneMatch(call -> call.contains("root") || call.contains("*"));
    }

    @Test
    void whoIsMappedToAnotherUserReserves() throws Exception {
        map("alice", "root,alice");
        assertThat(offer("alice")).startsWith("201 ");
        map("bob", "bob");
        assertThat(offer("bob")).startsWith("201 ");

        assertThat(Files.readAllLines(calls))
                .hasSize(2)
                .noneMatch(call -> call.contains("root"))
                .anyMatch(call -> call.contains("alice"))
                .anyMatch(call -> call.contains("bob"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "*", ".root", "{user}"})
    void noDefaultIsRootOrAll(String user) {
        assertThatThrownBy(
                        () -> server("default" + user.hashCode(), "{type: pbs, identity: {default: '" + user + "'}}"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("default: expected a user name, not (" + user + ")");
    }

    /** A site without local users would let in all whom its mapping shuts out. */
    @ParameterizedTest
    @ValueSource(strings = {"{type: simulated, nodes: 4, ", "{type: http, url: 'http://127.0.0.1:9/', "})
    void aSiteWithoutLocalUsersRefusesAMapping(String scheduler) {
        for (String site :
                List.of(scheduler + "identity: {default: root}}", scheduler + "}\n    identity: {deny: ['*']}")) {
            assertThatThrownBy(() -> server("without" + site.hashCode(), site))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining("identity");
        }
    }

    private static ConsoleServer server(String name, String scheduler) throws Exception {
        return new ConsoleServer(
                Files.createDirectory(folder.resolve(name)),
                "  - site: fzj\n    scheduler: " + scheduler + "\n",
                Clock.systemUTC());
    }

    private static void map(String who, String user) throws IOException {
        Files.writeString(map, "\"" + ConsoleServer.ISSUER + "," + who + "\" " + user + "\n");
    }

    private static String offer(String who) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.base() + "/api/v1/agreements"))
                .header("Authorization", "Bearer " + server.token(who))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"parts\":[{\"site\":\"fzj\",\"nodes\":1}],\"duration\":\"PT10M\"}"))
                .build();
        var answer = HTTP.send(request, BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
