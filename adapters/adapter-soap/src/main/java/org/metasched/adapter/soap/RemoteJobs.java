package org.metasched.adapter.soap;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Program;
import org.metasched.adapter.Requester;
import org.metasched.wsag.site.JobNamesType;
import org.metasched.wsag.site.JobStatusType;
import org.metasched.wsag.site.State;
import org.metasched.wsag.site.Submit;

/** Jobs over the wire: submitted by {@code Submit}, queried by {@code State}. Thread-safe. */
record RemoteJobs(SiteConnection connection) implements JobStarter {

    /** Most jobs in one call. */
    private static final int MOST_IN_CALL = 1000;

    @Override
    public void check(Program program, Optional<Requester> requester) throws LocalSchedulerException {
        var message = new Submit();
        message.setCheck(JobTranslator.check(program, requester));
        connection.call("Submit", port -> port.submit(message));
    }

    @Override
    public JobStatus start(Job job) throws LocalSchedulerException {
        var message = new Submit();
        message.setJob(JobTranslator.message(job));
        return connection.call(
                "Submit", port -> JobTranslator.status(port.submit(message).getJob()));
    }

    @Override
    public Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) throws LocalSchedulerException {
        var all = new LinkedHashMap<Job.Name, JobStatus>();
        var ordered = List.copyOf(names);
        for (int from = 0; from < ordered.size(); from += MOST_IN_CALL) {
            var message = new State();
            message.setJobs(new JobNamesType());
            ordered.subList(from, Math.min(ordered.size(), from + MOST_IN_CALL))
                    .forEach(name -> message.getJobs().getJob().add(JobTranslator.message(name)));
            for (JobStatusType job :
                    connection.call("State", port -> port.state(message).getJob())) {
                all.put(JobTranslator.name(job.getName()), JobTranslator.status(job));
            }
        }
        return all;
    }
}
