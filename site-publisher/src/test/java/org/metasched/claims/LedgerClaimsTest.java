package org.metasched.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.publisher.Claims;
import org.metasched.publisher.Evidence.Sight;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchLedger;

class LedgerClaimsTest {

    @TempDir
    private Path folder;

    @Test
    void matchesOfOthersAreABaseLineUnderItsOwn() throws Exception {
        var claims = claims();
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=2; MaxMatches=4]");
        assertThat(claims.take(counted(claims, ad), "/dags/1", 1)).isPresent();

        ClassAd counted = counted(claims, ad);

        assertThat(counted.evaluate("CurMatches").print()).isEqualTo("3");
        assertThat(claims.take(counted, "/dags/2", 1)).isPresent();
        assertThat(claims.take(counted, "/dags/3", 1)).isEmpty();
    }

    @Test
    void anAdFromThisLedgerHasItsMatchesAlready() throws Exception {
        var claims = claims();
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=1; MaxMatches=2]")
                .with(LedgerClaims.SOURCE, LedgerClaims.whereOf(folder));
        assertThat(claims.take(counted(claims, ad), "/dags/1", 1)).isPresent();

        assertThat(counted(claims, ad).evaluate("CurMatches").print()).isEqualTo("1");
        assertThat(claims.take(counted(claims, ad), "/dags/2", 1)).isPresent();
        assertThat(claims.take(counted(claims, ad), "/dags/3", 1)).isEmpty();
    }

    @Test
    void anAdFromAnotherLedgerCountsMatchesOfOthers() throws Exception {
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=2; MaxMatches=2]")
                .with(LedgerClaims.SOURCE, LedgerClaims.whereOf(folder.resolve("another")));

        assertThat(claims().take(counted(claims(), ad), "/dags/1", 1)).isEmpty();
    }

    @Test
    void aSiteWithoutALimitIsNeverFullAndItsAdStaysAsItIs() throws Exception {
        var claims = claims();
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=9]");

        assertThat(counted(claims, ad)).isSameAs(ad);
        assertThat(claims.take(ad, "/dags/1", 1)).isPresent();
    }

    @Test
    void aMatchIsKeptOrGivenBackOnce() throws Exception {
        var claims = claims();
        ClassAd ad = counted(claims, ClassAd.parse("[Name=\"wisc\"; MaxMatches=1]"));
        String match = claims.take(ad, "/dags/1", 1).orElseThrow();

        assertThat(claims.settle(match, true)).isTrue();
        assertThat(claims.take(ad, "/dags/2", 1)).isEmpty();
        assertThat(claims.settle(match, false)).isTrue();
        assertThat(claims.settle(match, false)).isFalse();
        assertThat(claims.settle(UUID.randomUUID().toString(), true)).isFalse();
        assertThat(claims.take(ad, "/dags/2", 1)).isPresent();
    }

    @Test
    void aMatchWithoutANameIsNamed() throws Exception {
        var claims = claims();

        assertThatThrownBy(() -> claims.settle("none", false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The match (none) that the DAG's note names is none.");
    }

    @Test
    void bindersOfTheSameFileCountInTheSamePlace() throws Exception {
        Path file = Files.writeString(folder.resolve("my sites.ads"), "");
        Path other = Files.writeString(folder.resolve("other.ads"), "");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        List<ClassAd> ads = List.of(ClassAd.parse("[Name=\"wisc\"]"));

        Path place = LedgerClaims.placeFor(ads, file, folder);

        assertThat(place.getParent()).isEqualTo(folder);
        assertThat(place.getFileName().toString()).startsWith("my_sites.ads-");
        assertThat(LedgerClaims.placeFor(ads, link.resolve("my sites.ads"), folder))
                .isEqualTo(place);
        assertThat(LedgerClaims.placeFor(ads, other, folder)).isNotEqualTo(place);
        assertThatThrownBy(() -> LedgerClaims.placeFor(ads, folder.resolve("missing"), folder))
                .isInstanceOf(IOException.class);
    }

    @Test
    void adsThatWerePublishedFromALedgerAreCountedThere() throws Exception {
        Path published = folder.resolve("published");
        var ad = ClassAd.parse("[Name=\"wisc\"]").with(LedgerClaims.SOURCE, LedgerClaims.whereOf(published));

        assertThat(LedgerClaims.placeFor(List.of(ad), folder.resolve("missing"), folder))
                .isEqualTo(published);
    }

    /** A binding read and locked the ledger once for each ad of a site. */
    @Test
    void theLedgerIsReadOnceForAllAds() throws Exception {
        var ledger = new ReadLedger(new MatchLedger(folder, Clock.systemUTC(), match -> Sight.MISSING));
        var claims = new LedgerClaims(folder, ledger);
        var ads = new ArrayList<ClassAd>();
        for (int i = 0; i < 50; i++) {
            ads.add(ClassAd.parse("[Name=\"Site" + i + "\"; MaxMatches=3]"));
        }
        assertThat(claims.take(ads.get(7), "/dags/1", 1)).isPresent();
        assertThat(ledger.reads).isZero();

        List<ClassAd> counted = claims.counted(ads);

        assertThat(ledger.reads).isOne();
        assertThat(counted.get(7).evaluate("CurMatches").print()).isEqualTo("1");
        assertThat(counted.get(8).evaluate("CurMatches").print()).isEqualTo("0");
    }

    private static final class ReadLedger implements Claims {
        private final Claims ledger;
        private int reads;

        private ReadLedger(Claims ledger) {
            this.ledger = ledger;
        }

        @Override
        public Optional<HeldMatch> take(Want want, int maxMatches) {
            return ledger.take(want, maxMatches);
        }

        @Override
        public boolean renew(UUID id) {
            return ledger.renew(id);
        }

        @Override
        public boolean confirm(UUID id) {
            return ledger.confirm(id);
        }

        @Override
        public boolean release(UUID id) {
            return ledger.release(id);
        }

        @Override
        public List<HeldMatch> held() {
            reads++;
            return ledger.held();
        }
    }

    private static ClassAd counted(LedgerClaims claims, ClassAd ad) {
        return claims.counted(List.of(ad)).get(0);
    }

    private LedgerClaims claims() throws IOException {
        return new LedgerClaims(folder, new MatchLedger(folder, Clock.systemUTC(), match -> Sight.MISSING));
    }
}
