package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.Guard.Call;

class QuotasTest {

    private static final Subject ALICE = Subject.ofCertificate("/CN=Alice");
    private static final Subject BOB = Subject.ofCertificate("/CN=Bob");

    private final AtomicLong nanos = new AtomicLong();
    private final Quotas quotas = new Quotas(2, 1, 3, nanos::get);

    @Test
    void whoAsksTooOftenIsBusyAndTheOthersAreNot() {
        var guard = new Guard(new AccessPolicy(People.CLOSED, List.of()), quotas, AuditLog.NONE);
        for (int i = 0; i < 20; i++) {
            guard.enter(new Call(ALICE, "Collector/Query", ""));
        }

        assertThatThrownBy(() -> guard.enter(new Call(ALICE, "Collector/Query", "")))
                .isInstanceOfSatisfying(
                        NotAllowedException.class, e -> assertThat(e.isBusy()).isTrue());
        guard.enter(new Call(BOB, "Collector/Query", ""));
        nanos.addAndGet(500_000_000);
        guard.enter(new Call(ALICE, "Collector/Query", ""));
    }

    @Test
    void offersUnderWayAndAgreementsAreBounded() {
        var guard = new Guard(new AccessPolicy(People.CLOSED, List.of()), quotas, AuditLog.NONE);
        var first = guard.offer(ALICE);

        assertThat(guard.offer(ALICE)).isEmpty();
        assertThat(guard.offer(BOB)).isPresent();
        first.orElseThrow().run();
        assertThat(guard.offer(ALICE)).isPresent();
        assertThat(guard.mayHold(ALICE, () -> 2)).isTrue();
        assertThat(guard.mayHold(ALICE, () -> 3)).isFalse();
        assertThat(Guard.OPEN.mayHold(Subject.ANONYMOUS, () -> 1_000_000)).isTrue();
    }
}
