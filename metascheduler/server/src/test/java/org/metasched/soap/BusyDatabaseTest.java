package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementBooks;
import org.metasched.fakes.TestGrid;
import org.metasched.http.PublicAddress;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;
import org.metasched.trust.Authentication;

@Tag("full")
class BusyDatabaseTest {

    @Test
    void anOfferForWhichItHasNoConnectionIsSentAwayAndTakenLater() throws Exception {
        String offer = WsagServer.golden("create-agreement.soap12.xml");
        var grid = new TestGrid().site("fzj", 64).site("scai", 32);
        var memory = grid.memory.books();
        try (var database = Database.open(new DatabaseSettings("jdbc:h2:mem:busy", "", "", 2));
                var responder = new WsagServer(
                        grid,
                        Authentication.NONE,
                        PublicAddress.NONE,
                        new AgreementBooks(
                                database.books().agreements(),
                                memory.offerLocks(),
                                memory.due(),
                                memory.history(),
                                memory.retention(),
                                memory.negotiations(),
                                memory.journal(),
                                database))) {
            var taken = new CountDownLatch(2);
            var free = new CountDownLatch(1);
            var others = Stream.generate(() -> new Thread(() -> database.inTransaction(() -> hold(taken, free))))
                    .limit(2)
                    .toList();
            others.forEach(Thread::start);
            taken.await();

            var refused = responder.post("AgreementFactory", offer);

            free.countDown();
            assertThat(refused.body()).contains(">BUSY<").doesNotContain("SERVICE_FAILED");
            assertThat(refused.headers().firstValue("Retry-After")).contains("5");
            assertThat(responder.agreements.newest(9)).isEmpty();
            for (var other : others) {
                other.join();
            }
            assertThat(responder.post("AgreementFactory", offer).statusCode()).isEqualTo(200);
        }
    }

    private static void hold(CountDownLatch taken, CountDownLatch free) {
        taken.countDown();
        try {
            free.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
