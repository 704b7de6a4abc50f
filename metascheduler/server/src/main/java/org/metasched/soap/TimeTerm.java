package org.metasched.soap;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.metasched.adapter.DisplayText;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.wsag.time.InstantAdapter;
import org.w3c.dom.Element;

/**
 * A service description term with the earliest start, latest end and length of a service. The length is written in minutes, as the authors of its
 * schema use it.
 *
 * @param name name of the term
 * @param service name of the service whose time it bounds
 * @param duration length; empty if the window from start to end is the length
 */
record TimeTerm(
        String name, String service, Optional<Instant> start, Optional<Instant> end, Optional<Duration> duration) {

    static boolean describes(Element content) {
        return XmlTrees.is(content, XmlNames.SCHEDULING, "TimeConstraint")
                || XmlTrees.is(content, XmlNames.ALLOCATION, "AllocationTimeConstraint");
    }

    /** The time from start to end, which is the length where the term has none; empty without both ends. */
    Optional<Duration> window() {
        return start.flatMap(s -> end.map(e -> Duration.between(s, e)));
    }

    static TimeTerm of(String name, String service, Element content) {
        String namespace = content.getNamespaceURI();
        var start =
                XmlTrees.childText(content, namespace, "StartTime").map(t -> instant("Term " + name, "StartTime", t));
        var end = XmlTrees.childText(content, namespace, "EndTime").map(t -> instant("Term " + name, "EndTime", t));
        var minutes = XmlTrees.childText(content, namespace, "Duration").map(t -> minutes(name, t));
        if (start.isPresent() && end.isPresent()) {
            var window = Duration.between(start.get(), end.get());
            if (window.isNegative() || window.isZero()) {
                throw new InvalidOfferException("Term " + name + ": its EndTime (" + end.get()
                        + ") must be after its StartTime (" + start.get() + ").");
            }
            if (minutes.filter(d -> d.compareTo(window) > 0).isPresent()) {
                throw new InvalidOfferException("Term " + name + ": its Duration (" + minutes.get()
                        + ") does not fit between its StartTime and its EndTime (" + window + ").");
            }
        }
        return new TimeTerm(name, service, start, end, minutes);
    }

    /**
     * An instant with a zone.
     *
     * @param where the term or the context that has it
     * @param what name of the element
     * @throws InvalidOfferException without one: two sites would read it as two instants
     */
    static Instant instant(String where, String what, String text) {
        try {
            return InstantAdapter.instant(text);
        } catch (DateTimeParseException e) {
            throw new InvalidOfferException(where + ": the " + what + " ("
                    + DisplayText.of(text, 40)
                    + ") must be a date and time with a zone, such as 2030-01-05T16:00:00Z.");
        }
    }

    private static Duration minutes(String name, String text) {
        int minutes = Integer.parseInt(text);
        if (minutes < 1) {
            throw new InvalidOfferException(
                    "Term " + name + ": its Duration (" + minutes + " minutes) must be positive.");
        }
        return Duration.ofMinutes(minutes);
    }
}
