package org.metasched.server;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Program;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/** Hands programs, node addresses and files to the site below with which an agreement of this grid is made. Thread-safe. */
final class GridPrograms implements JobStarter, RuntimeSupport {

    private final AgreementsAbove agreements;
    private final SiteCalls calls;
    /** Checks under way. */
    private final Set<Check> checking = ConcurrentHashMap.newKeySet();

    GridPrograms(AgreementsAbove agreements, SiteCalls calls) {
        this.agreements = agreements;
        this.calls = calls;
    }

    /** Refuses a program that every site below refuses. The site that will run it is not known yet, and judges it again. */
    @Override
    public void check(Program program, Optional<Requester> requester) throws LocalSchedulerException {
        var question = new Check(program, requester);
        if (!checking.add(question)) {
            // The same question may come back through a circle of grids. A user's second one at the same time is not
            // refused here either.
            return;
        }
        try {
            var answers = calls.askAll(calls.directory().sites().stream()
                    .map(site -> new Call<>(site, below -> check(below, question)))
                    .toList());
            var refusals = answers.stream()
                    .flatMap(answer -> answer.fold(taken -> Stream.<LocalSchedulerException>empty(), Stream::of))
                    .filter(problem -> !problem.isUnanswered())
                    .toList();
            if (!refusals.isEmpty() && refusals.size() == answers.size()) {
                throw refusals.get(0);
            }
        } catch (InterruptedException e) {
            throw AgreementsAbove.interrupted(e);
        } finally {
            checking.remove(question);
        }
    }

    private record Check(Program program, Optional<Requester> requester) {}

    private static boolean check(LocalScheduler site, Check question) throws LocalSchedulerException {
        starter(site).check(question.program(), question.requester());
        return true;
    }

    private static JobStarter starter(LocalScheduler site) throws Refused {
        return site.jobStarter().orElseThrow(() -> new Refused("Site " + site.site() + " runs no programs."));
    }

    @Override
    public JobStatus start(Job job) throws LocalSchedulerException {
        var agreement = agreements.living(job.name().reservation());
        return starter(agreements.site(agreement))
                .start(new Job(nameBelow(agreement, job.name()), job.program(), job.files()));
    }

    private static Job.Name nameBelow(Agreement agreement, Job.Name above) {
        var reservation = AgreementsAbove.reservation(agreement);
        return new Job.Name(reservation.key(), reservation.id(), above.requester());
    }

    @Override
    public Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) throws LocalSchedulerException {
        var bySite = new LinkedHashMap<LocalScheduler, Map<Job.Name, Job.Name>>();
        var givenUp = new HashSet<Job.Name>();
        for (var above : names) {
            var agreement = agreements.find(above.reservation());
            if (agreement.isPresent()) {
                bySite.computeIfAbsent(agreements.site(agreement.get()), site -> new LinkedHashMap<>())
                        .put(nameBelow(agreement.get(), above), above);
                if (agreement.get().state() == AgreementState.TERMINATED) {
                    givenUp.add(above);
                }
            }
        }
        var jobs = new LinkedHashMap<Job.Name, JobStatus>();
        for (var site : bySite.entrySet()) {
            var statuses = starter(site.getKey()).jobs(site.getValue().keySet());
            site.getValue()
                    .forEach((below, above) -> Optional.ofNullable(statuses.get(below))
                            .map(job -> givenUp.contains(above) && !job.state().isFinal()
                                    ? job.in(JobStatus.State.LOST, "its reservation was given up")
                                    : job)
                            .ifPresent(job -> jobs.put(above, job)));
        }
        return jobs;
    }

    @Override
    public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
        callBelow(id, (site, below) -> site.bind(below, nodeAddresses));
    }

    @Override
    public void publish(ReservationId id, String file, String content) throws LocalSchedulerException {
        callBelow(id, (site, below) -> site.publish(below, file, content));
    }

    private interface RuntimeCall {
        void call(RuntimeSupport site, ReservationId below) throws LocalSchedulerException;
    }

    /** A site without run-time support is passed over, as it is by its own grid. */
    private void callBelow(ReservationId id, RuntimeCall call) throws LocalSchedulerException {
        var agreement = agreements.living(id);
        var support = agreements.site(agreement).runtimeSupport();
        if (support.isPresent()) {
            call.call(support.get(), AgreementsAbove.reservation(agreement).id());
        }
    }
}
