package org.metasched.classad.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SettableClock;

class AccountantTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void usageApproachesWhatIsInUseByHalfAHalfLifeAtATime() {
        var accountant = accountant();
        accountant.uses("raman", 100);

        clock.advance(DAY);
        double afterOneDay = accountant.standing("raman").usage();
        clock.advance(DAY.multipliedBy(30));
        double afterAMonth = accountant.standing("raman").usage();

        assertThat(afterOneDay).isCloseTo(50.25, within(1e-9));
        assertThat(afterAMonth).isCloseTo(100, within(1e-4));
    }

    @Test
    void lookingOftenChangesNothing() {
        var often = accountant();
        var once = accountant();
        often.uses("raman", 10);
        once.uses("raman", 10);

        for (int hour = 0; hour < 24; hour++) {
            clock.advance(Duration.ofHours(1));
            often.uses("raman", 10);
        }

        assertThat(often.standing("raman").usage())
                .isCloseTo(once.standing("raman").usage(), within(1e-9));
    }

    @Test
    void whoUsedLessComesFirst() {
        var accountant = accountant();
        accountant.uses("heavy", 100);
        accountant.uses("light", 1);
        clock.advance(DAY.multipliedBy(10));

        assertThat(accountant.order(List.of("heavy", "light", "new"))).containsExactly("new", "light", "heavy");
    }

    @Test
    void aFactorMovesASubmitterBack() {
        var accountant = accountant();

        accountant.setFactor("guest", 10_000);

        assertThat(accountant.order(List.of("guest", "member"))).containsExactly("member", "guest");
    }

    @Test
    void aClockSetBackLeavesTheUsageAsItWas() {
        var accountant = accountant();
        accountant.uses("raman", 8);
        clock.advance(DAY);
        accountant.uses("raman", 0);
        double before = accountant.standing("raman").usage();

        clock.advance(DAY.multipliedBy(-3));

        assertThat(accountant.standing("raman").usage()).isEqualTo(before);
    }

    @Test
    void standingsSurviveARestart() {
        var store = new FileAccountantStore(directory.resolve("accountant"));
        var before = new Accountant(DAY, clock, store);
        before.uses("o'hara @ wisc", 1);
        before.setFactor("guest", 10);
        clock.advance(DAY);
        before.save();

        var after = new Accountant(DAY, clock, store);

        assertThat(after.standings()).isEqualTo(before.standings());
        assertThat(after.standing("O'Hara @ wisc").inUse()).isEqualTo(1);
    }

    @Test
    void aBrokenLineIsNamed() throws Exception {
        Path file = directory.resolve("accountant");
        Files.writeString(
                file, "raman 1.0 1.0 0.0 2026-01-05T08:00:00Z -1 0 0.0\nmiron one 1 0 2026-01-05T08:00:00Z -1 0 0\n");

        assertThatThrownBy(() -> new Accountant(DAY, clock, new FileAccountantStore(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("accountant:2:1")
                .hasMessageContaining("miron");
    }

    private Accountant accountant() {
        return new Accountant(DAY, clock, new NothingKept());
    }
}
