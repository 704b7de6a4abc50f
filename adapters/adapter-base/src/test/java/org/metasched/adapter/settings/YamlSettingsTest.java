package org.metasched.adapter.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.catalog.SiteConfiguration;

class YamlSettingsTest {

    private static final String SITE = """
            site: fzj
            scheduler:
              type: pbs
              nodes: 64
              whole: true
              timeout: 90s
              path: [/opt/pbs/bin, /usr/bin]
              one: alone
              links:
                - to: scai
                - to: cesca
            """;

    @Test
    void readsEachKindOfValue() {
        var settings =
                YamlSettings.parse("site.yaml", SITE).section("scheduler").orElseThrow();

        assertThat(settings.text("type")).contains("pbs");
        assertThat(settings.number("nodes")).contains(64);
        assertThat(settings.flag("whole")).contains(true);
        assertThat(settings.texts("path")).containsExactly("/opt/pbs/bin", "/usr/bin");
        assertThat(settings.texts("one")).containsExactly("alone");
        assertThat(settings.sections("links"))
                .extracting(s -> s.requiredText("to"))
                .containsExactly("scai", "cesca");
        assertThat(settings.text("absent")).isEmpty();
        assertThat(settings.where()).isEqualTo("site.yaml:3:3");
    }

    @ParameterizedTest
    @CsvSource({"90s,PT90S", "5m,PT5M", "2h,PT2H", "7d,PT168H", "250ms,PT0.25S", "PT1H30M,PT1H30M"})
    void readsDurations(String written, String meant) {
        assertThat(YamlSettings.parse("f", "d: " + written).duration("d")).contains(Duration.parse(meant));
    }

    @Test
    void saysWhereAValueIsOfAnotherKind() {
        var settings =
                YamlSettings.parse("site.yaml", SITE).section("scheduler").orElseThrow();

        assertThatThrownBy(() -> settings.number("type"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("site.yaml:3:9: the setting 'type' must be a whole number, not (pbs)");
        assertThatThrownBy(() -> settings.text("path")).hasMessageStartingWith("site.yaml:7:9: ");
        assertThatThrownBy(() -> settings.duration("nodes")).hasMessageContaining("must be a duration such as 30s");
        assertThatThrownBy(() -> settings.flag("nodes")).hasMessageContaining("true or false");
        assertThatThrownBy(() -> settings.requiredText("absent"))
                .hasMessage("site.yaml:3:3: the setting 'absent' is missing here.");
    }

    @Test
    void namesTheNearestKey() {
        var settings = YamlSettings.parse("site.yaml", "look-ahaed: 7d\n");

        assertThatThrownBy(() -> settings.allowOnly(Set.of("look-ahead", "zone")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("site.yaml:1:1: there is no setting 'look-ahaed' here")
                .hasMessageEndingWith("\nMaybe 'look-ahead' was meant.");
    }

    @Test
    void refusesAKeyThatComesTwice() {
        assertThatThrownBy(() -> YamlSettings.parse("f", "a: 1\nb: 2\na: 3\n")).hasMessageStartingWith("f:3:1: ");
    }

    @Test
    void saysWhereItIsNotYaml() {
        assertThatThrownBy(() -> YamlSettings.parse("f", "a: [1, 2\nb: 3\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageMatching("(?s)f:\\d+:\\d+: this is not YAML.*");
        assertThatThrownBy(() -> YamlSettings.parse("f", "- a\n")).hasMessageContaining("expected a mapping");
        assertThatThrownBy(() -> YamlSettings.parse("f", "")).hasMessageContaining("empty");
    }

    @Test
    void boundsSizeDepthAndAliases() {
        String bomb = "a: &a [x, x]\n" + "b: [" + "*a, ".repeat(100) + "x]\n";
        assertThatThrownBy(() -> YamlSettings.parse("f", bomb)).isInstanceOf(InvalidSettingException.class);
        assertThatThrownBy(() -> YamlSettings.parse("f", "a: " + "[".repeat(200) + "]".repeat(200)))
                .isInstanceOf(InvalidSettingException.class);
        assertThatThrownBy(() -> YamlSettings.parse("f", "a: " + "x".repeat(2 << 20)))
                .isInstanceOf(InvalidSettingException.class);
        assertThatThrownBy(() -> YamlSettings.parse("f", "a: &a {b: *a}\n"))
                .isInstanceOf(InvalidSettingException.class);
    }

    @Test
    void constructsNothingFromATag() {
        var settings = YamlSettings.parse("f", "a: !!javax.script.ScriptEngineManager [x]\n");

        assertThat(settings.texts("a")).containsExactly("x");
    }

    @Test
    void looksUpSharedSettingsBesideTheScheduler() {
        var file = YamlSettings.parse(
                "site.yaml", "site: fzj\nzone: Europe/Berlin\nscheduler:\n  type: pbs\n  zone: UTC\n");
        var other = YamlSettings.parse("site.yaml", "site: fzj\nzone: Europe/Berlin\nscheduler:\n  type: pbs\n");

        assertThat(SiteConfiguration.from(file).scheduler().text("zone")).contains("UTC");
        assertThat(SiteConfiguration.from(other).scheduler().text("zone")).contains("Europe/Berlin");
        assertThatThrownBy(() -> SiteConfiguration.from(other).scheduler().allowOnly(Set.of("type")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("zone");
    }
}
