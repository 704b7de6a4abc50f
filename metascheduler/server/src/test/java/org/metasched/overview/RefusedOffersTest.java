package org.metasched.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementHistory;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.OfferService;
import org.metasched.fakes.TestGrid;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Quotas;
import org.metasched.trust.Subject;

/** A person who may see none of many refused offers costs few reads. */
class RefusedOffersTest {

    private static final int MANY = 1000;

    private final TestGrid grid = new TestGrid().site("fzj", 1);
    private final AtomicInteger reads = new AtomicInteger();
    private final Authorizer guard =
            new Authorizer(new AccessPolicy(People.CLOSED, List.of()), Quotas.NONE, AuditLog.NONE);

    @AfterEach
    void close() {
        grid.close();
    }

    private OfferService service() {
        var books = grid.memory.books();
        var history = (AgreementHistory) Proxy.newProxyInstance(
                AgreementHistory.class.getClassLoader(),
                new Class<?>[] {AgreementHistory.class},
                (proxy, method, arguments) -> {
                    reads.incrementAndGet();
                    return method.invoke(books.history(), arguments);
                });
        for (int i = 1; i <= MANY; i++) {
            books.history()
                    .refuse(new RefusedOffer(
                            0,
                            grid.clock.instant(),
                            new OfferKey("/CN=alice", "o" + i),
                            RefusalCode.TOO_LATE,
                            "Too late.",
                            List.of()));
        }
        return grid.books(new AgreementBooks(
                        books.agreements(),
                        books.offerLocks(),
                        books.due(),
                        history,
                        books.retention(),
                        books.negotiations(),
                        books.journal(),
                        books.transactions()))
                .start()
                .service;
    }

    private Instant now() {
        return grid.clock.instant();
    }

    private static Authorizer.Call of(String name) {
        return new Authorizer.Call(Subject.ofCertificate(name), "GET /console/refused", "");
    }

    @Test
    void oneOfferIsOneRead() {
        var service = service();

        assertThat(RefusedOffers.find(service, guard, of("/CN=alice"), now(), MANY))
                .isPresent();
        assertThat(RefusedOffers.find(service, guard, of("/CN=bob"), now(), MANY))
                .isEmpty();
        assertThat(RefusedOffers.find(service, guard, of("/CN=alice"), now(), MANY + 1L))
                .isEmpty();
        assertThat(reads).hasValue(3);
    }

    @Test
    void aShortPageIsReadInLargeSteps() {
        var service = service();

        var page = RefusedOffers.seen(service, guard, of("/CN=bob"), now(), "", 1);

        assertThat(page.shown()).isEmpty();
        assertThat(page.next()).isEmpty();
        assertThat(reads).hasValueLessThanOrEqualTo(MANY / 100);
        assertThat(RefusedOffers.seen(service, guard, of("/CN=alice"), now(), "", 2)
                        .next())
                .contains(MANY - 1L);
    }
}
