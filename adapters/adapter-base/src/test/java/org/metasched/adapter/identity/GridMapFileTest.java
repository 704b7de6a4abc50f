package org.metasched.adapter.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.durable.ReloadedFile;

class GridMapFileTest {

    private static final String FILE = """
            # users of the grid
            "/O=Grid/CN=Alice Example" alice,vip
            /O=Grid/CN=host/grid.example.org gridhost

            "/O=Grid/CN=The \\"Boss\\"\\x21" boss
            "/O=Grid/CN=Alice Example" extra
            "/O=Grid/CN=J\\xc3\\xb6rg" joerg
            """;

    @TempDir
    private Path folder;

    @Test
    void readsQuotedSubjectsAndSeveralUsers() {
        var map = GridMapFile.parse("grid-mapfile", FILE);

        assertThat(map.users("/O=Grid/CN=Alice Example")).containsExactly("alice", "vip", "extra");
        assertThat(map.users("/O=Grid/CN=host/grid.example.org")).containsExactly("gridhost");
        assertThat(map.users("/O=Grid/CN=The \"Boss\"!")).containsExactly("boss");
        assertThat(map.users("/O=Grid/CN=J\\xC3\\xB6rg")).containsExactly("joerg");
        assertThat(map.users("/O=Grid/CN=Mallory")).isEmpty();
        assertThat(map.users()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=Alice Example,O=Grid", "CN=Alice Example, O=Grid", "cn=Alice Example,o=Grid"})
    void knowsASubjectInItsOtherSpelling(String subject) {
        assertThat(GridMapFile.parse("f", FILE).users(subject)).startsWith("alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CN=alice example,O=Grid",
                "O=Grid,CN=Alice Example",
                "/CN=Alice Example",
                "/O=Grid/CN=Alice Example/CN=proxy"
            })
    void takesNoOtherSubjectForIt(String subject) {
        assertThat(GridMapFile.parse("f", FILE).users(subject)).isEmpty();
    }

    @Test
    void aCommaInAValueBeginsNoNewPart() {
        var map = GridMapFile.parse("f", "\"/O=Example, Inc./CN=Bob\" bob\n");

        assertThat(map.users("CN=Bob,O=Example\\, Inc.")).containsExactly("bob");
        assertThat(map.users("CN=Bob,O=Example, Inc.")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"/O=Grid/CN=A alice",
                "/O=Grid/CN=A",
                "/O=Grid/CN=A B alice",
                "\"\" alice",
                "\"/CN=A\" -rf",
                "\"/CN=A\" a,,b"
            })
    void refusesALineItCannotReadAndSaysWhere(String line) {
        assertThatThrownBy(() -> GridMapFile.parse("grid-mapfile", "# x\n" + line + "\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("grid-mapfile:2:");
    }

    @Test
    void refusesTheUnmappedAndTheDeniedByName() throws Exception {
        Path file = folder.resolve("grid-mapfile");
        Files.writeString(file, FILE);
        var users = LocalUsers.from(
                new SiteId("fzj"), identity("grid-mapfile: " + file + "\ndeny: ['CN=host/grid.example.org,O=Grid']"));

        assertThat(users.userOf(requester("/O=Grid/CN=Alice Example"))).contains("alice");
        assertThatThrownBy(() -> users.userOf(requester("/O=Grid/CN=Mallory")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("(/O=Grid/CN=Mallory)");
        assertThatThrownBy(() -> users.userOf(requester("/O=Grid/CN=host/grid.example.org")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("denies the subject (/O=Grid/CN=host/grid.example.org)");
        assertThatThrownBy(() -> users.userOf(Optional.empty())).isInstanceOf(Refused.class);
    }

    @Test
    void theDefaultUserIsForTheUnmappedButNotForTheDenied() throws Exception {
        var users = LocalUsers.from(new SiteId("fzj"), identity("default: grid\ndeny: [/CN=Mallory]"));

        assertThat(users.userOf(requester("/CN=Somebody"))).contains("grid");
        assertThat(users.userOf(Optional.empty())).contains("grid");
        assertThatThrownBy(() -> users.userOf(requester("CN=Mallory"))).isInstanceOf(Refused.class);
    }

    @Test
    void aFormDeniesAllSubjectsThatItIsAboutHoweverTheyAreWritten() throws Exception {
        var users = LocalUsers.from(new SiteId("fzj"), identity("default: grid\ndeny: ['/O=Elsewhere/*']"));

        for (String subject : List.of("/O=Elsewhere/CN=X", "CN=X,O=Elsewhere", "CN=X, OU=a, o = Elsewhere")) {
            assertThatThrownBy(() -> users.userOf(requester(subject))).isInstanceOf(Refused.class);
        }
        assertThat(users.userOf(requester("CN=X,O=Elsewhere2"))).contains("grid");
    }

    @Test
    void aPoolOfAccountsMapsItsSubjectsToNoUserAndTheOthersStay() throws Exception {
        Path file = folder.resolve("grid-mapfile");
        Files.writeString(file, "/O=Grid/CN=P .prod\n/O=Grid/CN=Q .prod,quentin\n/O=Grid/CN=R rita\n");
        var users = LocalUsers.from(new SiteId("fzj"), identity("grid-mapfile: " + file));

        assertThatThrownBy(() -> users.userOf(requester("/O=Grid/CN=P")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("no local user");
        assertThat(users.userOf(requester("CN=Q,O=Grid"))).contains("quentin");
        assertThat(users.userOf(requester("/O=Grid/CN=R"))).contains("rita");
    }

    @Test
    void readsTheFileAgainWhenItChanges() throws Exception {
        Path file = folder.resolve("grid-mapfile");
        Files.writeString(file, "/CN=A a\n");
        var users = LocalUsers.from(new SiteId("fzj"), identity("grid-mapfile: " + file));

        assertThat(users.userOf(requester("/CN=A"))).contains("a");

        Files.writeString(file, "/CN=A other\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
        assertThat(users.userOf(requester("/CN=A"))).contains("other");
    }

    @Test
    void aFileThatCannotBeReadLeavesTheUsersBeforeAndIsTold() throws Exception {
        Path file = Files.writeString(folder.resolve("grid-mapfile"), "/CN=A a\n");
        var users = LocalUsers.from(new SiteId("fzj"), identity("grid-mapfile: " + file));

        for (String broken : List.of("/CN=A other\n/CN=B *\n", "/CN=A")) {
            Files.writeString(file, broken);
            assertThat(users.userOf(requester("/CN=A"))).as(broken).contains("a");
            assertThat(ReloadedFile.statuses()).anyMatch(status -> status.file().equals(file) && status.failed());
        }
        Files.delete(file);
        assertThat(users.userOf(requester("/CN=A"))).as("no file").contains("a");
        Files.writeString(file, "/CN=A other\n");
        assertThat(users.userOf(requester("/CN=A"))).contains("other");
    }

    @Test
    void withoutIdentityNobodyIsMapped() throws Exception {
        assertThat(LocalUsers.from(new SiteId("fzj"), Optional.empty()).userOf(requester("/CN=A")))
                .isEmpty();
    }

    private static Optional<Settings> identity(String yaml) {
        return Optional.of(YamlSettings.parse("site.yaml", yaml));
    }

    private static Optional<Requester> requester(String subject) {
        return Optional.of(new Requester(subject));
    }
}
