package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AccessPolicy.Vo;
import org.metasched.trust.Authorizer.Call;
import org.metasched.trust.Quotas.Limits;
import org.metasched.trust.Quotas.Use;

class QuotasTest {

    private static final Subject ALICE = Subject.ofCertificate("/CN=Alice");
    private static final Subject BOB = Subject.ofCertificate("/CN=Bob");

    private final AtomicLong nanos = new AtomicLong();
    private final Quotas quotas =
            new Quotas(new Limits(2, 1, 3, 100, 9, 9), Map.of("cms", new Limits(3, 2, 4, 150, 9, 9)), nanos::get);

    @Test
    void whoAsksTooOftenIsBusyAndTheOthersAreNot() {
        var guard = new Authorizer(new AccessPolicy(People.CLOSED, List.of()), quotas, AuditLog.NONE);
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
    void strangersOfANetworkAreCountedApartFromOthers() {
        var guard = new Authorizer(new AccessPolicy(People.CLOSED, List.of()), quotas, AuditLog.NONE);
        for (int port = 1; port <= 20; port++) {
            guard.enter(new Call(Subject.ANONYMOUS, "GET ?wsdl", "[2001:db8::" + port + "]:" + port));
        }

        assertThatThrownBy(() -> guard.enter(new Call(Subject.ANONYMOUS, "GET ?wsdl", "[2001:db8::77]:1")))
                .isInstanceOfSatisfying(
                        NotAllowedException.class, e -> assertThat(e.isBusy()).isTrue());
        guard.enter(new Call(Subject.ANONYMOUS, "GET ?wsdl", "[2001:db8:0:1::77]:1"));
        guard.enter(new Call(Subject.ANONYMOUS, "GET ?wsdl", "192.0.2.1:1"));
    }

    @Test
    void offersUnderWayAndAgreementsAreBounded() {
        var guard = new Authorizer(new AccessPolicy(People.CLOSED, List.of()), quotas, AuditLog.NONE);
        var first = guard.offer(ALICE);

        assertThat(guard.offer(ALICE)).isEmpty();
        assertThat(guard.offer(BOB)).isPresent();
        first.orElseThrow().run();
        assertThat(guard.offer(ALICE)).isPresent();
        assertThat(guard.mayNotHold(ALICE, 1, whose -> new Use(2, 99))).isEmpty();
        assertThat(guard.mayNotHold(ALICE, 1, whose -> new Use(3, 0))).isPresent();
        assertThat(guard.mayNotHold(ALICE, 2, whose -> new Use(2, 99))).isPresent();
        assertThat(Authorizer.OPEN.mayNotHold(Subject.ANONYMOUS, 1e9, whose -> new Use(1_000_000, 1e9)))
                .isEmpty();
    }

    @Test
    void theMembersOfAVoAreBoundedTogetherAndTheOthersAreNot() {
        var cms = new Vo("cms", List.of("/CN=Alice", "/CN=Bob"), Set.of(), Set.of());
        var people = new People(Map.of(), List.of(cms), false);
        var guard = new Authorizer(new AccessPolicy(people, List.of()), quotas, AuditLog.NONE);
        var carol = Subject.ofCertificate("/CN=Carol");
        var wide =
                new Quotas(new Limits(9, 9, 9, 1000, 9, 9), Map.of("cms", new Limits(3, 2, 4, 150, 9, 9)), nanos::get);
        var widely = new Authorizer(new AccessPolicy(people, List.of()), wide, AuditLog.NONE);

        for (int i = 0; i < 30; i++) {
            widely.enter(new Call(i % 2 == 0 ? ALICE : BOB, "Collector/Query", ""));
        }
        assertThatThrownBy(() -> widely.enter(new Call(BOB, "Collector/Query", "")))
                .isInstanceOf(NotAllowedException.class);
        widely.enter(new Call(carol, "Collector/Query", ""));

        assertThat(widely.offer(ALICE)).isPresent();
        var second = widely.offer(BOB);
        assertThat(widely.offer(ALICE)).isEmpty();
        assertThat(widely.offer(carol)).isPresent();
        second.orElseThrow().run();
        assertThat(widely.offer(ALICE)).isPresent();

        assertThat(guard.mayNotHold(ALICE, 1, whose -> new Use(whose.test("/CN=Bob") ? 4 : 0, 0)))
                .hasValueSatisfying(why -> assertThat(why).contains("VO cms"));
        assertThat(guard.mayNotHold(ALICE, 51, whose -> new Use(0, whose.test("/CN=Bob") ? 100 : 0)))
                .isPresent();
        assertThat(guard.mayNotHold(carol, 51, whose -> new Use(0, whose.test("/CN=Bob") ? 100 : 0)))
                .isEmpty();
    }
}
