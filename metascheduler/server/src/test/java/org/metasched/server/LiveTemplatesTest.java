package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.client.TemplateBounds;

/** The template follows what the sites advertise. */
class LiveTemplatesTest {

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-05T08:00:00Z"));
    private final InMemoryCollector collector = new InMemoryCollector(clock);
    private final LiveTemplates templates = new LiveTemplates(
            List.of(new SiteId("fzj"), new SiteId("scai"), new SiteId("cesca")),
            new CollectorView(collector),
            List::of,
            clock);

    @Test
    void namesNoBoundBeforeASiteHasTold() {
        assertThat(bounds()).contains("Nodes: at least 1").doesNotContain("at most");
    }

    @Test
    void followsTheSizesThatTheAdsTell() throws Exception {
        advertise("fzj", 64);
        advertise("scai", 32);
        clock.advance(Duration.ofSeconds(6));
        assertThat(bounds()).contains("Nodes: at least 1\n", "Nodes at fzj: at most 64", "Nodes at scai: at most 32");

        advertise("cesca", 64);
        clock.advance(Duration.ofSeconds(6));
        assertThat(bounds()).contains("Nodes: at least 1, at most 64", "Nodes at cesca, fzj: at most 64");

        advertise("scai", 16);
        clock.advance(Duration.ofSeconds(6));
        assertThat(bounds()).contains("Nodes at scai: at most 16");
    }

    @Test
    void isTheSameDocumentWhileNothingChanges() throws Exception {
        advertise("fzj", 64);
        clock.advance(Duration.ofSeconds(6));
        var before = templates.get();
        clock.advance(Duration.ofSeconds(6));

        assertThat(templates.get()).isSameAs(before);
    }

    private void advertise(String site, int nodes) throws Exception {
        collector.advertise(ClassAd.parse("[MyType = \"Machine\"; Name = \"" + site + "\"; Site = \"" + site
                + "\"; MaxMatches = 4; CurMatches = 0; TotalNodes = " + nodes + "; ClassAdLifetime = 900]"));
    }

    private String bounds() {
        var text = new StringBuilder();
        TemplateBounds.of(templates.get().get(0).document())
                .forEach((item, words) ->
                        text.append(item).append(": ").append(words).append('\n'));
        return text.toString().replaceAll("Minutes: .*\n", "");
    }
}
