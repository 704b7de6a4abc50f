package org.metasched.simulation.scenario;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Settings;
import org.metasched.adapter.settings.DerivedSettings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.text.NearestKey;

/**
 * Settings of which a command line or a sweep has altered some, by dotted path. A value is YAML. Immutable.
 *
 * @param own settings as the file has them
 * @param path path of this mapping in the file; empty for the whole
 * @param alterations new values, by path from this mapping
 */
record AlteredSettings(Settings own, String path, Map<String, String> alterations) implements DerivedSettings {

    @Override
    public Settings from(String key) {
        String value = alterations.get(key);
        return value == null ? own : YamlSettings.parse("--set " + path + key + "=" + value, key + ": " + value);
    }

    @Override
    public String where() {
        return own.where();
    }

    @Override
    public Set<String> keys() {
        var all = new LinkedHashSet<>(own.keys());
        alterations.keySet().forEach(key -> all.add(first(key)));
        return all;
    }

    /** The key of this mapping that begins a path: the longest one of the file, as names may have dots, or else up to the first dot. */
    private String first(String path) {
        return own.keys().stream()
                .filter(key -> path.equals(key) || path.startsWith(key + "."))
                .max(Comparator.comparingInt(String::length))
                .orElseGet(() -> path.replaceFirst("\\..*", ""));
    }

    @Override
    public Optional<Settings> section(String key) {
        var deeper = new LinkedHashMap<String, String>();
        alterations.forEach((name, value) -> {
            if (first(name).equals(key) && name.length() > key.length()) {
                deeper.put(name.substring(key.length() + 1), value);
            }
        });
        var section = from(key).section(key);
        if (deeper.isEmpty()) {
            return section;
        }
        var inner = section.orElseGet(() -> YamlSettings.parse("--set " + path + key, "{}"));
        return Optional.of(new AlteredSettings(inner, path + key + ".", deeper));
    }

    @Override
    public void allowOnly(Set<String> known) {
        own.allowOnly(known);
        for (var key : alterations.keySet()) {
            if (!known.contains(first(key))) {
                throw new InvalidSettingException("--set " + path + key + ": there is no setting '" + first(key)
                        + "' there; known are " + String.join(", ", new TreeSet<>(known))
                        + NearestKey.hint(first(key), known));
            }
        }
    }
}
