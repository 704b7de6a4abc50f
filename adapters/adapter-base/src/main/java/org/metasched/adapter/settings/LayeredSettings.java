package org.metasched.adapter.settings;

import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.Settings;

/**
 * The user's settings over defaults: a key of the user's replaces the whole default, also where its value is a mapping. Immutable if both
 * are.
 *
 * @param own the user's settings
 * @param defaults settings for the keys that are missing there
 * @param shared keys that the user gave among the defaults, so that {@link #allowOnly} checks them too
 */
public record LayeredSettings(Settings own, Settings defaults, Set<String> shared) implements DerivedSettings {

    public LayeredSettings(Settings own, Settings defaults) {
        this(own, defaults, Set.of());
    }

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
    public void allowOnly(Set<String> known) {
        own.allowOnly(known);
        for (String key : shared) {
            boolean isUnknown = defaults.keys().contains(key) && !known.contains(key);
            defaults.refuseIf(isUnknown, key, "this type of scheduler does not have the setting");
        }
    }

    @Override
    public Settings from(String key) {
        return own.keys().contains(key) || !defaults.keys().contains(key) ? own : defaults;
    }
}
