package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementState;
import org.metasched.fakes.TestGrid;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseSamples;
import org.metasched.sites.SiteDirectory;
import org.metasched.soap.claiming.ClaimedJobs.Job;

/** Jobs of claims that another server started, and no longer is. */
@Tag("full")
class AgreedJobsTest {

    @TempDir
    private Path folder;

    private final TestGrid grid = new TestGrid().site("fzj", 10_000);
    private int read;

    @Test
    void aJobHasNoMoreProcessesThanCanBeCounted() {
        assertThatThrownBy(() -> new Job(List.of("/bin/date"), 10_000_000, 1_000, Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10000000");
    }

    /** As any id is that a grid above may ask about. */
    @Test
    void aReservationWhoseIdIsNoAgreementIdIsNotKnown() {
        var above = new AgreementsAbove(new SiteId("grid"), grid.start().service, SiteDirectory.of(List.of()));

        assertThat(above.find(new ReservationId("above-x y"))).isEmpty();
    }

    @Test
    void jobsOfClaimsThatAreGoneAreFoundAndEndedAndTheNextSearchReadsWhatIsNew() throws Exception {
        AgreementBooks memory = grid.memory.books();
        grid.books(new AgreementBooks(
                counted(memory.agreements()),
                memory.offerLocks(),
                memory.due(),
                memory.history(),
                memory.retention(),
                memory.negotiations(),
                memory.journal(),
                memory.transactions()));
        var started = grid.start();
        var claims = new FileLeases(folder, grid.clock, match -> Sight.UNSEEN);
        Lease held = claims.find(claims.acquire(LeaseSamples.request("fzj", 5, "customer"))
                        .orElseThrow())
                .orElseThrow();
        assertThat(claims.commit(held.id())).isTrue();
        UUID gone = UUID.randomUUID();
        agree(started, "claim-" + held.id());
        agree(started, "claim-" + gone);
        for (int i = 0; i < 450; i++) {
            agree(started, "other-" + i);
        }
        grid.clock.advance(Duration.ofHours(1));
        var jobs = new AgreedJobs(started.service, null, SiteDirectory.of(List.of()), claims, grid.clock);

        jobs.search();
        assertThat(read).isEqualTo(452);
        jobs.endUnclaimed();
        assertThat(state(started, "claim-" + held.id())).isEqualTo(AgreementState.OBSERVED);
        assertThat(state(started, "claim-" + gone)).isNotEqualTo(AgreementState.OBSERVED);

        UUID later = UUID.randomUUID();
        agree(started, "claim-" + later);
        grid.clock.advance(Duration.ofMinutes(10));
        read = 0;
        jobs.search();
        assertThat(read).isLessThanOrEqualTo(200);
        jobs.endUnclaimed();
        assertThat(state(started, "claim-" + later)).isNotEqualTo(AgreementState.OBSERVED);
    }

    private void agree(TestGrid.Started started, String id) throws InterruptedException {
        var unused = started.service.offer(grid.offer(id, 1, "fzj"), new AgreementId(id));
        assertThat(state(started, id)).isEqualTo(AgreementState.OBSERVED);
    }

    private static AgreementState state(TestGrid.Started started, String id) {
        return started.service.find(new AgreementId(id)).orElseThrow().state();
    }

    /** Counts the agreements on the pages that were read. */
    private AgreementRepository counted(AgreementRepository repository) {
        return (AgreementRepository) Proxy.newProxyInstance(
                AgreementRepository.class.getClassLoader(),
                new Class<?>[] {AgreementRepository.class},
                (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(repository, arguments);
                        read += method.getName().equals("newest") ? ((List<?>) answer).size() : 0;
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
