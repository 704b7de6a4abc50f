package org.metasched.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease.Claimant;

class CountedAdsTest {

    @TempDir
    private Path folder;

    @Test
    void matchesOfOthersAreABaseLineUnderItsOwn() throws Exception {
        var claims = claims();
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=2; MaxMatches=4]");
        assertThat(claims.acquire(request(counted(claims, ad), "/dags/1"))).isPresent();

        ClassAd counted = counted(claims, ad);

        assertThat(counted.evaluate("CurMatches").print()).isEqualTo("3");
        assertThat(claims.acquire(request(counted, "/dags/2"))).isPresent();
        assertThat(claims.acquire(request(counted, "/dags/3"))).isEmpty();
    }

    @Test
    void anAdFromThisLedgerHasItsMatchesAlready() throws Exception {
        var claims = claims();
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=1; MaxMatches=2]")
                .with(FileLeases.SOURCE, FileLeases.whereOf(folder));
        assertThat(claims.acquire(request(counted(claims, ad), "/dags/1"))).isPresent();

        assertThat(counted(claims, ad).evaluate("CurMatches").print()).isEqualTo("1");
        assertThat(claims.acquire(request(counted(claims, ad), "/dags/2"))).isPresent();
        assertThat(claims.acquire(request(counted(claims, ad), "/dags/3"))).isEmpty();
    }

    @Test
    void anAdFromAnotherLedgerCountsMatchesOfOthers() throws Exception {
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=2; MaxMatches=2]")
                .with(FileLeases.SOURCE, FileLeases.whereOf(folder.resolve("another")));

        assertThat(claims().acquire(request(counted(claims(), ad), "/dags/1"))).isEmpty();
    }

    @Test
    void aSiteWithoutALimitIsNeverFullAndItsAdStaysAsItIs() throws Exception {
        var claims = claims();
        ClassAd ad = ClassAd.parse("[Name=\"wisc\"; CurMatches=9]");

        assertThat(counted(claims, ad)).isSameAs(ad);
        assertThat(claims.acquire(request(ad, "/dags/1"))).isPresent();
    }

    @Test
    void aMatchIsKeptOrGivenBackOnce() throws Exception {
        var claims = claims();
        ClassAd ad = counted(claims, ClassAd.parse("[Name=\"wisc\"; MaxMatches=1]"));
        UUID match = claims.acquire(request(ad, "/dags/1")).orElseThrow();

        assertThat(claims.commit(match)).isTrue();
        assertThat(claims.acquire(request(ad, "/dags/2"))).isEmpty();
        assertThat(claims.release(match)).isTrue();
        assertThat(claims.release(match)).isFalse();
        assertThat(claims.commit(UUID.randomUUID())).isFalse();
        assertThat(claims.acquire(request(ad, "/dags/2"))).isPresent();
    }

    @Test
    void bindersOfTheSameFileCountInTheSamePlace() throws Exception {
        Path file = Files.writeString(folder.resolve("my sites.ads"), "");
        Path other = Files.writeString(folder.resolve("other.ads"), "");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        List<ClassAd> ads = List.of(ClassAd.parse("[Name=\"wisc\"]"));

        Path place = FileLeases.placeFor(ads, file, folder);

        assertThat(place.getParent()).isEqualTo(folder);
        assertThat(place.getFileName().toString()).startsWith("my_sites.ads-");
        assertThat(FileLeases.placeFor(ads, link.resolve("my sites.ads"), folder))
                .isEqualTo(place);
        assertThat(FileLeases.placeFor(ads, other, folder)).isNotEqualTo(place);
        assertThatThrownBy(() -> FileLeases.placeFor(ads, folder.resolve("missing"), folder))
                .isInstanceOf(IOException.class);
    }

    @Test
    void adsThatWerePublishedFromALedgerAreCountedThere() throws Exception {
        Path published = folder.resolve("published");
        var ad = ClassAd.parse("[Name=\"wisc\"]").with(FileLeases.SOURCE, FileLeases.whereOf(published));

        assertThat(FileLeases.placeFor(List.of(ad), folder.resolve("missing"), folder))
                .isEqualTo(published);
    }

    /** A binding read and locked the ledger once for each ad of a site. */
    @Test
    void theLedgerIsReadOnceForAllAds() throws Exception {
        var reads = new AtomicInteger();
        var claims = new FileLeases(folder, Clock.systemUTC(), lease -> {
            reads.incrementAndGet();
            return Sight.UNSEEN;
        });
        var ads = new ArrayList<ClassAd>();
        for (int i = 0; i < 50; i++) {
            ads.add(ClassAd.parse("[Name=\"Site" + i + "\"; MaxMatches=3]"));
        }
        ProcessMark here = ProcessMark.current();
        var died = new Claimant("ann@here", new ProcessMark(here.host(), here.pid(), here.began() + 1));
        assertThat(claims.acquire(new LeaseRequest("Site7", MatchRoom.of(ads.get(7)), "/dags/1", died, 1)))
                .isPresent();
        assertThat(reads).hasValue(0);

        List<ClassAd> counted = claims.counted(ads);

        assertThat(reads).hasValue(1);
        assertThat(counted.get(7).evaluate("CurMatches").print()).isEqualTo("1");
        assertThat(counted.get(8).evaluate("CurMatches").print()).isEqualTo("0");
    }

    private static ClassAd counted(FileLeases claims, ClassAd ad) {
        return claims.counted(List.of(ad)).get(0);
    }

    private static LeaseRequest request(ClassAd ad, String holder) {
        String site = ad.evaluate("Name") instanceof Value.Text name ? name.text() : "";
        return new LeaseRequest(site, MatchRoom.of(ad), holder, Claimant.here(), 1);
    }

    private FileLeases claims() {
        return new FileLeases(folder, Clock.systemUTC(), match -> Sight.MISSING);
    }
}
