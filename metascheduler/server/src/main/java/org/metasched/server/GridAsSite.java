package org.metasched.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.NotAsked;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.OfferService;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All sites of this grid as one, for a grid above. A reservation is an agreement of this grid over one of its sites, named after the
 * request key, so that this grid's journal, offer locks and sweeper make it exactly once and give it back. Thread-safe.
 */
final class GridAsSite implements LocalScheduler, WindowListing, LoadReporting {

    private static final Logger LOG = LoggerFactory.getLogger(GridAsSite.class);
    private static final String TERM = "part";
    private static final Duration START_GRID = Duration.ofSeconds(1);

    private final SiteId name;
    private final OfferService offers;
    private final SiteCalls calls;
    private final MatchmakingServices matchmaking;
    private final Authorizer guard;
    private final Clock clock;
    private final AgreementsAbove above;
    private final GridPrograms programs;

    /** @param guard authorizer that decides who may reserve: servers and operators */
    GridAsSite(
            SiteId name,
            OfferService offers,
            SiteCalls calls,
            MatchmakingServices matchmaking,
            Authorizer guard,
            Clock clock) {
        this.name = name;
        this.offers = offers;
        this.calls = calls;
        this.matchmaking = matchmaking;
        this.guard = guard;
        this.clock = clock;
        this.above = new AgreementsAbove(name, offers, calls.directory());
        this.programs = new GridPrograms(above, calls);
    }

    @Override
    public SiteId site() {
        return name;
    }

    /** A preview window as long as that of the site that looks furthest. */
    @Override
    public PreviewWindow previewWindow() {
        var lookAhead = calls.directory().bySite().values().stream()
                .map(site -> site.previewWindow().lookAhead())
                .max(Duration::compareTo);
        return new PreviewWindow(lookAhead.orElse(START_GRID), START_GRID);
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        Instant end = previewWindow().endFrom(clock.instant());
        return notBefore.isBefore(end)
                ? freeWindows(request, new TimeSlot(notBefore, end)).firstFrom(notBefore)
                : Optional.empty();
    }

    /** The starts at all sites that may serve the request; of a site that does not list them, the earliest. */
    @Override
    public FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        refuseLoop(request);
        try {
            var sites = matchmaking.selector.candidates(covering(request, within.start())).places().get(0).stream()
                    .map(Place::site)
                    .distinct()
                    .toList();
            var answers = calls.askAll(sites.stream()
                    .map(site -> new Call<>(site, below -> windows(below, request, within)))
                    .toList());
            var known = answers.stream()
                    .flatMap(answer -> answer.fold(Optional::of, problem -> Optional.<FreeWindows>empty()).stream())
                    .toList();
            if (known.isEmpty() && !answers.isEmpty()) {
                // All answers are problems.
                throw answers.get(0).fold(windows -> new Unreachable("No answer."), problem -> problem);
            }
            return merged(known);
        } catch (InterruptedException e) {
            throw AgreementsAbove.interrupted(e);
        }
    }

    private static FreeWindows windows(LocalScheduler below, ResourceRequest request, TimeSlot within)
            throws LocalSchedulerException {
        var listing = below.windowListing();
        if (listing.isPresent()) {
            return listing.get().freeWindows(request, within);
        }
        return new FreeWindows(
                "",
                below.earliestStart(request, within.start()).filter(start -> !start.isAfter(within.end())).stream()
                        .map(start -> new StartInterval(start, start))
                        .toList());
    }

    private static FreeWindows merged(List<FreeWindows> known) {
        var all = known.stream()
                .flatMap(windows -> windows.starts().stream())
                .sorted(Comparator.comparing(StartInterval::earliest))
                .toList();
        var merged = new ArrayList<StartInterval>();
        for (var starts : all) {
            int last = merged.size() - 1;
            if (last < 0 || starts.earliest().isAfter(merged.get(last).latest())) {
                merged.add(starts);
            } else if (starts.latest().isAfter(merged.get(last).latest())) {
                merged.set(last, new StartInterval(merged.get(last).earliest(), starts.latest()));
            }
        }
        var versions = known.stream().map(FreeWindows::version).toList();
        return new FreeWindows(Integer.toHexString(versions.hashCode()), merged);
    }

    private void refuseLoop(ResourceRequest request) throws Misconfigured {
        if (request.via().contains(name)) {
            String path = request.via().stream().map(SiteId::value).collect(Collectors.joining(" > ")) + " > " + name;
            LOG.warn("A request came back to this grid: {}", path);
            throw new Misconfigured("Grid " + name + " finds itself below itself: " + path
                    + ".\nMaybe a grid is among the sites of one that is below it, or two grids have one name.");
        }
    }

    /** The request of an agreement over the whole seconds that cover a reservation, as negotiations count in seconds. */
    private static AgreementRequest covering(ResourceRequest request, Instant start) {
        Instant from = start.truncatedTo(ChronoUnit.SECONDS);
        Instant end = start.plus(request.duration());
        Instant until = end.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
        var wholeSeconds = request.lasting(Duration.between(from, until));
        var part = new RequestedPart(TERM, TERM, Optional.empty(), wholeSeconds, Optional.empty());
        return new AgreementRequest(List.of(part), Optional.of(from), Optional.of(until));
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        refuseLoop(request);
        var roles = guard.policy().rolesOf(MessageContext.call().subject());
        if (!roles.contains(Role.SERVER) && !roles.contains(Role.OPERATOR)) {
            throw new IllegalArgumentException(
                    "Only servers and operators reserve at a grid; users offer agreements to it.");
        }
        try {
            var offer = offer(key, request, start);
            return offers.offer(offer, new AgreementId(AgreementsAbove.PREFIX + key))
                    .<Reservation, LocalSchedulerException>fold(
                            created -> granted(created.agreement(), offer), refused -> {
                                throw problem(refused.code(), refused.reason());
                            });
        } catch (InterruptedException e) {
            throw AgreementsAbove.interrupted(e);
        }
    }

    /** A refusal as the grid above sees it: what no site below has decided may be asked again. */
    static LocalSchedulerException problem(RefusalCode code, String reason) {
        return switch (code) {
            case ADAPTER_DOWN, SCHEDULER_UNREADABLE, BUSY -> new NotAsked(reason);
            case ADAPTER_MISCONFIGURED -> new Misconfigured(reason);
            default -> new Refused(reason);
        };
    }

    private AgreementOffer offer(RequestKey key, ResourceRequest request, Instant start) {
        var template = offers.templates().get(0).key();
        var covering = covering(request, start);
        String initiator = request.requester().map(Requester::subject).orElse("");
        var part = new OfferWriter.Part(Optional.empty(), Optional.of("true"), request.need());
        var length = covering.parts().get(0).request().duration();
        var content = new OfferWriter.OfferContent(
                key.value(), initiator, List.of(part), length, covering.earliest(), covering.deadline());
        var document = OfferWriter.write(template, content);
        request.requester().ifPresent(who -> OfferWriter.share(document, Optional.empty(), who.users(), who.project()));
        return AgreementOffer.of(
                new OfferKey(initiator, AgreementsAbove.PREFIX + key),
                template,
                List.of(covering),
                new OfferDocument(AgreementClient.text(document)));
    }

    private static Reservation granted(Agreement made, AgreementOffer offer) throws Refused {
        if (!made.offer().document().equals(offer.document())) {
            throw new Refused("Another request was made under the key of " + made.id() + ".");
        }
        if (made.state() != AgreementState.OBSERVED && made.state() != AgreementState.COMPLETE) {
            throw new Refused("Agreement " + made.id() + " is " + made.state().term() + ".");
        }
        return asSeenAbove(made, AgreementsAbove.reservation(made));
    }

    private static Reservation asSeenAbove(Agreement agreement, Reservation below) {
        String id = agreement.id().value();
        return new Reservation(
                new ReservationId(id),
                new RequestKey(id.substring(AgreementsAbove.PREFIX.length())),
                below.slot(),
                below.granted(),
                below.nodeNames());
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        var agreement = above.find(new ReservationId(AgreementsAbove.PREFIX + key));
        return agreement.isEmpty() ? Optional.empty() : Optional.of(status(agreement.get()));
    }

    /** Ends the agreement for good: what a silent site still holds is given back when it answers. */
    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        try {
            if (above.find(id).isPresent()) {
                offers.end(new AgreementId(id.value()), "Cancelled by the grid above.");
            }
        } catch (InterruptedException e) {
            throw AgreementsAbove.interrupted(e);
        }
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return status(above.find(id).orElseThrow(() -> new UnknownReservation(name, id)));
    }

    /** The status that the site tells now; a site is not asked where the agreement has ended. */
    private ReservationStatus status(Agreement agreement) throws LocalSchedulerException {
        if (agreement.state() != AgreementState.OBSERVED) {
            return lastKnown(agreement);
        }
        try {
            var now = above.site(agreement)
                    .state(AgreementsAbove.reservation(agreement).id());
            return new ReservationStatus(
                    now.state(), asSeenAbove(agreement, now.reservation()), now.lostNodes(), now.detail());
        } catch (UnknownReservation e) {
            boolean isOver = !clock.instant()
                    .isBefore(AgreementsAbove.reservation(agreement).slot().end());
            return new ReservationStatus(
                    isOver ? ReservationState.FINISHED : ReservationState.CANCELLED,
                    asSeenAbove(agreement, AgreementsAbove.reservation(agreement)));
        }
    }

    /** The status that the site told last. */
    private static ReservationStatus lastKnown(Agreement agreement) {
        var last = AgreementsAbove.part(agreement).state();
        boolean isCurrent = !last.isHeld() || agreement.state() == AgreementState.OBSERVED;
        return new ReservationStatus(
                isCurrent ? last : ReservationState.CANCELLED,
                asSeenAbove(agreement, AgreementsAbove.reservation(agreement)),
                AgreementsAbove.part(agreement).lostNodes(),
                "");
    }

    /** The statuses that this grid's monitor saw last; no site is asked. */
    @Override
    public Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) {
        var states = new LinkedHashMap<ReservationId, ReservationStatus>();
        ids.forEach(id -> above.find(id).ifPresent(agreement -> states.put(id, lastKnown(agreement))));
        return states;
    }

    @Override
    public Optional<RuntimeSupport> runtimeSupport() {
        return Optional.of(programs);
    }

    @Override
    public Optional<JobStarter> jobStarter() {
        return Optional.of(programs);
    }

    /** The sum of what the sites advertise, so that no site is asked. */
    @Override
    public SiteLoad load() {
        return new CollectorView(matchmaking.monitor).load(calls.directory().sites());
    }
}
