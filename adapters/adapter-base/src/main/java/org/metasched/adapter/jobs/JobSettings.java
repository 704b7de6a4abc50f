package org.metasched.adapter.jobs;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Settings;
import org.metasched.adapter.command.CommandRunner;

/**
 * The mapping under {@code programs:}: whether and how a site runs programs.
 *
 * @param folder folder of the directories of a user's jobs, relative to the user's home; {@code .metasched} by default
 * @param become words that run a command as the user, with {@code {user}} among them
 * @param launch words that start a process on another node of the job, with {@code {node}} among them; without any, all
 *     processes start where the job starts
 * @param transfers URI schemes by which files are brought and taken away: {@code file}, {@code scp}, {@code rsync}, and
 *     only to bring {@code http}, {@code https}
 * @param looksForExecutables whether an offer is refused if its program is not on the machine of the site's commands
 */
public record JobSettings(
        String folder, List<String> become, List<String> launch, Set<String> transfers, boolean looksForExecutables) {

    static final String NODE = "{node}";

    private static final Set<String> KEYS = Set.of("folder", "become", "launch", "transfers", "look-for-executables");
    private static final Set<String> SCHEMES = Set.of("file", "http", "https", "rsync", "scp");
    /** Some schedulers hand a command line to a shell, so a path must not need quotes. */
    private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9_./-]{1,200}");

    /** @param settings the mapping under {@code programs:} */
    public static JobSettings from(Settings settings) {
        settings.allowOnly(KEYS);
        String folder = settings.text("folder").orElse(".metasched");
        settings.refuseIf(
                !FOLDER.matcher(folder).matches() || folder.startsWith("-"),
                "folder",
                "expected a path of letters, digits, '_', '.', '-' and '/', as some launchers split words again,"
                        + " not (%s)",
                DisplayText.of(folder));
        var transfers = new TreeSet<>(settings.texts("transfers"));
        if (!SCHEMES.containsAll(transfers)) {
            throw settings.invalid(
                    "transfers",
                    "expected a list of " + new TreeSet<>(SCHEMES) + ", not " + DisplayText.of(transfers.toString()));
        }
        return new JobSettings(
                folder,
                words(settings, "become", CommandRunner.USER),
                words(settings, "launch", NODE),
                transfers,
                settings.flag("look-for-executables").orElse(true));
    }

    /**
     * The words of a command under a key, if any.
     *
     * @param place placeholder that one of the words must contain
     */
    public static List<String> words(Settings settings, String key, String place) {
        List<String> words = settings.texts(key);
        boolean lacksPlace = words.stream().noneMatch(word -> word.contains(place));
        settings.refuseIf(
                !words.isEmpty() && lacksPlace, key, "expected a list of words, one of them with %s in it", place);
        return words;
    }

    /** These settings, with other words for {@code become} if they have none. */
    public JobSettings orBecome(List<String> usual) {
        return become.isEmpty() ? new JobSettings(folder, usual, launch, transfers, looksForExecutables) : this;
    }
}
