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
 * @param folder of the directories of all jobs of a user; relative to the user's home, {@code .metasched} unless told
 * @param become words before every command that is the user's own, with {@code {user}} among them
 * @param launch words that start a process on another node of the job, with {@code {node}} among them; none: processes all
 *     start where the job starts
 * @param transfers how files may be brought, and, but for {@code http} and {@code https}, taken away: also {@code file},
 *     {@code scp}, {@code rsync}
 * @param looksForExecutables whether a program that is not on the adapter's machine is refused with the offer
 */
public record JobSettings(
        String folder, List<String> become, List<String> launch, Set<String> transfers, boolean looksForExecutables) {

    static final String NODE = "{node}";

    private static final Set<String> KEYS = Set.of("folder", "become", "launch", "transfers", "look-for-executables");
    private static final Set<String> SCHEMES = Set.of("file", "http", "https", "rsync", "scp");
    /** Some schedulers hand a command line to a shell: in a path of these characters there is nothing to quote. */
    private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9_./-]{1,200}");

    /** @param settings the mapping itself */
    public static JobSettings from(Settings settings) {
        settings.allowOnly(KEYS);
        String folder = settings.text("folder").orElse(".metasched");
        if (!FOLDER.matcher(folder).matches() || folder.startsWith("-")) {
            throw settings.invalid(
                    "folder",
                    "expected a path of letters, digits, '_', '.', '-' and '/', as some launchers split words again");
        }
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

    /** The words of a command under a key; if there are any, one of them holds the place of what differs from call to call. */
    public static List<String> words(Settings settings, String key, String place) {
        List<String> words = settings.texts(key);
        if (!words.isEmpty() && words.stream().noneMatch(word -> word.contains(place))) {
            throw settings.invalid(key, "expected a list of words, one of them with " + place + " in it");
        }
        return words;
    }

    /** The same, where the site's own settings are silent. */
    public JobSettings orBecome(List<String> usual) {
        return become.isEmpty() ? new JobSettings(folder, usual, launch, transfers, looksForExecutables) : this;
    }
}
