package org.metasched.adapter.policy;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SubjectName;
import org.metasched.adapter.TimeSlot;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;

/**
 * Reads the mapping under {@code policy:}.
 *
 * @param policy the rules
 * @param vos patterns of the members' subjects, by name of the virtual organisation
 * @param zone time zone of days and months
 * @param ledger file of the grants; rules that limit usage over several reservations need it
 */
public record PolicySettings(SitePolicy policy, Map<String, List<Pattern>> vos, ZoneId zone, Optional<Path> ledger) {

    private static final Set<String> KEYS = Set.of("rules", "zone", "ledger", "vos");
    private static final Set<String> RULE_KEYS =
            Set.of(("name subjects vos servers projects together deny most-nodes longest least-notice look-ahead"
                            + " most-nodes-at-a-time most-reservations node-hours-per-month share black-outs require")
                    .split(" "));
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})%");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,8}");

    static PolicySettings from(Settings settings) {
        var parsed = read(settings);
        settings.refuseIf(
                parsed.policy.counts() && parsed.ledger.isEmpty(),
                "ledger",
                "the rules share, most-nodes-at-a-time, most-reservations and node-hours-per-month count what was granted: name the file that"
                        + " remembers it");
        return parsed;
    }

    /** The rules for a simulation, whose grants are not kept in a file. */
    public static PolicySettings withoutLedger(Settings settings) {
        var parsed = read(settings);
        return new PolicySettings(parsed.policy, parsed.vos, parsed.zone, Optional.empty());
    }

    private static PolicySettings read(Settings settings) {
        settings.allowOnly(KEYS);
        var rules = new ArrayList<PolicyRule>();
        var vos = vos(settings);
        for (Settings rule : settings.sections("rules")) {
            rules.add(rule(rule, vos));
        }
        settings.refuseIf(rules.isEmpty(), "rules", "expected a sequence of rules");
        var policy = new SitePolicy(rules);
        Optional<Path> ledger = settings.path("ledger");
        ledger.ifPresent(file -> settings.refuseIf(
                !file.isAbsolute(), "ledger", "expected an absolute path, not (%s)", DisplayText.of(file.toString())));
        return new PolicySettings(policy, vos, zone(settings), ledger);
    }

    private static ZoneId zone(Settings settings) {
        return settings.text("zone")
                .map(name -> parsed(settings, "zone", name, ZoneId::of, "a zone such as Europe/Berlin"))
                .orElse(ZoneOffset.UTC);
    }

    private static <T> T parsed(
            Settings settings, String key, String text, Function<String, T> parser, String expected) {
        try {
            return parser.apply(text);
        } catch (DateTimeException e) {
            throw settings.invalid(key, "expected " + expected + ", not (" + DisplayText.of(text) + ")");
        }
    }

    /** Patterns of members by the name of their virtual organisation. */
    private static Map<String, List<Pattern>> vos(Settings settings) {
        var vos = new TreeMap<String, List<Pattern>>();
        for (Settings vo : settings.sections("vos")) {
            vo.allowOnly(Set.of("name", "members"));
            List<Pattern> members = globs(vo.texts("members"));
            boolean isRepeated = vos.put(vo.requiredText("name"), members) != null;
            vo.refuseIf(members.isEmpty() || isRepeated, "name", "expected each VO once, with at least one member");
        }
        return vos;
    }

    /** Patterns of the subjects that a rule names, and of the members of the virtual organisations that it names. */
    private static List<Pattern> subjects(Settings rule, Map<String, List<Pattern>> vos) {
        var subjects = new ArrayList<>(globs(rule.texts("subjects")));
        for (String vo : rule.texts("vos")) {
            List<Pattern> members = vos.get(vo);
            if (members == null) {
                throw rule.invalid("vos", "expected names that policy: vos: defines, not (" + DisplayText.of(vo) + ")");
            }
            subjects.addAll(members);
        }
        return subjects;
    }

    private static PolicyRule rule(Settings rule, Map<String, List<Pattern>> vos) {
        rule.allowOnly(RULE_KEYS);
        String name = rule.requiredText("name");
        rule.refuseIf(
                !NAME.matcher(name).matches(),
                "name",
                "expected 1 to 64 letters, digits, ' ', '_', '.' or '-', beginning with a letter or digit, not (%s)",
                DisplayText.of(name));
        return new PolicyRule(
                name,
                new PolicyRule.Whom(
                        subjects(rule, vos),
                        globs(rule.texts("servers")),
                        globs(rule.texts("projects")),
                        rule.flag("together").orElse(false)),
                rule.flag("deny").orElse(false),
                rule.number("most-nodes", 0, Integer.MAX_VALUE),
                length(rule, "longest"),
                length(rule, "least-notice"),
                length(rule, "look-ahead"),
                rule.number("most-reservations", 0, Integer.MAX_VALUE),
                rule.number("node-hours-per-month", 0, Integer.MAX_VALUE),
                shares(rule),
                rule.sections("black-outs").stream()
                        .map(PolicySettings::blackOut)
                        .toList(),
                rule.text("require").map(text -> expression(rule, text)));
    }

    private static List<Pattern> globs(List<String> subjects) {
        return subjects.stream().map(SubjectName::pattern).toList();
    }

    private static Optional<Duration> length(Settings rule, String key) {
        Optional<Duration> length = rule.duration(key);
        if (length.isPresent() && (length.get().isNegative() || length.get().compareTo(Duration.ofDays(36_500)) > 0)) {
            throw rule.invalid(key, "expected from 0s to a hundred years, not (" + length.get() + ")");
        }
        return length;
    }

    /** The shares of a rule; {@code most-nodes-at-a-time} becomes a share of each subject, or of all together with {@code together}. */
    private static List<PolicyRule.Share> shares(Settings rule) {
        var shares = new ArrayList<>(
                rule.sections("share").stream().map(PolicySettings::share).toList());
        rule.number("most-nodes-at-a-time", 0, Integer.MAX_VALUE)
                .ifPresent(most -> shares.add(new PolicyRule.Share(most, false, DailyPeriod.ALWAYS, true)));
        return shares;
    }

    private static PolicyRule.Share share(Settings share) {
        share.allowOnly(Set.of("most", "from", "until", "days"));
        String most = share.requiredText("most");
        var percent = PERCENT.matcher(most);
        boolean isPercent = percent.matches();
        if (!isPercent && !NUMBER.matcher(most).matches() || isPercent && Integer.parseInt(percent.group(1)) > 100) {
            throw share.invalid(
                    "most", "expected a number of nodes, or a part such as 50%, not (" + DisplayText.of(most) + ")");
        }
        var days = EnumSet.noneOf(DayOfWeek.class);
        share.texts("days").forEach(day -> days.add(day(share, day)));
        var period = new DailyPeriod(
                time(share, "from"), time(share, "until"), days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days);
        return new PolicyRule.Share(Integer.parseInt(isPercent ? percent.group(1) : most), isPercent, period, false);
    }

    private static DayOfWeek day(Settings share, String text) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (text.length() >= 3 && day.name().startsWith(text.toUpperCase(Locale.ROOT))) {
                return day;
            }
        }
        throw share.invalid("days", "expected days such as [mon, tue], not (" + DisplayText.of(text) + ")");
    }

    private static LocalTime time(Settings share, String key) {
        return share.text(key)
                .map(text -> parsed(share, key, text, LocalTime::parse, "a time of day such as \"08:00\""))
                .orElse(LocalTime.MIDNIGHT);
    }

    private static TimeSlot blackOut(Settings blackOut) {
        blackOut.allowOnly(Set.of("from", "until"));
        Instant from = instant(blackOut, "from");
        Instant until = instant(blackOut, "until");
        blackOut.refuseIf(!from.isBefore(until), "until", "expected an instant after %s", from);
        return new TimeSlot(from, until);
    }

    private static Instant instant(Settings settings, String key) {
        String text = settings.requiredText(key);
        return parsed(settings, key, text, Instant::parse, "an instant such as 2030-12-24T00:00:00Z");
    }

    private static Expr expression(Settings rule, String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw rule.invalid("require", "expected a ClassAd expression: " + e.getMessage());
        }
    }
}
