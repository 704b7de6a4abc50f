package org.metasched.adapter.soap;

import jakarta.jws.WebService;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Requester;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.TimeSlot;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.ProtectedResource;
import org.metasched.wsag.site.BadRequestFault;
import org.metasched.wsag.site.Bind;
import org.metasched.wsag.site.BindResponse;
import org.metasched.wsag.site.Cancel;
import org.metasched.wsag.site.CancelResponse;
import org.metasched.wsag.site.MisconfiguredFault;
import org.metasched.wsag.site.Publish;
import org.metasched.wsag.site.PublishResponse;
import org.metasched.wsag.site.RefusedFault;
import org.metasched.wsag.site.ResourceAvailableAt;
import org.metasched.wsag.site.ResourceAvailableAtResponse;
import org.metasched.wsag.site.Site;
import org.metasched.wsag.site.State;
import org.metasched.wsag.site.StateResponse;
import org.metasched.wsag.site.Submit;
import org.metasched.wsag.site.SubmitResponse;
import org.metasched.wsag.site.UnknownReservationFault;
import org.metasched.wsag.site.UnreachableFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The site's end of the wire: the six operations over any {@link LocalScheduler}. Thread-safe, as the scheduler is. */
@WebService(
        endpointInterface = "org.metasched.wsag.site.Site",
        targetNamespace = "urn:metasched:site:1",
        serviceName = "SiteService",
        portName = "SitePort",
        wsdlLocation = "classpath:org/metasched/wsdl/site.wsdl")
public final class AdapterEndpoint implements Site {

    private static final Logger LOG = LoggerFactory.getLogger(AdapterEndpoint.class);

    private final LocalScheduler scheduler;
    private final Authorizer guard;

    /** @param guard authorizer that decides which sender may act for which requester, since any sender can name a requester */
    public AdapterEndpoint(LocalScheduler scheduler, Authorizer guard) {
        this.scheduler = scheduler;
        this.guard = guard;
    }

    @Override
    public ResourceAvailableAtResponse resourceAvailableAt(ResourceAvailableAt message)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        return answer("ResourceAvailableAt", () -> {
            var request = SiteTranslator.request(message.getRequest())
                    .by(MessageContext.call().subject().name());
            Instant notBefore = SiteTranslator.required("earliest start", message.getNotBefore());
            var response = new ResourceAvailableAtResponse();
            if (message.getUntil() == null) {
                scheduler.earliestStart(request, notBefore).ifPresent(response::setEarliestStart);
            } else {
                var listing = scheduler
                        .windowListing()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "Site " + scheduler.site() + " does not list its windows; ask without Until."));
                response.setWindows(SiteTranslator.message(
                        listing.freeWindows(request, new TimeSlot(notBefore, message.getUntil()))));
            }
            response.setSite(SiteTranslator.message(SiteDescription.of(scheduler)));
            return response;
        });
    }

    @Override
    public SubmitResponse submit(Submit message)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        return answer("Submit", () -> {
            var response = new SubmitResponse();
            if (message.getCheck() != null) {
                var check = message.getCheck();
                var requester = SiteTranslator.requester(check.getRequester(), List.of(), null);
                checkRequester("Job", "to be checked", requester);
                jobStarter().check(JobTranslator.program(check.getProgram()), requester);
                return response;
            } else if (message.getJob() != null) {
                var job = JobTranslator.job(message.getJob());
                checkRequester("Job", job.name().key().value(), job.name().requester());
                response.setJob(JobTranslator.message(job.name(), jobStarter().start(job)));
                return response;
            }
            var key = SiteTranslator.key(message.getKey());
            var request = SiteTranslator.request(message.getRequest())
                    .by(MessageContext.call().subject().name());
            checkRequester("Reservation", key.value(), request.requester());
            var reservation = scheduler.reserve(key, request, SiteTranslator.required("start", message.getStart()));
            response.setReservation(SiteTranslator.message(reservation));
            return response;
        });
    }

    private void checkRequester(String type, String name, Optional<Requester> named) {
        String requester = named.map(Requester::subject).orElse("");
        var call = MessageContext.call();
        boolean forAnother = !requester.equals(call.subject().name());
        if (!guard.permits(call, new ProtectedResource(type, name, requester), forAnother ? requester : "")) {
            throw new IllegalArgumentException("The sender may not reserve for (" + XmlText.of(requester) + ") here.");
        }
    }

    @Override
    public CancelResponse cancel(Cancel message)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        return answer("Cancel", () -> {
            scheduler.cancel(SiteTranslator.id(message.getId()));
            return new CancelResponse();
        });
    }

    @Override
    public StateResponse state(State message)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        return answer("State", () -> {
            var response = new StateResponse();
            if (message.getWholeSite() != null) {
                response.setSite(SiteTranslator.message(SiteDescription.of(scheduler)));
                var load = scheduler.loadReporting();
                if (message.getWholeSite().isLoad() && load.isPresent()) {
                    response.setLoad(SiteTranslator.message(load.get().load()));
                }
            } else if (message.getIds() != null) {
                var ids = SiteTranslator.bounded(
                                "reservation ids", message.getIds().getId())
                        .stream()
                        .map(SiteTranslator::id)
                        .toList();
                scheduler
                        .states(ids)
                        .values()
                        .forEach(status -> response.getListed().add(SiteTranslator.message(status)));
            } else if (message.getJobs() != null) {
                var names = SiteTranslator.bounded("jobs", message.getJobs().getJob()).stream()
                        .map(JobTranslator::name)
                        .toList();
                jobStarter()
                        .jobs(names)
                        .forEach((name, status) -> response.getJob().add(JobTranslator.message(name, status)));
            } else if (message.getKey() != null) {
                scheduler
                        .find(SiteTranslator.key(message.getKey()))
                        .map(SiteTranslator::message)
                        .ifPresent(response::setStatus);
            } else {
                response.setStatus(SiteTranslator.message(scheduler.state(SiteTranslator.id(message.getId()))));
            }
            return response;
        });
    }

    @Override
    public BindResponse bind(Bind message)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        return answer("Bind", () -> {
            runtimeSupport()
                    .bind(
                            SiteTranslator.id(message.getId()),
                            SiteTranslator.bounded("node addresses", message.getNodeAddress()));
            return new BindResponse();
        });
    }

    @Override
    public PublishResponse publish(Publish message)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        return answer("Publish", () -> {
            runtimeSupport()
                    .publish(
                            SiteTranslator.id(message.getId()),
                            SiteTranslator.required("name", message.getName()),
                            text(SiteTranslator.required("content", message.getContent())));
            return new PublishResponse();
        });
    }

    private JobStarter jobStarter() {
        return scheduler
                .jobStarter()
                .orElseThrow(() -> new IllegalArgumentException("Site " + scheduler.site() + " runs no programs."));
    }

    private RuntimeSupport runtimeSupport() {
        return scheduler
                .runtimeSupport()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Site " + scheduler.site() + " has no run-time support: neither Bind nor Publish."));
    }

    private static String text(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("The content (" + utf8.length + " bytes) must be text in UTF-8.", e);
        }
    }

    /** One operation, whose exceptions become faults. */
    private interface Operation<T> {
        T run() throws LocalSchedulerException;
    }

    private <T> T answer(String operation, Operation<T> work)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault, BadRequestFault {
        try {
            return work.run();
        } catch (LocalSchedulerException e) {
            LOG.debug("{} at site {}: {}", operation, scheduler.site(), e.toString());
            return AdapterFaults.raise(e);
        } catch (IllegalArgumentException e) {
            SendersFault.mark();
            throw AdapterFaults.badRequest(e.getMessage());
        } catch (NotAllowedException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("{} at site {} failed with an internal error", operation, scheduler.site(), e);
            throw AdapterFaults.internalError(scheduler.site().value());
        }
    }
}
