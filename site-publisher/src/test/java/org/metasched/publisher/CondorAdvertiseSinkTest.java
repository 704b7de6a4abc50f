package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;

/** Against a stand-in of condor_advertise that keeps what it was given; the real one was not at hand. */
class CondorAdvertiseSinkTest {

    @TempDir
    private Path folder;

    @Test
    void anAdIsHandedOverInTheLongForm() throws Exception {
        var ad = ClassAd.parse("[Name=\"it's; $(rm)\"; MyType=\"Machine\"; Requirements=CurMatches<MaxMatches]");

        sink("cp \"$4\" " + folder + "/ad; echo \"$1 $2 $3\" > " + folder + "/words")
                .advertise(ad);

        assertThat(folder.resolve("words")).hasContent("-pool pool.example UPDATE_STARTD_AD\n");
        assertThat(ClassAd.parseOld(Files.readString(folder.resolve("ad")))).isEqualTo(ad);
    }

    @Test
    void signingOffAsksForTheAdOfThatName() throws Exception {
        sink("cp \"$4\" " + folder + "/ad; echo \"$3\" > " + folder + "/words")
                .invalidate(new AdKey("Machine", "a\"b"));

        assertThat(folder.resolve("words")).hasContent("INVALIDATE_STARTD_ADS\n");
        assertThat(ClassAd.parseOld(Files.readString(folder.resolve("ad")))
                        .lookup("Requirements")
                        .orElseThrow()
                        .print())
                .isEqualTo("Name == \"a\\\"b\"");
    }

    @Test
    void aRefusalIsToldInTheCommandsOwnWords() throws Exception {
        var sink = sink("echo 'no collector' >&2; exit 1");

        assertThatThrownBy(() -> sink.advertise(ClassAd.parse("[Name=\"a\"; MyType=\"Machine\"]")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no collector");
    }

    private CondorAdvertiseSink sink(String script) throws IOException {
        Path program = folder.resolve("condor_advertise");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new CondorAdvertiseSink(
                new CommandRunner(new SiteId("site"), RunSettings.local()),
                List.of(program.toString(), "-pool", "pool.example"));
    }
}
