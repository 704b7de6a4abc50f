package org.metasched.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.fakes.TestGrid;
import org.metasched.http.OutboundPolicy;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseStore;
import org.metasched.matches.OwnMatches;
import org.metasched.notice.AgreementNotices;
import org.metasched.notice.NoticeCall;
import org.metasched.outbox.Outbox;
import org.metasched.overview.AdvertisedAds;
import org.metasched.overview.DocumentOffers;
import org.metasched.overview.MatchService;
import org.metasched.overview.SiteQuery;
import org.metasched.sites.SiteDirectory;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;
import org.metasched.subscription.SubscriptionStore;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ClientCredentials;

class ApiContractTest {

    @Test
    void theContractHasEachRouteAndNoOther() throws Exception {
        try (var grid = new TestGrid().site("fzj", 1);
                var database = Database.open(new DatabaseSettings("jdbc:h2:mem:contract", "", "", 2))) {
            var started = grid.start();
            var ads = nothing(AdvertisedAds.class);
            var sites = new SiteQuery(started.calls, ads);
            var resources = new ApiResources(started.service, sites, ads, Authorizer.OPEN, Clock.systemUTC());
            var matches = new MatchRoutes(
                    nothing(MatchService.class),
                    new OwnMatches(nothing(LeaseStore.class), Lease::owner, Authorizer.OPEN),
                    Authorizer.OPEN);
            var offers = new JsonOffers(started.service, nothing(DocumentOffers.class));
            var agreements = new AgreementRoutes(started.service, offers, Authorizer.OPEN, grid.clock);
            var servlet = new ApiServlet(
                    Authorizer.OPEN,
                    List.of(
                            resources.routes(),
                            matches.routes(),
                            agreements.routes(),
                            new EventRoutes(started.service, Authorizer.OPEN, new EventWatchers()).routes(),
                            notices(started, database.subscriptions()).routes()));
            var written = new ArrayList<String>();
            var ids = new ArrayList<String>();
            ApiServlet.contract()
                    .path("paths")
                    .fields()
                    .forEachRemaining(path -> path.getValue().fields().forEachRemaining(operation -> {
                        written.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                        ids.add(operation.getValue().path("operationId").asText());
                    }));

            assertThat(servlet.routes)
                    .extracting(route -> route.method() + " " + ApiServlet.BASE + route.path())
                    .containsExactlyInAnyOrderElementsOf(written);
            assertThat(ids).doesNotContain("").doesNotHaveDuplicates();
        }
    }

    private static NoticeRoutes notices(TestGrid.Started started, SubscriptionStore store) {
        var clock = Clock.systemUTC();
        var call = new NoticeCall(OutboundPolicy.STRICT, ClientCredentials.ANONYMOUS, Optional.empty(), clock);
        var notices = new AgreementNotices(store, nothing(Outbox.class), call, clock);
        return new NoticeRoutes(started.service, notices, nothing(SiteDirectory.class), Authorizer.OPEN);
    }

    /** Of an interface that no route calls before it is asked. */
    private static <T> T nothing(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
                    throw new UnsupportedOperationException(method.getName());
                }));
    }
}
