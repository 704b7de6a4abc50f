package org.metasched.cli.dag;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.cli.output.Failure;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.dag.binding.BoundDag;
import org.metasched.soap.AgreementView;

/** The site ads of an agreement, each with the reservation that is held there. */
final class AgreementSites {

    private AgreementSites() {}

    /** @throws Failure when the agreement holds nothing at any of these sites */
    static List<ClassAd> of(URI server, String id, List<ClassAd> ads) {
        AgreementView agreement = AgreementCalls.on(server, client -> client.show(id));
        var reserved = new ArrayList<ClassAd>();
        for (var part : agreement.sites()) {
            for (ClassAd ad : ads) {
                if (siteOf(ad).equals(part.site())) {
                    reserved.add(withReservation(ad, part));
                }
            }
        }
        if (reserved.isEmpty()) {
            throw Failure.badInput("The agreement (" + id + ") is " + agreement.state()
                    + " and holds nothing at a site that has an ad; its sites are ["
                    + String.join(
                            ", ",
                            agreement.sites().stream()
                                    .map(AgreementView.SiteView::site)
                                    .toList()) + "].");
        }
        return reserved;
    }

    private static String siteOf(ClassAd ad) {
        return ad.evaluate("Site") instanceof Value.Text site ? site.text() : BoundDag.siteName(ad);
    }

    private static ClassAd withReservation(ClassAd ad, AgreementView.SiteView part) {
        String environment = ad.evaluate("SiteEnvironment") instanceof Value.Text text ? text.text() : "";
        return ad.with("ReservationId", part.reservationId())
                .with("ReservationStart", part.start().getEpochSecond())
                .with("ReservationEnd", part.end().getEpochSecond())
                .with("ReservationNodes", (long) part.nodes())
                .with("SiteEnvironment", extended(environment, part.reservationId()));
    }

    /** In the syntax that the site writes: the new one stands in double quotes. */
    private static String extended(String environment, String reservation) {
        String plain = reservation.replaceAll("[^A-Za-z0-9._:/@+-]", "_");
        String variable = "METASCHED_RESERVATION=" + plain;
        if (environment.length() > 1 && environment.startsWith("\"") && environment.endsWith("\"")) {
            return environment.substring(0, environment.length() - 1) + " " + variable + "\"";
        }
        return environment.isEmpty() ? variable : environment + ";" + variable;
    }
}
