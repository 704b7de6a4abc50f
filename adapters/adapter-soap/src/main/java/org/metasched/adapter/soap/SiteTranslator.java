package org.metasched.adapter.soap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.wsag.site.BandwidthType;
import org.metasched.wsag.site.DescriptionType;
import org.metasched.wsag.site.LicencesType;
import org.metasched.wsag.site.LoadType;
import org.metasched.wsag.site.NeedType;
import org.metasched.wsag.site.NodesType;
import org.metasched.wsag.site.RequestType;
import org.metasched.wsag.site.ReservationStateType;
import org.metasched.wsag.site.ReservationStatusType;
import org.metasched.wsag.site.ReservationType;
import org.metasched.wsag.site.StartIntervalType;
import org.metasched.wsag.site.WindowsType;

/**
 * Translates values of the site interface to messages and back. Reading checks every value, as neither end trusts the other, and throws
 * {@link IllegalArgumentException} for an impossible one.
 */
final class SiteTranslator {

    /** Most items in one list of a message. */
    private static final int MOST_LISTED = 20_000;

    private SiteTranslator() {}

    static RequestType message(ResourceRequest request) {
        var message = new RequestType();
        message.setNeed(message(request.need()));
        message.setDuration(request.duration());
        request.requester().ifPresent(requester -> {
            message.setRequester(requester.subject());
            message.getUser().addAll(requester.users());
            requester.project().ifPresent(message::setProject);
        });
        request.via().forEach(server -> message.getVia().add(server.value()));
        return message;
    }

    static ResourceRequest request(@Nullable RequestType message) {
        var sent = required("request", message);
        return new ResourceRequest(
                need(sent.getNeed()),
                required("duration", sent.getDuration()),
                requester(sent.getRequester(), sent.getUser(), sent.getProject()),
                bounded("grids", sent.getVia()).stream().map(SiteId::new).toList(),
                Optional.empty());
    }

    static Optional<Requester> requester(@Nullable String subject, List<String> users, @Nullable String project) {
        return Optional.ofNullable(subject)
                .map(name -> new Requester(name, bounded("users", users), Optional.ofNullable(project)));
    }

    static NeedType message(Need need) {
        var message = new NeedType();
        return need.fold(
                nodes -> {
                    message.setNodes(new NodesType());
                    message.getNodes().setCount(nodes.count());
                    message.getNodes().setCoresPerNode(nodes.coresPerNode());
                    message.getNodes().getProperty().addAll(nodes.properties());
                    return message;
                },
                bandwidth -> {
                    message.setBandwidth(new BandwidthType());
                    message.getBandwidth().setMegabitsPerSecond(bandwidth.megabitsPerSecond());
                    return message;
                },
                licences -> {
                    message.setLicences(new LicencesType());
                    message.getLicences().setFeature(licences.feature());
                    message.getLicences().setCount(licences.count());
                    return message;
                });
    }

    static Need need(@Nullable NeedType message) {
        var sent = required("need", message);
        if (sent.getNodes() != null) {
            var nodes = sent.getNodes();
            return new Need.Nodes(
                    nodes.getCount(),
                    nodes.getCoresPerNode(),
                    new TreeSet<>(bounded("properties", nodes.getProperty())));
        } else if (sent.getBandwidth() != null) {
            return new Need.Bandwidth(sent.getBandwidth().getMegabitsPerSecond());
        } else if (sent.getLicences() != null) {
            return new Need.Licences(
                    required("licence feature", sent.getLicences().getFeature()),
                    sent.getLicences().getCount());
        }
        throw new IllegalArgumentException("The need must name nodes, bandwidth or licences.");
    }

    static ReservationType message(Reservation reservation) {
        var message = new ReservationType();
        message.setId(reservation.id().value());
        message.setKey(reservation.key().value());
        message.setStart(reservation.slot().start());
        message.setEnd(reservation.slot().end());
        message.setGranted(message(reservation.granted()));
        message.getNode().addAll(reservation.nodeNames());
        return message;
    }

    static Reservation reservation(@Nullable ReservationType message) {
        var sent = required("reservation", message);
        return new Reservation(
                id(sent.getId()),
                key(sent.getKey()),
                new TimeSlot(required("start", sent.getStart()), required("end", sent.getEnd())),
                need(sent.getGranted()),
                bounded("nodes", sent.getNode()));
    }

    static ReservationStatusType message(ReservationStatus status) {
        var message = new ReservationStatusType();
        message.setState(ReservationStateType.fromValue(status.state().name()));
        message.setReservation(message(status.reservation()));
        message.getLostNode().addAll(status.lostNodes());
        if (!status.detail().isEmpty()) {
            message.setDetail(XmlText.of(status.detail()));
        }
        return message;
    }

    static ReservationStatus status(ReservationStatusType message) {
        return new ReservationStatus(
                ReservationState.valueOf(required("state", message.getState()).value()),
                reservation(message.getReservation()),
                bounded("lost nodes", message.getLostNode()),
                message.getDetail() == null ? "" : message.getDetail());
    }

    static WindowsType message(FreeWindows windows) {
        var message = new WindowsType();
        message.setVersion(XmlText.of(windows.version()));
        for (var interval : windows.starts()) {
            var part = new StartIntervalType();
            part.setEarliest(interval.earliest());
            part.setLatest(interval.latest());
            message.getStarts().add(part);
        }
        return message;
    }

    static FreeWindows windows(@Nullable WindowsType message) {
        var sent = required("windows", message);
        List<FreeWindows.StartInterval> starts = new ArrayList<>();
        for (var part : bounded("start intervals", sent.getStarts())) {
            starts.add(new FreeWindows.StartInterval(
                    required("earliest start", part.getEarliest()), required("latest start", part.getLatest())));
        }
        return new FreeWindows(required("version", sent.getVersion()), starts);
    }

    static DescriptionType message(SiteDescription site) {
        var message = new DescriptionType();
        message.setName(site.name());
        message.setLookAhead(site.window().lookAhead());
        message.setGrid(site.window().grid());
        message.setListsWindows(site.listsWindows());
        message.setSupportsRuntime(site.supportsRuntime());
        message.setReportsLoad(site.reportsLoad());
        message.setListsStates(site.listsStates());
        message.setRunsJobs(site.runsJobs());
        return message;
    }

    static SiteDescription description(@Nullable DescriptionType message) {
        var sent = required("site", message);
        return new SiteDescription(
                required("site name", sent.getName()),
                new PreviewWindow(required("look-ahead", sent.getLookAhead()), required("grid", sent.getGrid())),
                sent.isListsWindows(),
                sent.isSupportsRuntime(),
                sent.isReportsLoad(),
                Boolean.TRUE.equals(sent.isListsStates()),
                Boolean.TRUE.equals(sent.isRunsJobs()));
    }

    static LoadType message(SiteLoad load) {
        var message = new LoadType();
        message.setTotalNodes(load.totalNodes());
        message.setFreeNodes(load.freeNodes());
        message.setRunningJobs(load.runningJobs());
        message.setQueuedJobs(load.queuedJobs());
        load.remarks().forEach(remark -> message.getRemark().add(XmlText.of(remark)));
        return message;
    }

    static SiteLoad load(@Nullable LoadType message) {
        var sent = required("load", message);
        return new SiteLoad(
                sent.getTotalNodes(),
                sent.getFreeNodes(),
                sent.getRunningJobs(),
                sent.getQueuedJobs(),
                sent.getRemark());
    }

    static ReservationId id(@Nullable String text) {
        return new ReservationId(required("reservation id", text));
    }

    static RequestKey key(@Nullable String text) {
        return new RequestKey(required("request key", text));
    }

    static <T> List<T> bounded(String what, List<T> listed) {
        if (listed.size() > MOST_LISTED) {
            throw new IllegalArgumentException(
                    "The number of " + what + " (" + listed.size() + ") must not be more than " + MOST_LISTED + ".");
        }
        return listed;
    }

    /** The constant of this name. */
    static <E extends Enum<E>> E constant(Class<E> kind, String what, @Nullable String sent) {
        String name = required(what, sent);
        List<E> known = List.of(kind.getEnumConstants());
        return known.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "The " + what + " (" + DisplayText.of(name) + ") must be one of " + known + "."));
    }

    static <T> T required(String what, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("The " + what + " is missing or malformed.");
        }
        return value;
    }
}
