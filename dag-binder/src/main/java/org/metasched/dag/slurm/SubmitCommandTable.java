package org.metasched.dag.slurm;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.adapter.ResourceText;

/** How a run on Slurm treats each submit command of HTCondor's manual and each setting of condor_dagman; read from two files. */
final class SubmitCommandTable {

    /** Treatment of a command. */
    enum Kind {
        SUPPORTED,
        /** The command changes the result of a job. */
        REFUSED,
        /** The command changes where, when or how fast a job runs; the user may waive it. */
        WAIVABLE,
        /** The command has no effect. */
        WARNED
    }

    /**
     * Treatment of a command.
     *
     * @param name as the manual has it; {@code *} at its beginning or end stands for any characters
     * @param reason reason of the refusal; in the file of settings, the other fields of {@link KnownSetting}
     */
    record Entry(Kind kind, String name, String reason) {

        private boolean matches(String plain) {
            return plain.matches(plain(name).replace("*", ".*"));
        }
    }

    /**
     * Treatment of a setting that is supported or waivable.
     *
     * @param valueKind kind of the value of a supported setting, {@code number} or {@code truth value}
     * @param defaultValue default of a waivable setting, which is not refused with this value
     * @param reason reason of the refusal of a waivable setting
     */
    record KnownSetting(Kind kind, String valueKind, String defaultValue, String reason) {

        private static KnownSetting of(Entry row) {
            String[] words = row.reason().split(" ", 2);
            return row.kind() == Kind.SUPPORTED
                    ? new KnownSetting(row.kind(), row.reason(), "", "")
                    : new KnownSetting(row.kind(), "", words[0], words[1]);
        }
    }

    private static final List<Entry> ENTRIES = read("submit-commands.txt");
    private static final Map<String, KnownSetting> SETTINGS =
            read("dagman-settings.txt").stream().collect(Collectors.toMap(Entry::name, KnownSetting::of));

    private SubmitCommandTable() {}

    /** A name without underscores, in lower case. */
    static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "");
    }

    /** @param plain a name without underscores, in lower case; empty if it is not a command but a macro of the user */
    static Optional<Entry> find(String plain) {
        return ENTRIES.stream().filter(entry -> entry.matches(plain)).findFirst();
    }

    /** The treatment of a setting of condor_dagman; empty if it has no effect. */
    static Optional<KnownSetting> setting(String name) {
        return Optional.ofNullable(SETTINGS.get(name));
    }

    /** Reads a table. The most specific entry is the first: names before patterns with {@code *}, longer before shorter. */
    private static List<Entry> read(String file) {
        return ResourceText.of(SubmitCommandTable.class, file)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> entry(line.split(" ", 3)))
                .sorted(Comparator.comparing((Entry entry) -> entry.name().contains("*"))
                        .thenComparing(entry -> -entry.name().length()))
                .toList();
    }

    private static Entry entry(String[] words) {
        return new Entry(Kind.valueOf(words[0].toUpperCase(Locale.ROOT)), words[1], words.length < 3 ? "" : words[2]);
    }
}
