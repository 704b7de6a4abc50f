package org.metasched.example.lots;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SchedulerReservation;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputTable;
import org.metasched.slots.ComputeNode;

/** An adapter for the program {@code lot} with its commands {@code nodes, list, make, drop}. Thread-safe. */
public final class LotScheduler extends BookingScheduler {

    /** {@code scheduler: {type: lots, run: {path: [/opt/lots/bin]}}}. */
    public static final class Factory implements LocalSchedulerFactory {

        @Override
        public String type() {
            return "lots";
        }

        @Override
        public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
            settings.allowOnly(BookingScheduler.keysAnd());
            var usual = new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1));
            return new LotScheduler(CommandLineSite.from(site, settings, clock, usual), settings);
        }
    }

    private static final int TAKEN = 3;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]+");
    private static final long LAST_SECOND = SitePlan.NEVER.getEpochSecond();

    private LotScheduler(CommandLineSite site, Settings settings) {
        super(site, BookingRules.from(settings, Duration.ofMinutes(1)), settings);
    }

    private record Lot(String id, String name, TimeSlot slot, List<String> nodes) {

        static Lot of(NamedFields row) {
            Instant from = Instant.ofEpochSecond(row.number("from", 0, LAST_SECOND));
            Instant until = Instant.ofEpochSecond(row.number("until", from.getEpochSecond() + 1, LAST_SECOND + 1));
            List<String> nodes = List.of(row.text("nodes").split(","));
            return new Lot(row.text("id", WORD), row.text("name", WORD), new TimeSlot(from, until), nodes);
        }
    }

    private static ComputeNode node(NamedFields row) {
        return new ComputeNode(row.text("node", WORD), (int) row.number("cores", 1, Need.MOST), Set.of());
    }

    private CommandResult said(String... words) throws LocalSchedulerException {
        CommandResult result = commandLineSite().runner().run(List.of(words));
        if (result.ok()) {
            return result;
        }
        String message = "Site " + site() + ": " + result.words() + ".";
        throw result.exit() == TAKEN ? new Refused(message) : new Unreachable(message);
    }

    private <T> List<T> listed(String what, Function<NamedFields, T> reader) throws LocalSchedulerException {
        return commandLineSite()
                .runner()
                .read(
                        said("lot", what),
                        result -> OutputTable.delimited(result.out(), "|").stream()
                                .map(reader)
                                .toList());
    }

    /** The lots now. */
    private List<Lot> lots() throws LocalSchedulerException {
        return listed("list", Lot::of);
    }

    /** The lots some seconds ago at most: the plan and {@link #lookUpInSnapshot} share a listing. */
    private List<Lot> sharedLots() throws LocalSchedulerException {
        return commandLineSite().shared().get("lots", this::lots);
    }

    /** The nodes in service. */
    private List<ComputeNode> nodes() throws LocalSchedulerException {
        return commandLineSite().shared().get("nodes", () -> listed("nodes", LotScheduler::node));
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        var plan = SitePlan.builder(
                previewWindow(), SitePlan.Rules.PLAIN, commandLineSite().times(), now());
        nodes().forEach(plan::node);
        sharedLots().forEach(lot -> plan.reservation(SitePlan.Share.whole(lot.nodes()), lot.slot()));
        return plan.build();
    }

    @Override
    protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        List<String> free = plan.freeNodes(booking.need(), booking.slot());
        int wanted = booking.need().count();
        if (free.size() < wanted) {
            throw new Refused("Site " + site() + " has " + free.size() + " free nodes, not " + wanted + ".");
        }
        String from = String.valueOf(booking.slot().start().getEpochSecond());
        String until = String.valueOf(booking.slot().end().getEpochSecond());
        said("lot", "make", booking.name(), from, until, String.join(",", free.subList(0, wanted)));
    }

    @Override
    protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
        return ours(lots(), made -> made.key().equals(key));
    }

    @Override
    protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
        return ours(lots(), made -> made.id().equals(id)).stream().findFirst();
    }

    @Override
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        return ours(sharedLots(), made -> made.id().equals(id)).stream().findFirst();
    }

    private List<SchedulerReservation> ours(List<Lot> lots, Predicate<Reservation> wanted)
            throws LocalSchedulerException {
        var ours = new ArrayList<SchedulerReservation>();
        for (Lot lot : lots) {
            Optional<RequestKey> key = rules().keyOf(lot.name());
            if (key.isPresent()) {
                ours.add(new SchedulerReservation(status(lot, key.get())));
            }
        }
        ours.removeIf(held -> !wanted.test(held.status().reservation()));
        return ours;
    }

    /** This scheduler does not say what has begun: the time does. */
    private ReservationStatus status(Lot lot, RequestKey key) throws LocalSchedulerException {
        var working = nodes().stream().collect(Collectors.toMap(ComputeNode::name, ComputeNode::cores));
        var lost = lot.nodes().stream().filter(node -> !working.containsKey(node));
        var cores = lot.nodes().stream().mapToInt(node -> working.getOrDefault(node, Need.MOST));
        var granted = new Need.Nodes(lot.nodes().size(), cores.min().orElse(1), Collections.emptySortedSet());
        var state = now().isBefore(lot.slot().start())
                ? ReservationState.RESERVED
                : now().isBefore(lot.slot().end()) ? ReservationState.ACTIVE : ReservationState.FINISHED;
        var made = new Reservation(new ReservationId(lot.id()), key, lot.slot(), granted, lot.nodes());
        return new ReservationStatus(state, made, lost.toList(), "");
    }

    @Override
    protected void release(ReservationId id) throws LocalSchedulerException {
        said("lot", "drop", id.value());
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        int free = plan(new Need.Nodes(1), TimeSlot.of(now(), Duration.ofSeconds(1)))
                .freeNodes();
        return new SiteLoad(nodes().size(), free, 0, 0);
    }
}
