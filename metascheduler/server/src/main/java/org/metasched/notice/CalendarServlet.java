package org.metasched.notice;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.metasched.adapter.Sha256Digest;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.making.OfferService;
import org.metasched.subscription.NoticeSubscription;
import org.metasched.subscription.SubscriptionStore;

/**
 * Servlet of {@code GET /calendars/NAME.ics}: a calendar at an address that cannot be guessed, for programs that cannot authenticate
 * themselves. The database has the digest of the name only. Thread-safe.
 */
public final class CalendarServlet extends HttpServlet {

    /** The most agreements that are to come, and again the newest ones, among which those of a calendar are looked for. */
    private static final int MOST_AGREEMENTS = 5_000;

    private static final Duration FAR = Duration.ofDays(7320);

    private static final Pattern PATH = Pattern.compile("/([0-9a-f]{32})\\.ics");

    private final transient OfferService offers;
    private final transient SubscriptionStore store;
    private final transient Clock clock;

    public CalendarServlet(OfferService offers, SubscriptionStore store, Clock clock) {
        this.offers = offers;
        this.store = store;
        this.clock = clock;
    }

    /** The id of the calendar at a private name. */
    public static String idOf(String name) {
        return HexFormat.of().formatHex(Sha256Digest.of(name.getBytes(StandardCharsets.US_ASCII)), 0, 16);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var calendarPath = PATH.matcher(String.valueOf(request.getPathInfo()));
        var calendar = calendarPath.matches()
                ? store.find(idOf(calendarPath.group(1))).filter(NoticeSubscription::isCalendar)
                : Optional.<NoticeSubscription>empty();
        response.setHeader("Cache-Control", "private, no-cache");
        if (calendar.isEmpty()) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        send(text(calendar.get()), response);
    }

    /** Sends a calendar as calendar programs take it. */
    public static void send(String calendar, HttpServletResponse response) throws IOException {
        response.setContentType("text/calendar; charset=utf-8");
        response.getOutputStream().write(calendar.getBytes(StandardCharsets.UTF_8));
    }

    private String text(NoticeSubscription calendar) {
        return calendar.about()
                .map(site -> CalendarText.ofSite(site, agreements(a -> a.isAt(site))))
                .orElseGet(() -> CalendarText.ofPerson(
                        agreements(a -> AgreementNotices.people(a).contains(calendar.owner()))));
    }

    private List<Agreement> agreements(Predicate<Agreement> wanted) {
        var now = clock.instant();
        var found = new LinkedHashMap<AgreementId, Agreement>();
        Stream.of(offers.newest(MOST_AGREEMENTS), offers.holding(new TimeSlot(now, now.plus(FAR)), MOST_AGREEMENTS))
                .flatMap(List::stream)
                .filter(wanted)
                .forEach(agreement -> found.put(agreement.id(), agreement));
        return List.copyOf(found.values());
    }
}
