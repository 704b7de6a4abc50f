package org.metasched.adapter.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Settings;

/** Settings that take the value of each key from other settings. */
public interface DerivedSettings extends Settings {

    /** The settings from which the key's value is taken. */
    Settings from(String key);

    @Override
    default Optional<String> text(String key) {
        return from(key).text(key);
    }

    @Override
    default Optional<Path> secretFile(String key) {
        return from(key).secretFile(key);
    }

    @Override
    default Optional<Integer> number(String key) {
        return from(key).number(key);
    }

    @Override
    default Optional<Boolean> flag(String key) {
        return from(key).flag(key);
    }

    @Override
    default Optional<Duration> duration(String key) {
        return from(key).duration(key);
    }

    @Override
    default List<String> texts(String key) {
        return from(key).texts(key);
    }

    @Override
    default Optional<Settings> section(String key) {
        return from(key).section(key);
    }

    @Override
    default List<Settings> sections(String key) {
        return from(key).sections(key);
    }

    @Override
    default InvalidSettingException invalid(String key, String problem) {
        return from(key).invalid(key, problem);
    }
}
