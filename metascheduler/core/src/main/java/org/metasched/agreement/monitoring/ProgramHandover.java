package org.metasched.agreement.monitoring;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementChanges;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.ProgramRun;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the programs of agreements to their sites, and follows them to their end. A program is handed over as soon as its agreement is
 * observed, so that it starts even if this server is down when the slot begins. Whenever its {@link JobSynchronization} changes, it is
 * handed over again, which starts no second program. Thread-safe.
 */
public final class ProgramHandover implements AgreementListener {

    private static final Logger LOG = LoggerFactory.getLogger(ProgramHandover.class);

    private final SiteCalls calls;
    private final AgreementChanges changes;
    private final Executor background;
    private final Clock clock;
    /** The files with which this process last handed over each job. */
    private final Map<RequestKey, Map<String, String>> lastFiles = RuntimeBinding.newestReservations();

    /** @param background hands over the programs of a new agreement; the caller shuts it down */
    public ProgramHandover(SiteCalls calls, AgreementChanges changes, Executor background, Clock clock) {
        this.calls = calls;
        this.changes = changes;
        this.background = background;
        this.clock = clock;
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        boolean hasPrograms =
                after.commitments().stream().anyMatch(part -> part.run().isPresent());
        if (after.state() != AgreementState.OBSERVED || !hasPrograms) {
            return;
        }
        try {
            background.execute(() -> begin(after));
        } catch (RejectedExecutionException e) {
            LOG.debug("The programs of agreement {} are handed over after the next start", after.id());
        }
    }

    private void begin(Agreement agreement) {
        try {
            var followed =
                    follow(List.of(agreement), List.of(agreement.commitments())).get(0);
            var next = agreement.withParts(followed, clock.instant());
            if (next != agreement) {
                changes.record(agreement, next);
            }
        } catch (StaleAgreementException e) {
            LOG.debug("Agreement {} changed meanwhile; the next poll finds its programs", agreement.id());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Asks the sites about programs that may run, then hands over those that are due, and returns the parts with the new statuses. Asking
     * comes first: so a gate opens in the same poll that finds the last part running.
     */
    List<List<SiteCommitment>> follow(List<Agreement> agreements, List<List<SiteCommitment>> parts)
            throws InterruptedException {
        if (parts.stream().flatMap(List::stream).noneMatch(part -> part.run().isPresent())) {
            return parts;
        }
        var asked = withStatuses(parts, ask(parts));
        return withStatuses(asked, handOver(agreements, asked));
    }

    private static List<List<SiteCommitment>> withStatuses(
            List<List<SiteCommitment>> all, Map<RequestKey, JobStatus> known) {
        return all.stream()
                .map(parts -> parts.stream()
                        .map(part -> withStatus(
                                part,
                                Optional.ofNullable(known.get(part.reservation().key()))))
                        .toList())
                .toList();
    }

    /** The part with a status of its program. A program that its site did not take before the reservation ended is lost. */
    private static SiteCommitment withStatus(SiteCommitment part, Optional<JobStatus> status) {
        if (part.run().isEmpty()) {
            return part;
        }
        var current = status.orElse(part.run().get().status());
        return current.state() == State.NEW && !part.state().isHeld()
                ? part.withProgramStatus(current.in(State.LOST, "its reservation ended before the site took it"))
                : part.withProgramStatus(current);
    }

    private Map<RequestKey, JobStatus> handOver(List<Agreement> agreements, List<List<SiteCommitment>> all)
            throws InterruptedException {
        var jobs = new ArrayList<Job>();
        var firstHandovers = new HashSet<Job.Name>();
        var questions = new ArrayList<Call<JobStatus>>();
        for (int i = 0; i < agreements.size(); i++) {
            for (var parts : agreements.get(i).byCommonStart(all.get(i))) {
                var synchronization = new JobSynchronization(agreements.get(i).id(), parts);
                for (var part : parts) {
                    part.run().filter(run -> isDue(part, run)).ifPresent(run -> {
                        var job = synchronization.job(part, run);
                        if (run.status().state() == State.NEW
                                ? firstHandovers.add(job.name())
                                : !job.files().equals(lastFiles.get(job.name().key()))) {
                            jobs.add(job);
                            questions.add(new Call<>(part.site(), site -> start(site, job)));
                        }
                    });
                }
            }
        }
        var answers = calls.askAll(questions);
        var known = new HashMap<RequestKey, JobStatus>();
        for (int i = 0; i < jobs.size(); i++) {
            var job = jobs.get(i);
            recordAnswer(job, answers.get(i), firstHandovers.contains(job.name()))
                    .ifPresent(status -> known.put(job.name().key(), status));
        }
        return known;
    }

    private boolean isDue(SiteCommitment part, ProgramRun run) {
        return part.state().isHeld()
                && !run.status().state().isFinal()
                && calls.directory().find(part.site()).isPresent();
    }

    private static JobStatus start(LocalScheduler site, Job job) throws LocalSchedulerException {
        return site.jobStarter()
                .orElseThrow(() -> new Misconfigured("Site " + site.site() + " runs no programs."))
                .start(job);
    }

    private Optional<JobStatus> recordAnswer(Job job, Answer<JobStatus> answer, boolean isFirst) {
        return answer.fold(
                status -> {
                    lastFiles.put(job.name().key(), job.files());
                    return Optional.of(status);
                },
                problem -> {
                    LOG.warn("The program of reservation {} was not handed over: {}", job.name(), problem.getMessage());
                    return isFirst && problem instanceof Refused && !problem.isUnanswered()
                            ? Optional.of(JobStatus.NEW.in(State.REFUSED, String.valueOf(problem.getMessage())))
                            : Optional.empty();
                });
    }

    /** Asks each site once about its programs that may have begun: those whose reservation is active or over, or whose slot has begun. */
    private Map<RequestKey, JobStatus> ask(List<List<SiteCommitment>> all) throws InterruptedException {
        var known = new HashMap<RequestKey, JobStatus>();
        Instant now = clock.instant();
        var bySite = new LinkedHashMap<SiteId, Set<Job.Name>>();
        for (var part : all.stream().flatMap(List::stream).toList()) {
            part.run()
                    .filter(run -> part.state() != ReservationState.RESERVED
                            || !now.isBefore(part.reservation().slot().start()))
                    .filter(run -> run.status().state() != State.NEW
                            && !run.status().state().isFinal())
                    .filter(run -> calls.directory().find(part.site()).isPresent())
                    .ifPresent(run -> bySite.computeIfAbsent(part.site(), s -> new LinkedHashSet<>())
                            .add(JobSynchronization.name(part, run)));
        }
        var questions = new ArrayList<Call<Map<Job.Name, JobStatus>>>();
        bySite.forEach((site, names) -> questions.add(new Call<>(site, scheduler -> jobs(scheduler, names))));
        var answers = calls.askAll(questions);
        var sites = List.copyOf(bySite.values());
        for (int i = 0; i < sites.size(); i++) {
            var names = sites.get(i);
            answers.get(i)
                    .fold(Optional::of, problem -> Optional.<Map<Job.Name, JobStatus>>empty())
                    .ifPresent(statuses -> names.forEach(name -> known.put(
                            name.key(),
                            statuses.getOrDefault(name, JobStatus.NEW.in(State.LOST, "the site knows no such job")))));
        }
        return known;
    }

    private static Map<Job.Name, JobStatus> jobs(LocalScheduler site, Set<Job.Name> names)
            throws LocalSchedulerException {
        return site.jobStarter()
                .orElseThrow(() -> new Misconfigured("Site " + site.site() + " tells nothing of its jobs."))
                .jobs(names);
    }
}
