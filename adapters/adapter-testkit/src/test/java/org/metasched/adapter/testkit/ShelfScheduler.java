package org.metasched.adapter.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.slots.CountProfile;

/** A site of ten nodes that keeps all rules, or makes one of the known mistakes. Half of it is taken for an hour. */
final class ShelfScheduler
        implements LocalScheduler,
                WindowListing,
                RuntimeSupport,
                LoadReporting,
                ReservationChange,
                JobStarter,
                KitSettings.Others {

    private static final int NODES = 10;
    private static final Duration LONGEST = Duration.ofDays(30);

    private final Set<Fault> faults;
    /** How many reservations a node has room for. */
    int shares = 1;

    private final Clock clock;
    private final CountProfile profile = new CountProfile(NODES);
    private final Map<ReservationId, ReservationStatus> made = new HashMap<>();
    private final Map<RequestKey, ReservationId> keys = new HashMap<>();
    private final Set<String> once = new HashSet<>();
    private final CyclicBarrier bothChecked = new CyclicBarrier(2);
    private final Map<Job.Name, Integer> jobs = new HashMap<>();
    private final Map<Job.Name, Program> programs = new HashMap<>();
    private final Set<String> lost = new HashSet<>();
    private @Nullable TimeSlot theirs;
    private boolean keyAsked;
    /** Processes that it says it has started. */
    private long started;

    ShelfScheduler(Set<Fault> faults, Clock clock) {
        this.faults = faults;
        this.clock = clock;
        profile.take(NODES / 2, TimeSlot.of(clock.instant(), Duration.ofMinutes(90)));
    }

    private boolean has(Fault fault) {
        return faults.contains(fault);
    }

    @Override
    public SiteId site() {
        return new SiteId("shelf");
    }

    @Override
    public PreviewWindow previewWindow() {
        return new PreviewWindow(Duration.ofDays(3));
    }

    private boolean isForbidden(ResourceRequest request) {
        return request.duration().compareTo(LONGEST) > 0;
    }

    synchronized long started() {
        return started;
    }

    @Override
    public synchronized Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) {
        started++;
        if (isForbidden(request)) {
            return Optional.empty();
        }
        Instant from = has(Fault.CUTS_OFF_MINUTES)
                ? notBefore.truncatedTo(ChronoUnit.HOURS)
                : TimeSlot.later(notBefore, clock.instant());
        if (has(Fault.SEARCHES_FROM_A_FIXED_PLACE)) {
            // The later it is asked, the earlier it answers; but never before the time asked.
            boolean late = notBefore.isAfter(
                    clock.instant().plus(Duration.ofMinutes(30)).plusSeconds(30));
            from = late ? notBefore : notBefore.plus(Duration.ofHours(6));
        }
        int amount = has(Fault.DOES_NOT_KNOW_ITS_SIZE)
                ? Math.min(NODES, request.need().amount())
                : request.need().amount();
        var start = profile.earliestStart(
                amount, request.duration(), from, previewWindow().endFrom(clock.instant()));
        if (has(Fault.ROUNDS_UP)) {
            return start.map(answer -> answer.plusSeconds(1));
        }
        return start;
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        if (has(Fault.CHECKS_THE_KEY_TOO_EARLY)) {
            meet(key);
        }
        if (has(Fault.REFUSES_BOTH_CALLERS) && keyAsked && !keys.containsKey(key)) {
            throw new Refused("Another caller has this key.");
        }
        keyAsked |= has(Fault.REFUSES_BOTH_CALLERS);
        synchronized (this) {
            if (keys.containsKey(key) && !has(Fault.FORGETS_KEYS) && !has(Fault.CHECKS_THE_KEY_TOO_EARLY)) {
                return status(keys.get(key)).reservation();
            }
            var slot = TimeSlot.of(start, request.duration());
            refuse(key, request, slot);
            return make(key, lessOf(request.need()), has(Fault.GRANTS_LESS_TIME) ? withoutASecond(slot) : slot);
        }
    }

    private Need lessOf(Need need) {
        return has(Fault.GRANTS_FEWER_NODES)
                ? need.withAmount(need.amount() - 1)
                : has(Fault.GRANTS_FEWER_CORES) ? new Need.Nodes(need.amount()) : need;
    }

    private static TimeSlot withoutASecond(TimeSlot slot) {
        return new TimeSlot(slot.start(), slot.end().minusSeconds(1));
    }

    /** Lets two callers with the same key pass the check of the key at the same time. */
    private void meet(RequestKey key) {
        synchronized (this) {
            if (!keyAsked) {
                // The first reservation of the rule is made by one caller alone.
                keyAsked = true;
                return;
            }
            if (keys.containsKey(key)) {
                return;
            }
        }
        try {
            bothChecked.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("The kit did not call twice at once.", e);
        }
    }

    private void refuse(RequestKey key, ResourceRequest request, TimeSlot slot) throws Refused {
        boolean past = slot.start().isBefore(clock.instant()) && !has(Fault.TAKES_THE_PAST);
        if (isForbidden(request) && !has(Fault.GRANTS_WHAT_ITS_POLICY_FORBIDS)) {
            throw new Refused(has(Fault.DOES_NOT_SAY_WHY) ? " " : "The shelf lends for " + LONGEST + " at most.");
        }
        boolean full = profile.leastFree(slot) < request.need().amount()
                || has(Fault.DOES_NOT_COUNT_RESERVATIONS) && !made.isEmpty();
        if (has(Fault.LEAVES_WHAT_IT_REFUSED) && full) {
            make(key, request.need(), slot);
        }
        if (past || full || has(Fault.ANSWERS_WHAT_IT_REFUSES)) {
            throw new Refused("The shelf has no room.");
        }
    }

    private Reservation make(RequestKey key, Need need, TimeSlot slot) {
        var id = new ReservationId("S" + made.size());
        var names = new ArrayList<String>();
        for (int i = 0; i < Math.min(need.amount(), NODES) - (has(Fault.NAMES_TOO_FEW_NODES) ? 1 : 0); i++) {
            names.add("n" + i);
        }
        var reservation = new Reservation(id, key, slot, need, names);
        if (!has(Fault.DOES_NOT_COUNT_RESERVATIONS)) {
            profile.take(need.amount(), slot);
        }
        var held = has(Fault.REPORTS_WHAT_WAS_ASKED)
                ? new Reservation(id, key, TimeSlot.of(slot.start().plusSeconds(60), slot.length()), need, names)
                : reservation;
        made.put(id, new ReservationStatus(ReservationState.RESERVED, held));
        keys.put(key, id);
        return reservation;
    }

    private ReservationStatus status(ReservationId id) {
        return Objects.requireNonNull(made.get(id));
    }

    @Override
    public synchronized Optional<ReservationStatus> find(RequestKey key) {
        if (has(Fault.FINDS_ANYTHING) && !keys.containsKey(key)) {
            var slot = TimeSlot.of(clock.instant(), Duration.ofHours(1));
            var other = new Reservation(new ReservationId("other"), key, slot, new Need.Nodes(1), List.of());
            return Optional.of(new ReservationStatus(ReservationState.FINISHED, other));
        }
        return has(Fault.FINDS_NOTHING)
                ? Optional.empty()
                : Optional.ofNullable(keys.get(key)).map(this::seen);
    }

    private ReservationStatus seen(ReservationId id) {
        var status = status(id);
        if (!status.state().isHeld()) {
            return status;
        }
        var slot = status.reservation().slot();
        var now = clock.instant();
        var state = now.isBefore(slot.start()) && !has(Fault.CALLS_EVERYTHING_ACTIVE)
                ? ReservationState.RESERVED
                : now.isBefore(slot.end()) || has(Fault.NEVER_FINISHES)
                        ? ReservationState.ACTIVE
                        : ReservationState.FINISHED;
        var down = new ArrayList<>(status.reservation().nodeNames());
        down.retainAll(has(Fault.OVERLOOKS_LOST_NODES) ? Set.of() : lost);
        return new ReservationStatus(state, status.reservation(), down, "");
    }

    @Override
    public Map<String, Callable<Instant>> holdings() {
        return Map.of("a job", () -> {
            theirs = TimeSlot.of(clock.instant(), Duration.ofHours(3));
            if (!has(Fault.OVERLOOKS_OTHERS)) {
                profile.take(3, theirs);
            }
            return theirs.end();
        });
    }

    @Override
    public synchronized void takeOut(String node) {
        lost.add(node);
    }

    @Override
    public synchronized void leave() {
        lost.clear();
        if (theirs != null && !has(Fault.OVERLOOKS_OTHERS)) {
            profile.giveBack(3, theirs);
        }
        theirs = null;
    }

    @Override
    public synchronized void cancel(ReservationId id) throws LocalSchedulerException {
        if (!made.containsKey(id)) {
            throw new UnknownReservation(site(), id);
        }
        var status = status(id);
        if (!status.state().isHeld()) {
            if (has(Fault.CANCELS_ONLY_ONCE)) {
                throw new Refused("It is gone.");
            }
            return;
        }
        if (has(Fault.CANCELS_WHAT_IS_WHOLE_ONLY) && !lost.isEmpty()) {
            throw new Unreachable("The reservation contradicts itself.");
        }
        if (has(Fault.CANCELS_LATER) && once.add(id.value())) {
            return;
        }
        if (!has(Fault.DOES_NOT_COUNT_RESERVATIONS)) {
            profile.giveBack(
                    status.reservation().granted().amount(),
                    status.reservation().slot());
        }
        made.put(id, new ReservationStatus(ReservationState.CANCELLED, status.reservation()));
    }

    @Override
    public synchronized Reservation change(ReservationId id, ResourceRequest request, Instant start)
            throws LocalSchedulerException {
        var before = state(id).reservation();
        var slot = TimeSlot.of(start, request.duration());
        if (has(Fault.ONLY_LENGTHENS) && slot.end().isBefore(before.slot().end())) {
            throw new Refused("The shelf gives no time back.");
        }
        var changed = new Reservation(id, before.key(), slot, request.need(), before.nodeNames());
        profile.giveBack(before.granted().amount(), before.slot());
        if (profile.leastFree(slot) < request.need().amount()) {
            if (has(Fault.GIVES_UP_WHAT_IT_CANNOT_CHANGE)) {
                made.put(id, new ReservationStatus(ReservationState.CANCELLED, before));
            } else {
                profile.take(before.granted().amount(), before.slot());
            }
            throw new Refused("The shelf has no room.");
        }
        profile.take(request.need().amount(), slot);
        made.put(id, new ReservationStatus(ReservationState.RESERVED, has(Fault.CHANGES_NOTHING) ? before : changed));
        return changed;
    }

    @Override
    public synchronized ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        started += has(Fault.RUNS_A_COMMAND_FOR_EACH_STATE) ? 1 : 0;
        if (made.containsKey(id)) {
            return seen(id);
        }
        if (has(Fault.CALLS_UNKNOWN_FINISHED)) {
            var slot = TimeSlot.of(clock.instant(), Duration.ofHours(1));
            return new ReservationStatus(
                    ReservationState.FINISHED,
                    new Reservation(id, new RequestKey("x"), slot, new Need.Nodes(1), List.of()));
        }
        throw new UnknownReservation(site(), id);
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return Optional.of(this);
    }

    @Override
    public Optional<RuntimeSupport> runtimeSupport() {
        return Optional.of(this);
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return Optional.of(this);
    }

    @Override
    public synchronized FreeWindows freeWindows(ResourceRequest request, TimeSlot within) {
        var from = TimeSlot.later(within.start(), clock.instant());
        if (!from.isBefore(within.end())) {
            return new FreeWindows("1", List.of());
        }
        var asked = new TimeSlot(
                from, has(Fault.LISTS_BEYOND_THE_SPAN) ? within.end().plus(Duration.ofHours(1)) : within.end());
        if (isForbidden(request) && !has(Fault.OFFERS_WHAT_ITS_POLICY_FORBIDS)) {
            return new FreeWindows("1", List.of());
        }
        var starts = new ArrayList<>(profile.starts(request.need().amount(), request.duration(), asked));
        if (has(Fault.LISTS_TOO_LITTLE)) {
            starts.remove(0);
        }
        return new FreeWindows("1", starts);
    }

    @Override
    public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
        if (has(Fault.BINDS_ONCE) && !once.add("bind " + id)) {
            throw new Refused("It is bound.");
        }
    }

    @Override
    public void publish(ReservationId id, String name, String content) throws LocalSchedulerException {
        if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*") && !has(Fault.TAKES_ANY_NAME)) {
            throw new IllegalArgumentException("The name must be a plain one.");
        }
        if (has(Fault.PUBLISHES_ONCE) && !once.add(name)) {
            throw new Refused("It is there.");
        }
    }

    @Override
    public Optional<JobStarter> jobStarter() {
        return Optional.of(this);
    }

    @Override
    public void check(Program program, Optional<Requester> requester) throws Refused {
        if (!program.transfers().isEmpty() && !has(Fault.BRINGS_ANYTHING)) {
            throw new Refused("The shelf brings no files.");
        }
    }

    @Override
    public synchronized JobStatus start(Job job) {
        programs.put(job.name(), job.program());
        jobs.merge(job.name(), 1, (one, more) -> has(Fault.STARTS_A_SECOND_JOB) ? one + more : one);
        return jobs(List.of(job.name())).get(job.name());
    }

    @Override
    public synchronized Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) {
        var all = new HashMap<Job.Name, JobStatus>();
        for (var name : names) {
            var status = status(name.reservation());
            boolean held = status.state().isHeld() || has(Fault.LEAVES_JOBS_BEHIND);
            String id = "J" + name.reservation() + "." + jobs.get(name);
            var waits = new JobStatus(JobStatus.State.WAITING, id, Optional.empty(), "", "");
            boolean begins = held
                    && (has(Fault.BEGINS_BEFORE_THE_SLOT)
                            || !clock.instant()
                                    .isBefore(status.reservation().slot().start()));
            all.put(
                    name,
                    begins
                            ? new ShelfProcesses(faults).run(waits, programs.get(name))
                            : held ? waits : waits.in(JobStatus.State.LOST, ""));
        }
        return all;
    }

    @Override
    public SiteLoad load() {
        return new SiteLoad(NODES / shares, has(Fault.COUNTS_FREE_NODES_TWICE) ? 2 * NODES : NODES / 2, 1, 0);
    }

    /** What is still held: nothing, once the kit is through. */
    synchronized List<ReservationStatus> held() {
        return made.keySet().stream()
                .map(this::seen)
                .filter(status -> status.state().isHeld())
                .toList();
    }
}
