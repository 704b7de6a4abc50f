package org.metasched.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest extends FullDiskContract {

    @TempDir
    private Path folder;

    @Override
    protected Keeper open(Path folder) {
        Path file = folder.resolve("file");
        return new Keeper() {
            @Override
            public void change(int number) throws IOException {
                AtomicFile.replace(file, "The number is " + number);
            }

            @Override
            public List<Integer> changes() throws IOException {
                return Files.exists(file)
                        ? List.of(Integer.valueOf(Files.readString(file).replace("The number is ", "")))
                        : List.of();
            }
        };
    }

    @Override
    protected List<Integer> kept(List<Integer> acknowledged) {
        return last(acknowledged);
    }

    @Test
    void keepsPermissionsOrGivesThem() throws IOException {
        Path file = folder.resolve("file");
        AtomicFile.replace(file, new byte[0], PosixFilePermissions.fromString("rw-r-----"));

        AtomicFile.replace(file, "new");

        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        AtomicFile.replace(file, new byte[0], PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    }

    @Test
    void aNewFileHasThePermissionsOfTheProcess() throws IOException {
        AtomicFile.replace(folder.resolve("ours"), "text");
        Files.writeString(folder.resolve("plain"), "text");

        assertThat(Files.getPosixFilePermissions(folder.resolve("ours")))
                .isEqualTo(Files.getPosixFilePermissions(folder.resolve("plain")));
    }

    @Test
    void leavesNothingWhereTheFileCannotBeReplaced() throws IOException {
        Files.createDirectories(folder.resolve("taken/inner"));

        assertThatThrownBy(() -> AtomicFile.replace(folder.resolve("taken"), "text"))
                .isInstanceOf(IOException.class);

        assertThat(folder).isDirectoryNotContaining("glob:**.next");
    }

    @Test
    void movesFilesAndFolders() throws IOException {
        Files.createDirectories(folder.resolve("one/inner"));
        Files.createDirectories(folder.resolve("other"));

        AtomicFile.move(folder.resolve("one"), folder.resolve("other/two"));

        assertThat(folder.resolve("other/two/inner")).isDirectory();
        assertThatThrownBy(() -> AtomicFile.move(folder.resolve("none"), folder.resolve("other")))
                .isInstanceOf(NoSuchFileException.class);
        Files.createDirectories(folder.resolve("full"));
        assertThatThrownBy(() -> AtomicFile.move(folder.resolve("full"), folder.resolve("other")))
                .isInstanceOf(FileSystemException.class);
    }
}
