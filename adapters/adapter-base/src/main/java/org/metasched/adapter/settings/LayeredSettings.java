package org.metasched.adapter.settings;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Settings;

/**
 * Settings over defaults: a key that the first one has hides the other's, mappings too. Immutable if both are.
 *
 * @param own what somebody wrote
 * @param defaults what holds otherwise
 */
public record LayeredSettings(Settings own, Settings defaults) implements Settings {

    @Override
    public String where() {
        return own.where();
    }

    @Override
    public Set<String> keys() {
        var all = new TreeSet<>(defaults.keys());
        all.addAll(own.keys());
        return all;
    }

    @Override
    public Optional<String> text(String key) {
        return either(key, s -> s.text(key));
    }

    @Override
    public Optional<Integer> number(String key) {
        return either(key, s -> s.number(key));
    }

    @Override
    public Optional<Boolean> flag(String key) {
        return either(key, s -> s.flag(key));
    }

    @Override
    public Optional<Duration> duration(String key) {
        return either(key, s -> s.duration(key));
    }

    @Override
    public List<String> texts(String key) {
        return either(key, s -> s.texts(key));
    }

    @Override
    public Optional<Settings> section(String key) {
        return either(key, s -> s.section(key));
    }

    @Override
    public List<Settings> sections(String key) {
        return either(key, s -> s.sections(key));
    }

    @Override
    public void allowOnly(Set<String> known) {
        own.allowOnly(known);
    }

    @Override
    public InvalidSettingException invalid(String key, String problem) {
        return either(key, s -> s.invalid(key, problem));
    }

    private <T> T either(String key, Function<Settings, T> reader) {
        return reader.apply(own.keys().contains(key) || !defaults.keys().contains(key) ? own : defaults);
    }
}
