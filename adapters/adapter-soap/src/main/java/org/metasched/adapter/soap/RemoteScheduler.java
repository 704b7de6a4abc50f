package org.metasched.adapter.soap;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.trust.ClientCredentials;
import org.metasched.wsag.site.Bind;
import org.metasched.wsag.site.Cancel;
import org.metasched.wsag.site.DescriptionType;
import org.metasched.wsag.site.IdsType;
import org.metasched.wsag.site.Publish;
import org.metasched.wsag.site.RequestType;
import org.metasched.wsag.site.ResourceAvailableAt;
import org.metasched.wsag.site.State;
import org.metasched.wsag.site.StateResponse;
import org.metasched.wsag.site.Submit;
import org.metasched.wsag.site.WholeSiteType;

/**
 * A local scheduler at the other end of the SOAP site interface. Thread-safe.
 *
 * <p>Learns the look-ahead and the abilities of the site from its answers; until the first one it assumes seven days, and asks at each call
 * whether an optional ability is there. A missing, late or broken answer is {@link LocalSchedulerException.Unreachable}, as the call may have
 * had its effect.
 */
public final class RemoteScheduler implements LocalScheduler {

    /** The window of a site that has not answered yet. */
    private static final PreviewWindow ASSUMED = new PreviewWindow(Duration.ofDays(7));

    private static final int MOST_STATES = 1000;

    private final SiteId site;
    private final SiteConnection connection;
    /** Name of the caller as a site of other grids; a list of one or none. */
    private final List<SiteId> callersGrid;

    private volatile @Nullable SiteDescription known;

    private RemoteScheduler(SiteId site, SiteConnection connection, List<SiteId> callersGrid) {
        this.site = site;
        this.connection = connection;
        this.callersGrid = callersGrid;
    }

    /** A scheduler with the default settings of calls; the site is not asked yet. */
    public static RemoteScheduler at(SiteId site, URI endpoint) {
        return at(
                site,
                endpoint,
                new OutgoingCalls(ClientCredentials.ANONYMOUS, Duration.ofSeconds(5), Duration.ofSeconds(60)));
    }

    /** A scheduler whose site is not asked yet. */
    public static RemoteScheduler at(SiteId site, URI endpoint, OutgoingCalls calls) {
        return at(site, endpoint, calls, Optional.empty());
    }

    /**
     * A scheduler whose site is not asked yet, for a caller that may itself be a site of other grids.
     *
     * @param calls settings of the calls; an answer may take longer than the site's own commands
     * @param callersGrid name of the caller as a site of other grids; empty if it is none
     */
    public static RemoteScheduler at(SiteId site, URI endpoint, OutgoingCalls calls, Optional<SiteId> callersGrid) {
        return new RemoteScheduler(
                site,
                new SiteConnection(site, endpoint, calls),
                callersGrid.stream().toList());
    }

    @Override
    public SiteId site() {
        return site;
    }

    @Override
    public PreviewWindow previewWindow() {
        var description = known;
        return description == null ? ASSUMED : description.window();
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        var message = new ResourceAvailableAt();
        message.setRequest(requestMessage(request));
        message.setNotBefore(notBefore);
        return connection.call("ResourceAvailableAt", port -> {
            var response = port.resourceAvailableAt(message);
            learn(response.getSite());
            return Optional.ofNullable(response.getEarliestStart());
        });
    }

    private RequestType requestMessage(ResourceRequest request) {
        var message = SiteTranslator.message(request);
        callersGrid.forEach(name -> message.getVia().add(name.value()));
        return message;
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        var message = new Submit();
        message.setKey(key.value());
        message.setRequest(requestMessage(request));
        message.setStart(start);
        return connection.call(
                "Submit",
                port -> SiteTranslator.reservation(port.submit(message).getReservation()));
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        var message = new State();
        message.setKey(key.value());
        return connection.call(
                "State",
                port -> Optional.ofNullable(port.state(message).getStatus()).map(SiteTranslator::status));
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        var message = new Cancel();
        message.setId(id.value());
        connection.call("Cancel", port -> port.cancel(message));
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        var message = new State();
        message.setId(id.value());
        return connection.call(
                "State",
                port -> SiteTranslator.status(
                        SiteTranslator.required("status", port.state(message).getStatus())));
    }

    /** One call for each {@value #MOST_STATES} reservations if the adapter lists states, else one for each reservation. */
    @Override
    public Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) throws LocalSchedulerException {
        if (!description().map(SiteDescription::listsStates).orElse(false)) {
            return LocalScheduler.super.states(ids);
        }
        var states = new LinkedHashMap<ReservationId, ReservationStatus>();
        var all = List.copyOf(ids);
        for (int from = 0; from < all.size(); from += MOST_STATES) {
            var message = new State();
            message.setIds(new IdsType());
            all.subList(from, Math.min(all.size(), from + MOST_STATES))
                    .forEach(id -> message.getIds().getId().add(id.value()));
            List<ReservationStatus> listed = connection.call(
                    "State",
                    port -> port.state(message).getListed().stream()
                            .map(SiteTranslator::status)
                            .toList());
            listed.forEach(status -> states.put(status.reservation().id(), status));
        }
        states.keySet().retainAll(Set.copyOf(ids));
        return states;
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return description().filter(SiteDescription::listsWindows).map(d -> this::freeWindows);
    }

    @Override
    public Optional<RuntimeSupport> runtimeSupport() {
        return description().filter(SiteDescription::supportsRuntime).map(d -> new RemoteRuntime());
    }

    /** Present also if the site has never answered, as it may run programs; the calls fail until it answers. */
    @Override
    public Optional<JobStarter> jobStarter() {
        boolean mayRun = description().map(SiteDescription::runsJobs).orElse(true);
        return mayRun ? Optional.of(new RemoteJobs(connection)) : Optional.empty();
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return description().filter(SiteDescription::reportsLoad).map(d -> this::load);
    }

    @Override
    public void close() {
        connection.close();
    }

    private FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        var message = new ResourceAvailableAt();
        message.setRequest(requestMessage(request));
        message.setNotBefore(within.start());
        message.setUntil(within.end());
        return connection.call("ResourceAvailableAt", port -> {
            var response = port.resourceAvailableAt(message);
            learn(response.getSite());
            return SiteTranslator.windows(response.getWindows());
        });
    }

    private LoadReporting.SiteLoad load() throws LocalSchedulerException {
        return SiteTranslator.load(wholeSite(true).getLoad());
    }

    /** The site's description; empty if the site has never answered, and does not answer now. */
    private Optional<SiteDescription> description() {
        if (known == null) {
            try {
                wholeSite(false);
            } catch (LocalSchedulerException e) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(known);
    }

    private StateResponse wholeSite(boolean withLoad) throws LocalSchedulerException {
        var message = new State();
        var whole = new WholeSiteType();
        whole.setLoad(withLoad);
        message.setWholeSite(whole);
        return connection.call("State", port -> {
            var response = port.state(message);
            learn(response.getSite());
            return response;
        });
    }

    private void learn(@Nullable DescriptionType answered) throws LocalSchedulerException {
        var described = SiteTranslator.description(answered);
        if (!described.name().equals(site.value())) {
            throw new LocalSchedulerException.Misconfigured("The adapter at " + connection.endpoint + " serves site "
                    + described.name() + ", not " + site + ".\nMaybe two addresses are mixed up in the configuration.");
        }
        known = described;
    }

    /** {@code Bind} and {@code Publish} over the wire. */
    private final class RemoteRuntime implements RuntimeSupport {

        @Override
        public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
            var message = new Bind();
            message.setId(id.value());
            message.getNodeAddress().addAll(nodeAddresses);
            connection.call("Bind", port -> port.bind(message));
        }

        @Override
        public void publish(ReservationId id, String name, String content) throws LocalSchedulerException {
            var message = new Publish();
            message.setId(id.value());
            message.setName(name);
            message.setContent(content.getBytes(StandardCharsets.UTF_8));
            connection.call("Publish", port -> port.publish(message));
        }
    }
}
