package org.metasched.adapter.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.ResourceText;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;

/**
 * The directories of jobs, one for each job, private to the user and below the user's home unless the settings say otherwise.
 * Everything in them is written and read by the user's own account, on the machine where the site's commands run.
 * Thread-safe.
 */
public record JobFolders(CommandRunner runner, JobSettings settings) {

    private static final Pattern SAFE_PATH = Pattern.compile("/[A-Za-z0-9_./-]+");
    /** Shell text that enters the folder of all jobs, {@code $1} relative to the user's home, and makes it if it is missing. */
    private static final String ENTER = ResourceText.oneLine(JobFolders.class, "enter.sh");
    /** Writes the files of standard input: a line {@code >NAME} begins a file, and each line of the file follows a {@code |}. */
    private static final String WRITE = ENTER + ResourceText.oneLine(JobFolders.class, "write.sh");

    /** Exit code of a shell that got a broken script, because {@code become} passed it through a second shell, as {@code su} does. */
    private static final int BROKEN_SCRIPT = 2;

    private static final int NO_FOLDER = 73;
    private static final int OTHER_USER = 76;
    /**
     * Looks for programs: {@code $1} is the expected user, or empty; the programs follow. Exits with 76 if another user runs it, with 1
     * after it printed a missing program, with 2 if it is a {@link #BROKEN_SCRIPT}.
     */
    private static final String FIND = ResourceText.oneLine(JobFolders.class, "find.sh");

    /** Prints a line for each job: name, alive, id, output, state. Starts no process for each file. */
    private static final String READ = ENTER + ResourceText.oneLine(JobFolders.class, "read.sh");

    /**
     * State of a job by the files in its directory.
     *
     * @param alive whether the process of {@code job.sh} runs on this machine
     */
    record FolderState(boolean alive, String id, String output, String state) {
        static final FolderState EMPTY = new FolderState(false, "", "", "");
    }

    /**
     * Makes a job's directory if it is missing, and writes files into it, each of which appears complete.
     *
     * @return the absolute path of the directory
     */
    String write(Optional<String> user, String name, Map<String, String> files) throws LocalSchedulerException {
        var input = new StringBuilder();
        files.forEach((file, content) -> {
            input.append('>').append(file).append('\n');
            content.lines().forEach(line -> input.append('|').append(line).append('\n'));
        });
        String folder = asUser(user, WRITE, List.of(name), input.toString()).strip();
        if (!SAFE_PATH.matcher(folder).matches()) {
            throw new Misconfigured("Site " + runner.site() + ": the directory of jobs (" + DisplayText.of(folder)
                    + ") must be a path of letters, digits, '_', '.', '-' and '/'.\nMaybe set 'programs: folder:'.");
        }
        return folder;
    }

    /** States of the named jobs that have a directory, by name. One command has all names as arguments. */
    Map<String, FolderState> read(Optional<String> user, Collection<String> names) throws LocalSchedulerException {
        var all = new LinkedHashMap<String, FolderState>();
        asUser(user, READ, List.copyOf(names), "")
                .lines()
                .map(line -> line.split("\t", 5))
                .filter(fields -> fields.length == 5)
                .forEach(fields ->
                        all.put(fields[0], new FolderState(fields[1].equals("yes"), fields[2], fields[3], fields[4])));
        return all;
    }

    /**
     * Refuses programs that the user cannot run. Also checks that {@code become} leads to the user of the reservation.
     *
     * @throws Refused when one of the programs is missing
     */
    void findPrograms(Optional<String> user, List<String> executables) throws LocalSchedulerException {
        var expected = settings.become().isEmpty() ? Optional.<String>empty() : user;
        var words = new ArrayList<>(List.of("sh", "-c", FIND, "find", expected.orElse("")));
        words.addAll(executables);
        CommandResult result = runner.run(runner.as(settings.become(), user, words));
        if (result.exit() == OTHER_USER) {
            throw new Misconfigured("Site " + runner.site() + ": 'programs: become:' leads to the user ("
                    + DisplayText.of(result.out().strip()) + "), not to " + user.orElse("")
                    + ", the user of the reservation.");
        }
        refuseBrokenScript(result);
        if (!result.ok()) {
            String missing = result.out().strip();
            if (missing.isEmpty()) { // the script prints a missing program, so it did not run
                throw noSuchUser("Site " + runner.site() + ": " + result.words() + ".");
            }
            throw new Refused("Site " + runner.site() + " has no program (" + DisplayText.of(missing) + ") that "
                    + user.map(name -> "the user " + name).orElse("the adapter's account") + " may run.");
        }
    }

    /**
     * Runs a script of the shell as a user.
     *
     * @param names arguments {@code $2} and more; {@code $1} is the folder of all jobs
     */
    private String asUser(Optional<String> user, String script, List<String> names, String input)
            throws LocalSchedulerException {
        var words = new ArrayList<>(List.of("sh", "-c", script, "sh", settings.folder()));
        words.addAll(names);
        CommandResult result = runner.run(runner.as(settings.become(), user, words), input);
        if (result.ok()) {
            return result.out();
        }
        refuseBrokenScript(result);
        String message = "Site " + runner.site() + " cannot use the directory of jobs (" + settings.folder() + ") as "
                + user.orElse("the adapter's account") + ": " + result.words() + ".";
        if (result.exit() == NO_FOLDER) {
            throw new Misconfigured(message);
        }
        // sudo and su exit with 1 for a user they may not become, env and timeout with 125 or more if nothing was
        // started
        throw result.exit() == 1 || result.exit() > 124 ? noSuchUser(message) : new Unreachable(message);
    }

    private static Misconfigured noSuchUser(String message) {
        return new Misconfigured(message + "\nMaybe the setting 'programs: become:' does not lead to the user.");
    }

    private void refuseBrokenScript(CommandResult result) throws Misconfigured {
        if (result.exit() == BROKEN_SCRIPT) {
            throw new Misconfigured(
                    "Site " + runner.site() + ": " + result.words() + ".\nMaybe 'programs: become:' gives"
                            + " commands to another shell, as 'sudo -i' and 'su' do; it must hand each word on as it is.");
        }
    }

    /** The script that every job runs. */
    static String script() {
        return ResourceText.of(JobFolders.class, "job.sh");
    }
}
