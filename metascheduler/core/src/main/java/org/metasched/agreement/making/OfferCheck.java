package org.metasched.agreement.making;

import static java.time.temporal.ChronoUnit.SECONDS;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.AgreementMaking.Terms;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.sites.SiteDirectory;

/** Checks an offer before any site is asked. Thread-safe. */
record OfferCheck(Terms terms, SiteDirectory sites, Clock clock) {

    /** Most by which a caller's clock may be behind this one. */
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    List<AgreementTemplate> templates() {
        return terms.templates().get();
    }

    /** The reason to refuse an offer without asking a site; empty if there is none. */
    Optional<Refused> objection(AgreementOffer offer) {
        var templatesNow = templates();
        if (templatesNow.stream().noneMatch(t -> t.key().equals(offer.template()))) {
            return no(
                    RefusalCode.TEMPLATE_UNKNOWN,
                    "The template (" + offer.template() + ") is not on offer; on offer are "
                            + templatesNow.stream().map(AgreementTemplate::key).toList() + ".");
        }
        var now = clock.instant();
        if (offer.expiration().filter(e -> !e.isAfter(now)).isPresent()) {
            return no(
                    RefusalCode.TOO_LATE,
                    "The expiration time (" + offer.expiration().get() + ") of the offer must be after the present ("
                            + now.truncatedTo(SECONDS) + ").");
        }
        try {
            offer.guarantees().forEach(terms.levels()::check);
            offer.alternatives().forEach(terms.selector()::check);
        } catch (IllegalArgumentException e) {
            return no(RefusalCode.OFFER_INVALID, Objects.requireNonNullElse(e.getMessage(), ""));
        }
        var objections = offer.alternatives().stream().map(this::objection).toList();
        return objections.stream().allMatch(Optional::isPresent) ? objections.get(0) : Optional.empty();
    }

    /** The reason why an agreement is not replaced; empty if it may be, or if none is named. */
    static Optional<Refused> objection(Optional<AgreementId> replaced, Optional<Agreement> old) {
        var living = old.filter(a -> a.state() == AgreementState.OBSERVED);
        String why = living.isEmpty() ? " is not observed." : " was made for a grid above or for a claim.";
        return replaced.filter(id -> living.isEmpty() || !id.isRandom())
                .flatMap(id -> no(RefusalCode.WITHDRAWN, "The agreement " + id + why));
    }

    /** The offer without alternatives at unknown sites or at times that have passed; unchanged if none would be left. */
    AgreementOffer possible(AgreementOffer offer) {
        var left = offer.alternatives().stream()
                .filter(a -> objection(a).isEmpty())
                .toList();
        return left.isEmpty() ? offer : offer.with(left, offer.guarantees());
    }

    private Optional<Refused> objection(AgreementRequest request) {
        return unknownSite(request).or(() -> late(request, clock.instant()));
    }

    private Optional<Refused> unknownSite(AgreementRequest request) {
        for (var part : request.parts()) {
            if (part.site().isPresent() && sites.find(part.site().get()).isEmpty()) {
                return Optional.of(new Refused(
                        RefusalCode.SITE_UNKNOWN,
                        "The site (" + part.site().get() + ") of term " + part.term()
                                + " is not configured; known sites are " + sites.sites() + "."));
            }
        }
        return Optional.empty();
    }

    private static Optional<Refused> late(AgreementRequest request, Instant now) {
        if (request.earliest().filter(e -> e.isAfter(LATEST)).isPresent()) {
            return no(
                    RefusalCode.OFFER_INVALID,
                    "The earliest start (" + request.earliest().get() + ") must not be after " + LATEST + ".");
        }
        if (request.earliest().filter(e -> e.isBefore(now.minus(TOLERANCE))).isPresent()) {
            return no(
                    RefusalCode.TOO_LATE,
                    "The earliest start (" + request.earliest().get() + ") must not be in the past; it is "
                            + now.truncatedTo(SECONDS) + " now.");
        }
        var begin = request.earliest().filter(e -> e.isAfter(now)).orElse(now);
        for (int i = 0; i < request.parts().size(); i++) {
            var part = request.parts().get(i);
            var end = begin.plus(request.timing().head(i)).plus(part.request().duration());
            if (request.deadline().filter(d -> d.isBefore(end)).isPresent()) {
                return no(
                        RefusalCode.TOO_LATE,
                        "The term " + part.term() + " cannot end before " + end.truncatedTo(SECONDS)
                                + ", which is after the deadline ("
                                + request.deadline().get() + ").");
            }
        }
        return Optional.empty();
    }

    private static Optional<Refused> no(RefusalCode code, String reason) {
        return Optional.of(new Refused(code, reason));
    }
}
