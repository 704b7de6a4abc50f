package org.metasched.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.client.AgreementView;

/**
 * The site ads of an agreement, each with the reservation that is held there, for a matchmaker or a binder of DAGs to choose
 * from.
 *
 * <p>Such an ad has {@code ReservationId}, {@code ReservationStart} and {@code ReservationEnd} in seconds since the
 * epoch, {@code ReservationNodes}, and in its {@code SiteEnvironment} the variable {@code METASCHED_RESERVATION}.
 */
public final class AgreementSites {

    private AgreementSites() {}

    /**
     * The ads of the agreement's sites, in the order of its parts; {@code O(parts * ads)}.
     *
     * @param ads ads of sites; those of other sites are left out
     * @throws IllegalArgumentException if the agreement holds nothing at any of these sites
     */
    public static List<ClassAd> of(AgreementView agreement, List<ClassAd> ads) {
        var reserved = new ArrayList<ClassAd>();
        for (var part : agreement.sites()) {
            for (ClassAd ad : ads) {
                if (ClassAdSiteSelector.siteOf(ad).orElse("").equals(part.site())) {
                    reserved.add(withReservation(ad, part));
                }
            }
        }
        if (reserved.isEmpty()) {
            throw new IllegalArgumentException("The agreement (" + agreement.agreementId() + ") is " + agreement.state()
                    + " and holds nothing at a site that has an ad; its sites are ["
                    + agreement.sites().stream()
                            .map(AgreementView.SiteView::site)
                            .collect(Collectors.joining(", "))
                    + "].");
        }
        return reserved;
    }

    private static ClassAd withReservation(ClassAd ad, AgreementView.SiteView part) {
        String environment = ad.findString("SiteEnvironment").orElse("");
        return ad.with("ReservationId", part.reservationId())
                .with("ReservationStart", part.start().getEpochSecond())
                .with("ReservationEnd", part.end().getEpochSecond())
                .with("ReservationNodes", (long) part.amount())
                .with("SiteEnvironment", extended(environment, part.reservationId()));
    }

    /** The environment with the reservation added, in its own syntax: double quotes with spaces between variables, else semicolons. */
    private static String extended(String environment, String reservation) {
        String plain = reservation.replaceAll("[^A-Za-z0-9._:/@+-]", "_");
        String variable = "METASCHED_RESERVATION=" + plain;
        if (environment.length() > 1 && environment.startsWith("\"") && environment.endsWith("\"")) {
            return environment.substring(0, environment.length() - 1) + " " + variable + "\"";
        }
        return environment.isEmpty() ? variable : environment + ";" + variable;
    }
}
