package org.metasched.submit;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a submit description: names without regard to case, values with their macros unexpanded, and below them condor's
 * defaults. Remembers which settings were looked up. Not thread-safe.
 */
final class MacroTable {

    private static final class Setting {
        final String name;
        String value = "";
        int line;
        boolean used;

        Setting(String name) {
            this.name = name;
        }
    }

    private final SettingObserver observer;

    private final TreeMap<String, Setting> settings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeMap<String, String> defaults = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** The name under which a setting was found last, by its main name. */
    private final TreeMap<String, String> foundAs = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** @param observer receiver of each setting as it is made */
    MacroTable(SettingObserver observer) {
        this.observer = observer;
    }

    void put(String name, String value, String file, int line) {
        observer.set(name, file, line);
        Setting setting = settings.computeIfAbsent(name, Setting::new);
        setting.value = value;
        setting.line = line;
    }

    /** Puts a variable of the queue statement, which counts as used. */
    void putLive(String name, String value) {
        put(name, value, "", 0);
        lookup(name);
    }

    void putDefault(String name, String value) {
        defaults.put(name, value);
    }

    /** The value of a setting, which counts as used from now on, or its default, or null. */
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

    /** Notes under which name a setting was found, which may be another one than its main name. */
    void foundAs(String name, String main) {
        foundAs.put(main, name);
    }

    /** The line on which the setting stands, under this name or the one under which it was found; 0 if unknown. */
    int line(String name) {
        Setting setting = settings.getOrDefault(name, settings.get(foundAs.getOrDefault(name, name)));
        return setting == null ? 0 : setting.line;
    }

    /** All names that the description gives, in order of the alphabet, as first written. */
    List<String> names() {
        return settings.values().stream().map(setting -> setting.name).toList();
    }

    /** {@code name = value} of the settings that were not used; names with a dot are never looked at by name. */
    List<String> unused() {
        return settings.values().stream()
                .filter(setting -> !setting.used && setting.name.indexOf('.') < 0)
                .map(setting -> setting.name + " = " + setting.value)
                .toList();
    }
}
