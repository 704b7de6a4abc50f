package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.dag.binding.BindingRecord.Origin;

class RebindPolicyTest {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final BindingRecord RECORD = new BindingRecord(
            new Origin("/dags", "group.dag", ""),
            "wisc",
            0,
            1,
            Map.of(),
            Map.of(),
            List.of(),
            InputStaging.LINK,
            false,
            List.of());

    @TempDir
    private Path bound;

    @BeforeEach
    void boundTwoHoursAgo() throws Exception {
        Path record = Files.writeString(bound.resolve(BindingRecord.FILE), "{}");
        Files.setLastModifiedTime(record, FileTime.from(NOW.minusSeconds(7200)));
    }

    @Test
    void itSeesHowLongAgoTheDagWasBound() throws Exception {
        assertThat(isDue("BoundSeconds >= 7200")).isTrue();
        assertThat(isDue("BoundSeconds > 7200")).isFalse();
    }

    @Test
    void itSeesHowFarTheDagCame() throws Exception {
        assertThat(isDue("Progress == \"bound\"")).isTrue();

        Files.writeString(bound.resolve("group.dag.dagman.out"), "");

        assertThat(isDue("Progress == \"stopped\"")).isTrue();
    }

    @Test
    void itSeesWhetherTheSiteIsAdvertisedAndHowLongItIsSilent() throws Exception {
        ClassAd other = ClassAd.EMPTY.with("Name", "fzj");
        ClassAd site = ClassAd.EMPTY
                .with("Name", "WISC")
                .with("MyCurrentTime", NOW.getEpochSecond() - 300)
                .with("Load", 5L);

        assertThat(isDue("!SiteAdvertised && SiteSilentSeconds > 1000000", other))
                .isTrue();
        assertThat(isDue("SiteAdvertised && SiteSilentSeconds == 300 && TARGET.Load == 5", other, site))
                .isTrue();
    }

    @Test
    void whatIsNotKnownIsNoReason() throws Exception {
        assertThat(isDue("TARGET.Load > 5")).isFalse();
        assertThat(isDue("1 / 0")).isFalse();
        assertThatThrownBy(() -> RebindPolicy.parse("BoundSeconds >")).isInstanceOf(ClassAdSyntaxException.class);
    }

    private boolean isDue(String policy, ClassAd... ads) throws Exception {
        return RebindPolicy.parse(policy).isDue(bound, RECORD, List.of(ads), NOW);
    }
}
