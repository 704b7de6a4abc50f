package org.metasched.simulation.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Settings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.text.NearestKey;

/**
 * Settings of which some are altered, by dotted path, as a command line or a sweep does. A value is YAML. Immutable.
 *
 * @param path of this mapping in the file, empty for the whole
 * @param alterations by path from here
 */
record AlteredSettings(Settings own, String path, Map<String, String> alterations) implements Settings {

    static Settings of(Settings own, Map<String, String> alterations) {
        return alterations.isEmpty() ? own : new AlteredSettings(own, "", alterations);
    }

    private Optional<Settings> altered(String key) {
        return Optional.ofNullable(alterations.get(key))
                .map(value -> YamlSettings.parse("--set " + path + key + "=" + value, key + ": " + value));
    }

    private <T> T read(String key, Function<Settings, T> reader) {
        return reader.apply(altered(key).orElse(own));
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

    private static String first(String key) {
        int dot = key.indexOf('.');
        return dot < 0 ? key : key.substring(0, dot);
    }

    @Override
    public Optional<String> text(String key) {
        return read(key, s -> s.text(key));
    }

    @Override
    public Optional<Integer> number(String key) {
        return read(key, s -> s.number(key));
    }

    @Override
    public Optional<Boolean> flag(String key) {
        return read(key, s -> s.flag(key));
    }

    @Override
    public Optional<Duration> duration(String key) {
        return read(key, s -> s.duration(key));
    }

    @Override
    public List<String> texts(String key) {
        return read(key, s -> s.texts(key));
    }

    @Override
    public Optional<Settings> section(String key) {
        var deeper = new LinkedHashMap<String, String>();
        alterations.forEach((name, value) -> {
            if (name.startsWith(key + ".")) {
                deeper.put(name.substring(key.length() + 1), value);
            }
        });
        var section = read(key, s -> s.section(key));
        if (deeper.isEmpty()) {
            return section;
        }
        var inner = section.orElseGet(() -> YamlSettings.parse("--set " + path + key, "{}"));
        return Optional.of(new AlteredSettings(inner, path + key + ".", deeper));
    }

    @Override
    public List<Settings> sections(String key) {
        return read(key, s -> s.sections(key));
    }

    @Override
    public void allowOnly(Set<String> known) {
        own.allowOnly(known);
        for (var key : alterations.keySet()) {
            if (!known.contains(first(key))) {
                throw new InvalidSettingException("--set " + path + key + ": there is no setting '" + first(key)
                        + "' there; known are " + String.join(", ", new TreeSet<>(known))
                        + NearestKey.of(first(key), known)
                                .map(nearest -> "\nMaybe '" + nearest + "' was meant.")
                                .orElse(""));
            }
        }
    }

    @Override
    public InvalidSettingException invalid(String key, String problem) {
        return read(key, s -> s.invalid(key, problem));
    }
}
