package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.making.AgreementMaking.Sites;
import org.metasched.agreement.making.AgreementMaking.Terms;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.fakes.TestGrid;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;

/** Sites that a server's configuration does not name any more. */
class MissingSitesTest {

    @Test
    void aSiteThatIsNotConfiguredAnyMoreIsNamedWithItsAgreements() throws Exception {
        try (var grid = new TestGrid().site("fzj", 64).site("scai", 32)) {
            var started = grid.start();
            var here = ((Created) started.service.offer(grid.offer("here", 8, "scai"))).agreement();
            var both = ((Created) started.service.offer(grid.offer("both", 8, "fzj", "scai"))).agreement();
            assertThat(started.making.missingSites()).isEmpty();

            var left = new SiteCalls(
                    SiteDirectory.of(List.of(grid.at("scai"))), ForkJoinPool.commonPool(), Duration.ofSeconds(9), 9);
            var making = AgreementMaking.of(
                    grid.memory.books(),
                    new Sites(left, started.engine, started.sweeper),
                    new Terms(SiteSelector.NONE, started.making.levels(), List::of),
                    ForkJoinPool.commonPool(),
                    grid.clock);

            assertThat(making.missingSites())
                    .containsExactly("Site fzj is not configured, so its agreements stay as they are: 1, such as ["
                            + both.id() + "]")
                    .noneMatch(sentence -> sentence.contains(here.id().value()));
        }
    }
}
