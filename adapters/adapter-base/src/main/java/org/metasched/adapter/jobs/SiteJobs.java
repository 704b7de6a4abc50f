package org.metasched.adapter.jobs;

import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.command.OncePerKey;
import org.metasched.adapter.identity.LocalUsers;
import org.metasched.adapter.jobs.JobFolders.FolderState;
import org.metasched.adapter.jobs.JobQueue.Submission;

/**
 * Runs jobs inside reservations, whatever the scheduler: each is a {@code job.sh} in a directory of its own, submitted under a name
 * made of the reservation's key.
 *
 * <p>A job runs once: before it is submitted, the directory and the scheduler are asked for it, and {@code job.sh} itself
 * runs only where it can make a directory that is not there yet. Thread-safe.
 *
 * @param once combines concurrent starts of one job; shared by all objects of one site
 */
public record SiteJobs(
        JobFolders folders, LocalUsers users, JobQueue queue, Reservations reservations, OncePerKey<JobStatus> once)
        implements JobStarter {

    private static final int LONGEST_FILE = 1 << 20;
    /** Keeps the argument list of a command, and each argument, short enough for every system. */
    private static final int MOST_NAMES_OF_A_COMMAND = 500;

    private static final String PREFIX = "metajob-";

    /** Finds the state of a reservation. */
    public interface Reservations {
        ReservationStatus state(ReservationId id) throws LocalSchedulerException;
    }

    @Override
    public void check(Program program, Optional<Requester> requester) throws LocalSchedulerException {
        Optional<String> user = users.userOf(requester);
        for (Program.Transfer transfer : program.transfers()) {
            checkTransfer(transfer, transfer.source(), false);
            checkTransfer(transfer, transfer.target(), true);
        }
        for (Program instance : program.instances()) {
            for (var path : List.of(instance.directory(), instance.input(), instance.output(), instance.error())) {
                if (path.isPresent() && List.of(path.get().split("/")).contains("..")) {
                    throw new Refused("Site " + folders.runner().site() + " runs no program with the path ("
                            + DisplayText.of(path.get()) + "): it must not have '..' in it.");
                }
            }
        }
        // Looked for: absolute paths, and names that PATH must know, unless a transfer brings a file of that name.
        var sought = program.instances().stream()
                .map(Program::executable)
                .distinct()
                .filter(path -> !path.contains("/") || path.startsWith("/"))
                .filter(path -> program.transfers().stream().noneMatch(t -> ("/" + t.name()).endsWith("/" + path)))
                .toList();
        if (folders.settings().looksForExecutables() && !sought.isEmpty()) {
            folders.findPrograms(user, sought);
        }
    }

    private void checkTransfer(Program.Transfer transfer, Optional<URI> end, boolean stageOut) throws Refused {
        if (end.isEmpty()) {
            return;
        }
        URI place = end.get();
        String scheme = String.valueOf(place.getScheme());
        boolean file = scheme.equals("file");
        boolean readable = place.getPath() != null && (file || place.getHost() != null);
        boolean writes = file || scheme.equals("scp") || scheme.equals("rsync");
        if (stageOut && !file && (transfer.append() || transfer.keep())) {
            throw new Refused("Site " + folders.runner().site() + " stages the file " + DisplayText.of(transfer.name())
                    + " out by " + scheme + " with the CreationFlag overwrite only.");
        } else if (!folders.settings().transfers().contains(scheme) || !readable || (stageOut && !writes)) {
            throw new Refused("Site " + folders.runner().site() + " does not stage the file "
                    + DisplayText.of(transfer.name()) + (stageOut ? " out to " : " in from ")
                    + DisplayText.of(place.toString())
                    + (folders.settings().transfers().isEmpty()
                            ? ": it transfers no files."
                            : ": it stages in by " + folders.settings().transfers()
                                    + ", and out by the same without http and https."));
        }
    }

    @Override
    public JobStatus start(Job job) throws LocalSchedulerException {
        return once.run(job.name().key(), () -> startOnce(job));
    }

    private JobStatus startOnce(Job job) throws LocalSchedulerException {
        Optional<String> user = users.userOf(job.name().requester());
        String name = name(job.name().key());
        var files = files(job);
        FolderState folder = folders.read(user, List.of(name)).getOrDefault(name, FolderState.EMPTY);
        if (!folder.state().startsWith("ended")) {
            ReservationStatus held = reservations.state(job.name().reservation());
            files.put("nodes", lines(held.reservation().nodeNames()));
            if (folder.id().isEmpty() && folder.state().isEmpty()) {
                submit(job, user, name, files, held);
            } else {
                folders.write(user, name, files);
            }
        }
        return Optional.ofNullable(statuses(user, List.of(name)).get(name))
                .orElseThrow(() -> new Unreachable(
                        "Site " + folders.runner().site() + " took job " + name + ", but does not show it."));
    }

    private void submit(Job job, Optional<String> user, String name, Map<String, String> files, ReservationStatus held)
            throws LocalSchedulerException {
        if (!held.state().isHeld()) {
            throw new Refused("Site " + folders.runner().site() + " runs nothing in reservation "
                    + job.name().reservation() + ": it is " + held.state() + ".");
        }
        check(job.program(), job.name().requester());
        var launch = folders.settings().launch().isEmpty()
                ? queue.launch()
                : folders.settings().launch();
        files.put("job.sh", JobFolders.script());
        files.put("program", ProgramFile.of(job.program(), launch));
        String folder = folders.write(user, name, files);
        String output = ProgramFile.output(job.program());
        String id = queue.living(List.of(name)).get(name);
        if (id == null) {
            id = queue.submit(new Submission(
                    name,
                    user,
                    job.name().requester().flatMap(Requester::project),
                    folders.settings().become(),
                    held.reservation(),
                    folder,
                    List.of("/bin/sh", folder + "/job.sh", folder)));
        }
        folders.write(user, name, Map.of("id", id, "output", output.startsWith("/") ? output : folder + "/" + output));
    }

    private Map<String, String> files(Job job) throws Refused {
        var files = new TreeMap<String, String>();
        for (Map.Entry<String, String> file : job.files().entrySet()) {
            if (!file.getKey().matches("[a-z][a-z-]{0,31}") || file.getValue().length() > LONGEST_FILE) {
                throw new Refused("The file " + DisplayText.of(file.getKey()) + " ("
                        + file.getValue().length()
                        + " characters) must have a name of 1 to 32 small letters or '-' and at most " + LONGEST_FILE
                        + " characters.");
            }
            files.put(file.getKey(), file.getValue());
        }
        return files;
    }

    private static String lines(List<String> words) {
        return words.isEmpty() ? "" : String.join("\n", words) + "\n";
    }

    @Override
    public Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) throws LocalSchedulerException {
        var byUser = new LinkedHashMap<Optional<String>, Map<String, Job.Name>>();
        for (Job.Name name : names) {
            byUser.computeIfAbsent(users.userOf(name.requester()), user -> new LinkedHashMap<>())
                    .put(name(name.key()), name);
        }
        var all = new HashMap<Job.Name, JobStatus>();
        for (Map.Entry<Optional<String>, Map<String, Job.Name>> group : byUser.entrySet()) {
            statuses(group.getKey(), group.getValue().keySet())
                    .forEach((name, status) -> all.put(group.getValue().get(name), status));
        }
        return all;
    }

    /**
     * Statuses of jobs by name. The scheduler is asked before the directories, as a job that it does not list any more has written its end
     * there.
     */
    private Map<String, JobStatus> statuses(Optional<String> user, Collection<String> names)
            throws LocalSchedulerException {
        var all = new LinkedHashMap<String, JobStatus>();
        var ordered = List.copyOf(names);
        for (int from = 0; from < ordered.size(); from += MOST_NAMES_OF_A_COMMAND) {
            var some = ordered.subList(from, Math.min(ordered.size(), from + MOST_NAMES_OF_A_COMMAND));
            Map<String, String> living = queue.living(some);
            folders.read(user, some).forEach((name, folder) -> {
                if (!folder.id().isEmpty() || !folder.state().isEmpty() || living.containsKey(name)) {
                    all.put(name, status(folder, Optional.ofNullable(living.get(name))));
                }
            });
        }
        return all;
    }

    private static JobStatus status(FolderState folder, Optional<String> living) {
        String[] words = folder.state().split(" ", 3);
        String id = folder.id().isEmpty() ? living.orElse("") : folder.id();
        if (words[0].equals("ended") && words.length > 1 && words[1].matches("\\d{1,3}")) {
            String why = words.length > 2 ? words[2] : "";
            return new JobStatus(State.ENDED, id, Optional.of(Integer.valueOf(words[1])), folder.output(), why);
        }
        boolean began = words[0].equals("running");
        if (living.isPresent() || folder.alive()) {
            return new JobStatus(began ? State.RUNNING : State.WAITING, id, Optional.empty(), folder.output(), "");
        }
        String why = began ? "ended by the site while it ran" : "ended by the site before it ran";
        return new JobStatus(State.LOST, id, Optional.empty(), folder.output(), why);
    }

    /** The name of a reservation's job, at the scheduler and of its directory. */
    public static String name(RequestKey key) {
        return PREFIX + key;
    }

    public static boolean isName(String name) {
        return name.startsWith(PREFIX);
    }

    /** The key in the name of a job. */
    public static RequestKey keyOf(String name) {
        return new RequestKey(name.substring(PREFIX.length()));
    }
}
