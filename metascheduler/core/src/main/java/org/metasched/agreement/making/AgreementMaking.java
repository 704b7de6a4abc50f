package org.metasched.agreement.making;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementChanges;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.guarantee.ServiceLevels;
import org.metasched.negotiation.InPlaceChange;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.sites.SiteCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The making of agreements, assembled: services for users, and what monitoring and a server's start and stop need. Thread-safe. */
public final class AgreementMaking {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementMaking.class);

    private final Sites sites;
    private final ServiceLevels levels;
    private final Parts parts;
    private final MakingContext context;
    private final DegradedRepair repair;
    private final OngoingNegotiations negotiations;
    private final OfferService offers;

    /** Access to the sites: single calls, negotiations, and the release of orphans. */
    public record Sites(SiteCalls calls, NegotiationEngine engine, OrphanSweeper sweeper) {}

    /**
     * Sites, promises and templates on offer.
     *
     * @param selector finds sites for terms that leave the place open
     * @param levels language of the expressions in guarantee terms
     * @param templates the templates that are on offer at the time of the call
     */
    public record Terms(SiteSelector selector, ServiceLevels levels, Supplier<List<AgreementTemplate>> templates) {}

    /** Collaborators of the offer service. */
    record Parts(
            MakingContext context,
            OfferCheck check,
            OfferPlanner planner,
            InPlaceRenegotiation renegotiation,
            OfferSettlement settlement,
            HeldOffers holds,
            PendingOffers pending,
            AgreementTermination termination,
            QuotaUsage usage,
            OfferLocks locks) {

        AgreementBooks books() {
            return context.books();
        }
    }

    /** @param background runs the negotiations of pending offers; the caller shuts it down */
    public AgreementMaking(AgreementBooks books, Sites sites, Terms terms, ExecutorService background, Clock clock) {
        this.sites = sites;
        levels = terms.levels();
        context = new MakingContext(
                books, new AgreementChanges(books, clock), sites.sweeper(), new OffersUnderWay(), background, clock);
        var directory = sites.calls().directory();
        var check = new OfferCheck(terms, directory, clock);
        var feasible =
                new FeasibleAlternatives(terms.selector(), new ProgramAdmission(sites.calls()), directory, clock);
        var negotiator = new OfferNegotiator(sites.engine(), feasible);
        var inPlace = new InPlaceChange(books.journal(), sites.calls(), sites.sweeper(), clock);
        var renegotiation = new InPlaceRenegotiation(negotiator, inPlace, feasible);
        var holds = new HeldOffers(context, negotiator, renegotiation, check);
        var termination = new AgreementTermination(context);
        var settlement = new OfferSettlement(context, termination, holds);
        var usage = new QuotaUsage(books.agreements(), clock);
        parts = new Parts(
                context,
                check,
                new OfferPlanner(check, negotiator, feasible, clock),
                renegotiation,
                settlement,
                holds,
                new PendingOffers(context, negotiator, settlement),
                termination,
                usage,
                new OfferLocks(books));
        offers = new OfferService(parts);
        negotiations = new OngoingNegotiations(holds, books.negotiations(), clock);
        repair = new DegradedRepair(context, negotiator);
        context.changes().onChange(usage);
    }

    public AgreementBooks books() {
        return context.books();
    }

    /** Calls to the sites. */
    public SiteCalls calls() {
        return sites.calls();
    }

    /** The sweeper that gives orphaned reservations back. */
    public OrphanSweeper sweeper() {
        return sites.sweeper();
    }

    /** The language of guarantee terms. */
    public ServiceLevels levels() {
        return levels;
    }

    public OfferService offers() {
        return offers;
    }

    /** Negotiations about offers (GFD.193). */
    public OngoingNegotiations negotiations() {
        return negotiations;
    }

    /** Saves changes of state and notifies listeners. */
    public AgreementChanges changes() {
        return context.changes();
    }

    public AgreementTermination termination() {
        return parts.termination();
    }

    /** The replacement of reservations that lost nodes before their slot. */
    public DegradedRepair repair() {
        return repair;
    }

    /** Offers that are being negotiated now. */
    public OffersUnderWay underWay() {
        return context.underWay();
    }

    /**
     * Marks the unfinished reservations of processes that are gone as orphans, and decides their pending offers again. To be called at the
     * start of a server before any offer, and from time to time if servers share the store.
     */
    public void recover() {
        int orphans = sites.sweeper().strandUnfinished();
        parts.locks().releasePostponed();
        int left = parts.pending().recover();
        if (orphans + left > 0) {
            LOG.info("Recovery: {} reservations to give back, {} pending offers to decide", orphans, left);
        }
    }
}
