package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTreeTest {

    private static final BindingRecord.Origin ORIGIN = new BindingRecord.Origin("/home/alice/dags", "d.dag", "");

    /** Of a directory: new ones in it have its group, and this bit. */
    private static final int SET_GROUP_ID = 02000;

    @TempDir
    Path folder;

    private Path place;

    @BeforeEach
    void name() {
        place = folder.resolve("bound");
    }

    private OutputTree tree() throws Exception {
        var tree = OutputTree.at(place, ORIGIN, InputStaging.LINK);
        write(tree, "d.dag", "JOB A a.sub\n");
        var record = new BindingRecord(
                ORIGIN, "fzj", 0, 1, Map.of(), Map.of(), tree.files(), InputStaging.LINK, false, tree.inputs());
        write(tree, BindingRecord.FILE, new String(record.toBytes(), StandardCharsets.UTF_8));
        return tree;
    }

    private static void write(OutputTree tree, String name, String text) throws Exception {
        try (var file = tree.create(name)) {
            file.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void theDirectoryHasTheModeOfAnyNewOne() throws Exception {
        Files.setAttribute(folder, "unix:mode", (int) Files.getAttribute(folder, "unix:mode") | SET_GROUP_ID);

        try (var tree = tree()) {
            tree.commit();
        }

        Path other = Files.createDirectory(folder.resolve("other"));
        assertThat(Files.getAttribute(place, "unix:mode")).isEqualTo(Files.getAttribute(other, "unix:mode"));
    }

    @Test
    void aPlaceThatWasFilledMeanwhileIsNotTouched() throws Exception {
        try (var tree = tree()) {
            Files.createDirectory(place);
            Files.writeString(place.resolve("thesis.tex"), "");

            assertThatThrownBy(tree::commit)
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessage(place + ": it was filled meanwhile.");
        }

        assertThat(folder).isDirectoryContaining("glob:**/bound");
        assertThat(place).isDirectoryContaining("glob:**/thesis.tex");
    }

    @Test
    void ofTwoBindingsIntoAFreePlaceTheFirstStays() throws Exception {
        try (var slower = tree()) {
            try (var faster = tree()) {
                faster.accompany(MatchNote.FILE, new byte[0]);
                faster.commit();
            }

            assertThatThrownBy(slower::commit).isInstanceOf(FileAlreadyExistsException.class);
        }

        assertThat(place.resolve(MatchNote.FILE)).exists();
    }

    @Test
    void anEarlierBindingToWhichAFileIsAddedMeanwhileIsNotReplaced() throws Exception {
        try (var first = tree()) {
            first.commit();
        }
        try (var next = tree()) {
            Files.writeString(place.resolve("d.dag.rescue001"), "DONE A\n");

            assertThatThrownBy(next::commit)
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("[d.dag.rescue001]");
        }
        Files.delete(place.resolve("d.dag.rescue001"));
        try (var next = tree()) {
            next.commit();
        }

        assertThat(folder.toFile().list()).containsExactly("bound");
    }

    @Test
    void anEarlierBindingThatWasChangedByHandIsNotReplaced() throws Exception {
        try (var tree = tree()) {
            tree.commit();
        }
        try (var tree = tree()) {
            tree.commit();
        }
        Path dag = Files.writeString(place.resolve("d.dag"), "JOB A a.sub NOOP\n");
        var recorded =
                Files.getLastModifiedTime(place.resolve(BindingRecord.FILE)).toInstant();
        Files.setLastModifiedTime(dag, FileTime.from(recorded.plusSeconds(1)));

        assertThatThrownBy(this::tree)
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("or were changed after it, [d.dag] for one.");
        assertThat(dag).hasContent("JOB A a.sub NOOP");
    }

    @Test
    void aFileOfTheBindingItselfIsNoInput() throws Exception {
        var names = List.of(BindingRecord.FILE, MatchNote.FILE, DagProgress.FINISHED_MARK);
        for (String name : names) {
            Files.writeString(folder.resolve(name), "mine");
        }
        try (var tree = OutputTree.at(place, ORIGIN, InputStaging.LINK)) {
            for (String name : names) {
                tree.input(folder.resolve(name), name);
            }
            write(tree, BindingRecord.FILE, "{}");
            tree.commit();
        }

        assertThat(folder.resolve(BindingRecord.FILE)).hasContent("mine");
        assertThat(place.resolve(BindingRecord.FILE)).hasContent("{}");
        assertThat(place.toFile().list()).containsExactly(BindingRecord.FILE);
    }
}
