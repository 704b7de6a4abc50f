package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.choice.Preference;
import org.metasched.client.AgreementView;
import org.metasched.client.OfferWriter;
import org.metasched.it.DoorWorld.Site;
import org.metasched.it.PlainChoice.Figures;
import org.metasched.it.PlainChoice.Part;

/**
 * Open offers at the door of a server process whose sites are taken at random: each grant is as good as the best of all assignments and
 * starts, by start, rank and cost, and each refusal is of an offer that has none. Each grant is taken for the next offers.
 */
@Tag("full")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class DoorOracleIT {

    private static final int OFFERS = Integer.getInteger("metasched.door.offers", 60);
    private static final Duration DAY = Duration.ofHours(24);
    private static final List<String> REGIONS = List.of("north", "south", "east", "west");

    private final DoorWorld world = new DoorWorld();

    @TempDir
    private Path folder;

    /** Words of a part's requirements, and what they mean. */
    private record Wish(String words, Predicate<Site> holds) {}

    private record RankWish(Optional<String> words, ToDoubleFunction<Site> rank) {}

    /** An offer, and how the oracle reads it. */
    private record Case(ServerDoor.Offer offer, List<Part> parts) {
        long seconds() {
            return offer.duration().toSeconds();
        }

        @Override
        public String toString() {
            return offer.toString();
        }
    }

    @ParameterizedTest
    @CsvSource({"12, 1", "40, 2", "60, 3"})
    void offersGetTheBestPlanThereIs(int sites, long seed) throws Exception {
        var random = new Random(seed);
        for (int i = 0; i < sites; i++) {
            world.add(new Site(
                    "s" + i,
                    4 + random.nextInt(60),
                    random.nextInt(8),
                    random.nextInt(5),
                    REGIONS.get(random.nextInt(REGIONS.size()))));
        }
        try (var server = ServerProcess.start(world.configuration(folder))) {
            var door = new ServerDoor(server.awaitReady());
            door.awaitAds(sites);
            var from = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(3));
            world.fill(door, random, 8, 8, from, Duration.ofHours(12));
            int refused = 0;
            for (int i = 0; i < OFFERS; i++) {
                var one = i % 10 == 9 ? hopeless(random) : offer(random, from);
                boolean isGranted =
                        judge("%d sites, seed %d, offer %d: %s".formatted(sites, seed, i, one), door, i, one);
                refused += isGranted ? 0 : 1;
            }
            System.out.printf("%d sites, seed %d: %d offers, %d refused%n", sites, seed, OFFERS, refused);
            assertThat(refused).isBetween(Math.max(1, OFFERS / 10), OFFERS / 2);
        }
    }

    /** Whether the offer was granted. */
    private boolean judge(String what, ServerDoor door, int number, Case one) throws Exception {
        var best = new PlainChoice(world, one.parts, one.seconds(), one.offer.preference())
                .best(one.offer.earliest().getEpochSecond(), one.offer.lastStart(DAY));
        var answer = number % 2 == 0 ? door.soap("oracle-" + number, one.offer) : door.rest(one.offer);
        if (answer.agreement().isEmpty()) {
            assertThat(best).as("%s\nrefused: %s", what, answer.refusal()).isEmpty();
            assertThat(answer.refusal())
                    .as(what)
                    .containsAnyOf("NO_COMMON_SLOT", "NO_MATCHING_SITE", "PREVIEW_WINDOW_EXCEEDED");
            return false;
        }
        var granted = door.view(answer);
        assertThat(figures(one, granted)).as("%s\ngranted: %s", what, granted).isEqualTo(best);
        world.take(granted);
        return true;
    }

    /** Figures of a grant, whose parts stand in the order of the offer's. */
    private Optional<Figures> figures(Case one, AgreementView granted) {
        var figures = new Figures(granted.start().orElseThrow().getEpochSecond(), 0, 0);
        assertThat(granted.sites()).hasSameSizeAs(one.parts);
        for (int i = 0; i < one.parts.size(); i++) {
            var part = one.parts.get(i);
            var held = granted.sites().get(i);
            var site = world.site(held.site());
            assertThat(held.amount()).isEqualTo(part.nodes());
            assertThat(held.start().getEpochSecond()).isEqualTo(figures.start());
            assertThat(Duration.between(held.start(), held.end())).isEqualTo(one.offer.duration());
            assertThat(part.site()
                            .map(site.name()::equals)
                            .orElseGet(() -> part.suits().test(site)))
                    .isTrue();
            assertThat(i == 0
                            || part.beside()
                                    .test(world.site(granted.sites().get(i - 1).site()), site))
                    .isTrue();
            figures = figures.plus(PlainChoice.rank(part, site), PlainChoice.cost(part, site, one.seconds()));
        }
        return Optional.of(figures);
    }

    private Case offer(Random random, Instant from) {
        int count = List.of(1, 2, 4).get(random.nextInt(3));
        var duration = Duration.ofMinutes(15L * (1 + random.nextInt(16)));
        var earliest = from.plus(Duration.ofMinutes(random.nextInt(9 * 60)));
        Optional<Instant> deadline = random.nextInt(3) == 0
                ? Optional.of(earliest.plus(duration).plus(Duration.ofMinutes(random.nextInt(90))))
                : Optional.empty();
        var written = new ArrayList<OfferWriter.Part>();
        var read = new ArrayList<Part>();
        boolean alike = random.nextInt(3) == 0;
        // Two parts that name one site are tried, not planned: they are left out.
        for (int i = 0; i < count; i++) {
            if (alike && i > 0 && read.get(0).site().isEmpty()) {
                written.add(written.get(0));
                read.add(read.get(0));
            } else {
                part(random, i, written, read);
            }
        }
        var preference = Preference.values()[random.nextInt(3)];
        return new Case(new ServerDoor.Offer(written, duration, earliest, deadline, preference), read);
    }

    /** An offer that needs each of the largest sites, at an instant at which one of them is taken. */
    private Case hopeless(Random random) {
        var taken = world.sites().stream()
                .sorted(Comparator.comparing(Site::nodes).reversed())
                .limit(4)
                .filter(site -> !site.taken().isEmpty())
                .toList();
        var site = taken.get(random.nextInt(taken.size()));
        int nodes = site.nodes();
        int count =
                (int) world.sites().stream().filter(one -> one.nodes() >= nodes).count();
        var start = Instant.ofEpochSecond(
                site.taken().get(random.nextInt(site.taken().size())).start());
        var duration = Duration.ofMinutes(15);
        var written = ServerDoor.open("true", Optional.empty(), nodes);
        var read = new Part(Optional.empty(), one -> one.nodes() >= nodes, any -> 0, nodes, (one, other) -> true);
        return new Case(
                new ServerDoor.Offer(
                        Collections.nCopies(count, written),
                        duration,
                        start,
                        Optional.of(start.plus(duration)),
                        Preference.START),
                Collections.nCopies(count, read));
    }

    private void part(Random random, int number, List<OfferWriter.Part> written, List<Part> read) {
        int nodes = 1 + random.nextInt(random.nextBoolean() ? 8 : 40);
        var named = world.sites().get(random.nextInt(world.sites().size()));
        if (random.nextInt(6) == 0
                && read.stream()
                        .noneMatch(
                                one -> one.site().filter(named.name()::equals).isPresent())) {
            int some = 1 + random.nextInt(named.nodes());
            written.add(ServerDoor.named(named.name(), some));
            read.add(new Part(Optional.of(named.name()), any -> true, any -> 0, some, (one, other) -> true));
            return;
        }
        var wish = wish(random);
        var rank = rank(random);
        boolean besideOpen = number > 0
                && random.nextInt(3) == 0
                && read.stream().allMatch(one -> one.site().isEmpty());
        boolean same = random.nextBoolean();
        String beside = besideOpen ? " && Region " + (same ? "==" : "!=") + " part" + (number - 1) + ".Region" : "";
        written.add(ServerDoor.open("(" + wish.words + ")" + beside, rank.words, nodes));
        read.add(new Part(
                Optional.empty(),
                site -> site.nodes() >= nodes && wish.holds.test(site),
                rank.rank,
                nodes,
                (one, other) -> !besideOpen || one.region().equals(other.region()) == same));
    }

    private static Wish wish(Random random) {
        int least = random.nextInt(8);
        String region = REGIONS.get(random.nextInt(REGIONS.size()));
        return switch (random.nextInt(4)) {
            case 0 -> new Wish("true", site -> true);
            case 1 -> new Wish("Speed >= " + least, site -> site.speed() >= least);
            case 2 ->
                new Wish("Region == \"" + region + "\"", site -> site.region().equals(region));
            default ->
                new Wish(
                        "TotalNodes >= " + 6 * least + " || Region == \"" + region + "\"",
                        site -> site.nodes() >= 6 * least || site.region().equals(region));
        };
    }

    private static RankWish rank(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new RankWish(Optional.empty(), site -> 0);
            case 1 -> new RankWish(Optional.of("Speed"), Site::speed);
            default -> new RankWish(Optional.of("2 * TotalNodes - Speed"), site -> 2.0 * site.nodes() - site.speed());
        };
    }
}
