package org.metasched.adapter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalSchedulerException.Refused;

class SiteClockTest {

    private static final SiteClock BERLIN = new SiteClock(ZoneId.of("Europe/Berlin"));
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    @Test
    void readsAndWritesLocalTime() throws Exception {
        Instant instant = BERLIN.start("2026-11-21 09:00:00", FORM);

        assertThat(instant).isEqualTo(Instant.parse("2026-11-21T08:00:00Z"));
        assertThat(BERLIN.write(instant, FORM)).isEqualTo("2026-11-21 09:00:00");
    }

    @Test
    void readsAnAmbiguousTimeAsBusyForLonger() {
        assertThat(BERLIN.start("2026-10-25 02:30:00", FORM)).isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
        assertThat(BERLIN.end("2026-10-25 02:30:00", FORM)).isEqualTo(Instant.parse("2026-10-25T01:30:00Z"));
    }

    @Test
    void doesNotWriteAnInstantThatWouldBeReadAsAnother() throws Exception {
        Instant second = Instant.parse("2026-10-25T01:30:00Z");

        assertThat(BERLIN.isWritable(second)).isFalse();
        assertThat(BERLIN.firstWritable(second)).isEqualTo(Instant.parse("2026-10-25T02:00:00Z"));
        assertThatThrownBy(() -> BERLIN.write(second, FORM))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("comes twice in the zone Europe/Berlin");
        assertThat(BERLIN.write(Instant.parse("2026-10-25T00:30:00Z"), FORM)).isEqualTo("2026-10-25 02:30:00");
    }

    @Test
    void refusesALocalTimeThatDoesNotExist() {
        assertThatThrownBy(() -> BERLIN.start("2026-03-29 02:30:00", FORM))
                .isInstanceOf(OutputFormatException.class)
                .hasMessageContaining("does not exist in the zone Europe/Berlin");
    }

    /** Java's zone, and TZ as POSIX and the zone database spell it; {@code date} of this machine is asked as well. */
    @ParameterizedTest
    @CsvSource({
        "Z, UTC, +0000",
        "UTC, UTC, +0000",
        "UTC+2, Etc/GMT-2, +0200",
        "-12:00, Etc/GMT+12, -1200",
        "+15:00, <+15>-15, +1500",
        "GMT-03:30, <-0330>3:30, -0330",
        "+05:45, <+0545>-5:45, +0545",
        "Etc/GMT-14, Etc/GMT-14, +1400",
        "SystemV/EST5EDT, EST5EDT, -0500",
        "Asia/Kolkata, Asia/Kolkata, +0530",
        "America/St_Johns, America/St_Johns, -0330",
        "Etc/GMT+5, Etc/GMT+5, -0500",
        "Europe/Berlin, Europe/Berlin, +0100",
    })
    void commandsHaveTheirZoneAsCommandsSpellIt(String zone, String spelled, String offset) throws Exception {
        String tz = new SiteClock(ZoneId.of(zone)).tz();

        assertThat(tz).isEqualTo(spelled);
        var date = new ProcessBuilder("date", "-d", "@1769000000", "+%z");
        date.environment().put("TZ", tz);
        assertThat(new String(date.start().getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .isEqualToIgnoringNewLines(offset);
    }

    @Test
    void refusesTextThatIsNoTime() {
        assertThatThrownBy(() -> BERLIN.start("Sa Nov 21", FORM))
                .isInstanceOf(OutputFormatException.class)
                .hasMessage("expected a time, not (Sa Nov 21)");
    }
}
