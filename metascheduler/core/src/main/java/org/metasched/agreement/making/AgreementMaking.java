package org.metasched.agreement.making;

import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementChanges;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.guarantee.ServiceLevels;
import org.metasched.negotiation.InPlaceChange;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.sites.SiteCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services that make agreements, and what monitoring and a server's start and stop need. Thread-safe.
 *
 * @param calls calls to the sites
 * @param sweeper gives orphans back
 * @param levels language of the expressions in guarantee terms
 * @param negotiations negotiations about offers (GFD.193)
 * @param changes saves changes of agreements and notifies listeners
 * @param repair replaces reservations that lost nodes before their slot
 * @param underWay offers that are being negotiated now
 */
public record AgreementMaking(
        AgreementBooks books,
        SiteCalls calls,
        OrphanSweeper sweeper,
        ServiceLevels levels,
        OfferService offers,
        OngoingNegotiations negotiations,
        AgreementChanges changes,
        AgreementTermination termination,
        DegradedRepair repair,
        OffersUnderWay underWay) {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementMaking.class);

    /** Most agreements that are looked through at a start. */
    private static final int MOST_SEARCHED = 1_000;

    private static final int MOST_NAMED = 5;

    /** Access to the sites: single calls, negotiations, and the release of orphans. */
    public record Sites(SiteCalls calls, NegotiationEngine engine, OrphanSweeper sweeper) {}

    /**
     * Rules of offers: the choice of sites, the language of guarantee terms, and the templates.
     *
     * @param selector finds sites for terms that name none
     * @param levels language of the expressions in guarantee terms
     * @param templates the templates that are on offer at the time of the call
     */
    public record Terms(SiteSelector selector, ServiceLevels levels, Supplier<List<AgreementTemplate>> templates) {}

    /** Steps of making an agreement, which the offer service calls. */
    record Steps(
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

    /**
     * Assembles the services.
     *
     * @param background runs the negotiations of pending offers; the caller shuts it down
     */
    public static AgreementMaking of(
            AgreementBooks books, Sites sites, Terms terms, ExecutorService background, Clock clock) {
        var changes = new AgreementChanges(books, clock);
        var underWay = new OffersUnderWay();
        var context = new MakingContext(books, changes, sites.sweeper(), underWay, background, clock);
        var directory = sites.calls().directory();
        var check = new OfferCheck(terms, directory, clock);
        var programs = new ProgramAdmission(sites.calls());
        var feasible = new FeasibleAlternatives(terms.selector(), programs, directory, clock);
        var negotiator = new OfferNegotiator(sites.engine(), feasible);
        var inPlace = new InPlaceChange(books.journal(), sites.calls(), sites.sweeper(), clock);
        var renegotiation = new InPlaceRenegotiation(negotiator, inPlace, feasible);
        var holds = new HeldOffers(context, negotiator, renegotiation, check);
        var termination = new AgreementTermination(context);
        var settlement = new OfferSettlement(context, termination, holds);
        var usage = new QuotaUsage(books.agreements(), clock);
        changes.onChange(usage);
        var planner = new OfferPlanner(check, negotiator, clock);
        var pending = new PendingOffers(context, negotiator, settlement);
        var locks = new OfferLocks(books);
        return new AgreementMaking(
                books,
                sites.calls(),
                sites.sweeper(),
                terms.levels(),
                new OfferService(new Steps(
                        context, check, planner, renegotiation, settlement, holds, pending, termination, usage, locks)),
                new OngoingNegotiations(holds, books.negotiations(), clock),
                changes,
                termination,
                new DegradedRepair(context, negotiator),
                underWay);
    }

    /** Recovers, and warns of sites that are not configured. To be called when a server starts, before any offer. */
    public void start() {
        recover();
        missingSites().forEach(LOG::warn);
    }

    /** A sentence about each site that is not configured and has reservations of agreements. */
    List<String> missingSites() {
        var living = offers.newest(EnumSet.of(AgreementState.OBSERVED), Optional.empty(), MOST_SEARCHED);
        return living.stream()
                .flatMap(agreement -> agreement.commitments().stream())
                .map(SiteCommitment::site)
                .distinct()
                .filter(site -> calls.directory().find(site).isEmpty())
                .map(site -> {
                    var ids = living.stream()
                            .filter(a -> a.isAt(site.value()))
                            .map(Agreement::id)
                            .toList();
                    return "Site " + site + " is not configured, so its agreements stay as they are: " + ids.size()
                            + ", such as " + ids.stream().limit(MOST_NAMED).toList();
                })
                .toList();
    }

    /**
     * Marks the unfinished reservations of processes that are gone as orphans, and decides their pending offers again. To be called from
     * time to time if servers share the store.
     */
    public void recover() {
        int orphans = sweeper.orphanUnfinished();
        int left = offers.recover();
        if (orphans + left > 0) {
            LOG.info("Recovery: {} reservations to give back, {} pending offers to decide", orphans, left);
        }
    }
}
