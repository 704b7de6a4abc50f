package org.metasched.publisher;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.Settings;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/**
 * The constant part of a site ad: the {@code publish:} section of a {@code site.yaml}.
 *
 * @param name {@code Name} of the ad
 * @param type {@code MyType} of the ad; {@code Machine} if Condor's tools are to see the ad
 * @param maxMatches number of DAGs that may be bound to the site at a time
 * @param every time from one sending to the next
 * @param lifetime time for which the ad is valid, longer than {@code every}; by default three times as long, so that two lost updates do no
 *     harm
 * @param environment values of {@code $ENV(X)} in node submit files, by name, in the order given
 * @param attributes all other attributes, in the order given
 */
public record SiteAdTemplate(
        String name,
        String type,
        int maxMatches,
        Duration every,
        Duration lifetime,
        Map<String, String> environment,
        Map<String, Expr> attributes) {

    /** Requirements of a site that states none: any job, while there is room. */
    public static final String ROOM = "CurMatches < MaxMatches";

    /** Requirements of a site that takes DAGs only, as the sites of 2003 stated them; they match no other job of a pool. */
    public static final String ROOM_FOR_DAGS = ROOM + " && TARGET.WANT_USCMS_MATCHMAKER =?= true";

    private static final Set<String> KEYS =
            Set.of(("name type every lifetime max-matches count-queue simultaneous-jobs usual-group-size"
                            + " requirements rank environment attributes expressions")
                    .split(" "));
    /** Attributes that sections of further ones may not have, in lower case. */
    private static final Set<String> OWN =
            Set.of(("name mytype updatesequencenumber mycurrenttime classadlifetime curmatches curmatchesaround"
                            + " maxmatches siteenvironment requirements rank")
                    .split(" "));

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,255}");
    private static final Pattern INTEGER = Pattern.compile("[-+]?\\d{1,18}");
    private static final Pattern REAL = Pattern.compile("[-+]?\\d{1,40}(\\.\\d{1,40})?([eE][-+]?\\d{1,3})?");

    public SiteAdTemplate {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** Template of a site without a {@code publish:} section: up to ten DAGs at a time. */
    public static SiteAdTemplate usual(String site, Duration every) {
        var attributes = new LinkedHashMap<String, Expr>();
        try {
            attributes.put("Requirements", Expr.parse(ROOM));
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("The usual policy does not parse: " + ROOM, e);
        }
        return new SiteAdTemplate(site, "Machine", 10, every, every.multipliedBy(3), Map.of(), attributes);
    }

    /** The template with one more attribute. */
    public SiteAdTemplate with(String attribute, Expr value) {
        var more = new LinkedHashMap<>(attributes);
        more.put(attribute, value);
        return new SiteAdTemplate(name, type, maxMatches, every, lifetime, environment, more);
    }

    /**
     * Reads a {@code publish:} section.
     *
     * @param site the name used if the section has none
     * @param policy the requirements used if the section has none
     */
    public static SiteAdTemplate from(Settings publish, String site, String policy) {
        publish.allowOnly(KEYS);
        Duration every = publish.duration("every").orElse(Duration.ofMinutes(5));
        Duration lifetime = publish.duration("lifetime").orElse(every.multipliedBy(3));
        publish.refuseIf(every.compareTo(Duration.ofSeconds(1)) < 0, "every", "must be at least 1s, not %s", every);
        publish.refuseIf(
                lifetime.compareTo(every) <= 0, "lifetime", "must be longer than every (%s), not %s", every, lifetime);
        return new SiteAdTemplate(
                publish.text("name").orElse(site),
                publish.text("type").orElse("Machine"),
                maxMatches(publish),
                every,
                lifetime,
                environment(publish),
                attributes(publish, policy));
    }

    /** The matches as configured, or the site's simultaneous jobs divided by the usual size of a group, rounded up. */
    private static int maxMatches(Settings publish) {
        var configured = publish.number("max-matches");
        if (configured.isPresent()) {
            if (configured.get() < 0) {
                throw publish.invalid("max-matches", "must not be negative, but is " + configured.get());
            }
            return configured.get();
        }
        int jobs = publish.number("simultaneous-jobs")
                .orElseThrow(() -> publish.invalid(
                        "max-matches", "is missing: expected max-matches, or simultaneous-jobs and usual-group-size"));
        int group = publish.number("usual-group-size").orElse(50);
        if (jobs < 1 || group < 1) {
            throw publish.invalid(jobs < 1 ? "simultaneous-jobs" : "usual-group-size", "must be at least 1");
        }
        return (int) (((long) jobs + group - 1) / group);
    }

    private static Map<String, String> environment(Settings publish) {
        var environment = new LinkedHashMap<String, String>();
        publish.section("environment")
                .ifPresent(section -> section.keys().forEach(name -> {
                    String value = section.text(name).orElseThrow();
                    section.refuseIf(
                            value.chars().anyMatch(Character::isISOControl), name, "must not hold control characters");
                    environment.put(checkedName(section, name), value);
                }));
        return environment;
    }

    private static Map<String, Expr> attributes(Settings publish, String policy) {
        var attributes = new LinkedHashMap<String, Expr>();
        attributes.put("Requirements", expression(publish, "requirements", policy));
        attributes.put("Rank", expression(publish, "rank", "0.0"));
        publish.section("attributes")
                .ifPresent(section -> section.keys()
                        .forEach(name -> attributes.put(
                                attributeName(section, name),
                                literal(section.text(name).orElseThrow()))));
        publish.section("expressions")
                .ifPresent(section -> section.keys()
                        .forEach(name -> attributes.put(attributeName(section, name), expression(section, name, ""))));
        return attributes;
    }

    /** The name of a further attribute; refused if the ad has it from elsewhere. */
    private static String attributeName(Settings section, String name) {
        section.refuseIf(
                OWN.contains(name.toLowerCase(Locale.ROOT)),
                name,
                "expected another attribute: this one identifies the ad, is counted, or has a key of its own in publish:");
        return checkedName(section, name);
    }

    /** The name of a variable or an attribute; refused if it is none. */
    private static String checkedName(Settings section, String name) {
        section.refuseIf(
                !NAME.matcher(name).matches(), name, "must be letters, digits and '_', not beginning with a digit");
        return name;
    }

    private static Expr expression(Settings section, String key, String otherwise) {
        try {
            return Expr.parse(section.text(key).orElse(otherwise));
        } catch (ClassAdSyntaxException e) {
            throw section.invalid(key, "is not a ClassAd expression: " + e.getMessage());
        }
    }

    /** A number or boolean if the text looks like one, else a string. */
    private static Expr literal(String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return Literal.of(Boolean.parseBoolean(text));
        }
        if (INTEGER.matcher(text).matches()) {
            return Literal.of(Long.parseLong(text));
        }
        return REAL.matcher(text).matches() ? Literal.of(Double.parseDouble(text)) : Literal.of(text);
    }
}
