package org.metasched.adapter.booking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;

class PublishedFilesTest {

    private static final ReservationId ID = new ReservationId("R1");

    @TempDir
    private Path folder;

    /** As under the umask of the packaged unit, which keeps others out of new folders. */
    @Test
    void theJobsOfUsersCanEnterTheFolderAndReadTheFile() throws Exception {
        var slot = new TimeSlot(Instant.EPOCH, Instant.EPOCH.plus(Duration.ofHours(1)));
        var held = new Reservation(ID, new RequestKey("k1"), slot, new Need.Nodes(1), List.of("n1"));
        var files = new PublishedFiles(
                new SiteId("fzj"), folder, id -> new ReservationStatus(ReservationState.ACTIVE, held));
        Path home = Files.createDirectory(
                folder.resolve("R1"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));

        files.bind(ID, List.of("n1", "n2"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwxr-xr-x");
        Path bound = home.resolve("bound-nodes");
        assertThat(bound).hasContent("n1\nn2\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bound)))
                .isEqualTo("rw-r--r--");
    }
}
