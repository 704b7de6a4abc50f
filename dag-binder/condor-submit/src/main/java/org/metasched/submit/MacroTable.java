package org.metasched.submit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a submit description: names without regard to case, values with their macros unexpanded, and beneath them what
 * condor supplies by itself. Remembers which settings were looked at. Not thread-safe.
 */
final class MacroTable {

    private static final class Setting {
        final String name;
        String value;
        int line;
        boolean used;

        Setting(String name, String value, int line) {
            this.name = name;
            this.value = value;
            this.line = line;
        }
    }

    private final TreeMap<String, Setting> settings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeMap<String, String> defaults = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, Setting> live = new HashMap<>();

    void put(String name, String value, int line) {
        Setting known = settings.get(name);
        if (known == null) {
            settings.put(name, new Setting(name, value, line));
        } else {
            known.value = value;
            known.line = line;
        }
    }

    /** A variable of the queue statement: counts as used. */
    void putLive(String name, String value) {
        put(name, value, 0);
        Setting setting = settings.get(name);
        if (setting != null) {
            setting.used = true;
            live.put(name, setting);
        }
    }

    void putDefault(String name, String value) {
        defaults.put(name, value);
    }

    @Nullable
    String lookup(String name) {
        Setting setting = settings.get(name);
        if (setting == null) {
            return defaults.get(name);
        }
        setting.used = true;
        return setting.value;
    }

    /** The value that the description itself gives, without looking at defaults. */
    @Nullable
    String own(String name) {
        Setting setting = settings.get(name);
        return setting == null ? null : setting.value;
    }

    /** The line on which the setting stands, 0 if unknown. */
    int line(String name) {
        Setting setting = settings.get(name);
        return setting == null ? 0 : setting.line;
    }

    /** All names that the description gives, in order of the alphabet, as first written. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Setting setting : settings.values()) {
            names.add(setting.name);
        }
        return names;
    }

    /** {@code name = value} of the settings nobody looked at; names with a dot are never looked at by name. */
    List<String> unused() {
        List<String> unused = new ArrayList<>();
        for (Setting setting : settings.values()) {
            if (!setting.used && setting.name.indexOf('.') < 0) {
                unused.add(setting.name + " = " + setting.value);
            }
        }
        return unused;
    }
}
