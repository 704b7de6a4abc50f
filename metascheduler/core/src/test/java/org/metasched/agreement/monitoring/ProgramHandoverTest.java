package org.metasched.agreement.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Program;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.fakes.TestGrid;
import org.metasched.sites.SiteCalls.Call;

/** Programs of agreements, at sites whose jobs are a list. */
class ProgramHandoverTest {

    private static final SiteId FZJ = new SiteId("fzj");
    private static final Program PROGRAM = new Program(
            "/bin/hello",
            List.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            3,
            0,
            Map.of(),
            List.of(),
            Optional.of(Duration.ofMinutes(1)),
            List.of());

    private final TestGrid grid =
            new TestGrid().site("fzj", 64).site("scai", 32).site("empty", 8);
    private final Jobs fzj = new Jobs();
    private final Jobs scai = new Jobs();
    private final TestGrid.Started started;

    ProgramHandoverTest() {
        grid.at("fzj").runsPrograms(fzj);
        grid.at("scai").runsPrograms(scai);
        grid.at("fzj").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 64);
        started = grid.start();
    }

    @AfterEach
    void end() {
        grid.close();
    }

    /** A site's jobs, without a scheduler. */
    private static final class Jobs implements JobStarter {
        final Map<Job.Name, JobStatus> known = new LinkedHashMap<>();
        final List<Job> handedOver = new ArrayList<>();
        Optional<String> refusal = Optional.empty();
        boolean isSilent;
        int starts;

        @Override
        public void check(Program program, Optional<Requester> requester) {}

        @Override
        public synchronized JobStatus start(Job job) throws LocalSchedulerException {
            starts++;
            if (isSilent) {
                throw new Unreachable("no answer");
            }
            if (refusal.isPresent()) {
                throw new Refused(refusal.get());
            }
            handedOver.add(job);
            return known.computeIfAbsent(
                    job.name(), name -> new JobStatus(State.WAITING, "7", Optional.empty(), "/out", ""));
        }

        @Override
        public synchronized Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) {
            var told = new HashMap<>(known);
            told.keySet().retainAll(names);
            return told;
        }

        synchronized void all(State state, Optional<Integer> exitCode) {
            known.replaceAll((name, job) -> new JobStatus(state, job.id(), exitCode, job.output(), ""));
        }

        synchronized Job last() {
            return handedOver.get(handedOver.size() - 1);
        }
    }

    @Test
    void aProgramIsHandedOverAtOnceAndTheAgreementWaitsForItsEnd() throws Exception {
        var made = create("fzj", "scai");
        await().atMost(Duration.ofMinutes(1)).until(() -> states(made).equals(List.of(State.WAITING, State.WAITING)));

        assertThat(started.service.history().history(made.id()))
                .anySatisfy(event -> assertThat(event.what()).contains("fzj", ", program WAITING"));
        assertThat(scai.last().program().environment())
                .containsEntry("METASCHED_RANK_OFFSET", "3")
                .containsEntry("METASCHED_SIZE", "6")
                .containsEntry("METASCHED_LOCAL_SIZE", "3");
        assertThat(scai.last().files().get("secret"))
                .isEqualTo(fzj.last().files().get("secret"));

        grid.clock.advance(Duration.ofMinutes(130));
        fzj.all(State.RUNNING, Optional.empty());
        scai.all(State.ENDED, Optional.of(3));
        started.monitor.poll();
        assertThat(stored(made).state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(states(made)).containsExactly(State.RUNNING, State.ENDED);
        fzj.all(State.ENDED, Optional.of(0));
        started.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.COMPLETE);
        assertThat(stored(made)
                        .commitments()
                        .get(1)
                        .run()
                        .orElseThrow()
                        .status()
                        .exitCode())
                .contains(3);
    }

    @Test
    void theGateOpensWhenAllPartsRun() throws Exception {
        var made = create("fzj", "scai");
        await().atMost(Duration.ofMinutes(1)).until(() -> states(made).equals(List.of(State.WAITING, State.WAITING)));
        started.monitor.poll();
        grid.clock.advance(Duration.ofMinutes(61));
        fzj.all(State.RUNNING, Optional.empty());
        started.monitor.pollGates();
        assertThat(fzj.last().files()).doesNotContainKey(Job.GO_FILE);

        // a second later, not at the monitor's next interval, and with the look that sees the last part run
        grid.clock.advance(Duration.ofSeconds(1));
        scai.all(State.RUNNING, Optional.empty());
        started.monitor.pollGates();

        assertThat(fzj.last().files()).containsKey(Job.GO_FILE);
        assertThat(scai.last().files()).containsKey(Job.GO_FILE);
    }

    /** After a restart it does not know what the sites were given, and gives it once more. */
    @Test
    void anotherServerGoesOnWhereTheFirstWasCutOff() throws Exception {
        var made = create("fzj");
        await().atMost(Duration.ofMinutes(1)).until(() -> states(made).equals(List.of(State.WAITING)));
        int before = fzj.handedOver.size();

        var next = grid.start();
        next.monitor.poll();
        next.monitor.poll();

        assertThat(fzj.handedOver).hasSize(before + 1);
        assertThat(fzj.known).hasSize(1);
    }

    @Test
    void aProgramThatItsSiteDoesNotTakeEndsTheAgreementBeforeItBegins() throws Exception {
        scai.refusal = Optional.of("the disk is full");
        var made = create("fzj", "scai");
        await().atMost(Duration.ofMinutes(1)).until(() -> states(made).contains(State.REFUSED));

        started.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(stored(made).reason())
                .hasValueSatisfying(why -> assertThat(why).contains("the disk is full"));
        assertThat(grid.heldEverywhere()).isZero();
    }

    /** Earlier calls had no answer, so that further ones are turned away before they reach the site. */
    @Test
    void aSiteThatIsNotAskedHasRefusedNothing() throws Exception {
        fzj.isSilent = true;
        var made = create("fzj");
        await().atMost(Duration.ofMinutes(1)).until(() -> fzj.starts == 1);
        var other = grid.timeout(Duration.ofMillis(200)).start();
        grid.at("fzj").down(true);
        var forever = new CountDownLatch(1);
        for (int i = 0; i < 3 || i < 30 && !other.calls.isClosed(FZJ); i++) {
            var unused = other.calls.askAll(List.of(new Call<>(FZJ, site -> hang(forever))));
        }
        fzj.isSilent = false;

        other.monitor.poll();

        assertThat(other.calls.isClosed(FZJ)).isTrue();
        assertThat(stored(made).state()).isEqualTo(AgreementState.OBSERVED);
        assertThat(states(made)).containsExactly(State.NEW);
        var plain = grid.offer("o2", 2, "fzj");
        for (var offer :
                List.of(grid.offer("o3", offer("fzj").alternatives().get(0).parts()), plain)) {
            assertThat(other.service.offer(offer))
                    .isInstanceOfSatisfying(
                            CreationOutcome.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(RefusalCode.ADAPTER_DOWN));
        }
        grid.at("fzj").down(false);
        await().atMost(Duration.ofMinutes(1)).until(() -> !other.calls.isClosed(FZJ));
        other.monitor.poll();
        assertThat(states(made)).containsExactly(State.WAITING);
    }

    private static boolean hang(CountDownLatch forever) {
        try {
            forever.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    @Test
    void aSiteThatRunsNoProgramsRefusesTheOffer() throws Exception {
        var outcome = started.service.offer(offer("empty"));

        assertThat(outcome).isInstanceOfSatisfying(CreationOutcome.Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.NO_MATCHING_SITE);
            assertThat(refused.reason()).contains("empty", "runs no programs");
        });
    }

    private AgreementOffer offer(String... sites) {
        var parts = new ArrayList<RequestedPart>();
        for (var site : sites) {
            parts.add(new RequestedPart(
                    site,
                    site,
                    Optional.of(new SiteId(site)),
                    ResourceRequest.nodes(2, Duration.ofHours(1)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(PROGRAM),
                    Optional.empty()));
        }
        return grid.offer("o1", parts);
    }

    private Agreement create(String... sites) throws InterruptedException {
        return ((Created) started.service.offer(offer(sites))).agreement();
    }

    private Agreement stored(Agreement made) {
        return grid.memory.find(made.id()).orElseThrow();
    }

    private List<State> states(Agreement made) {
        return stored(made).commitments().stream()
                .map(part -> part.run().orElseThrow().status().state())
                .toList();
    }
}
