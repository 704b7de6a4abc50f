package org.metasched.adapter.identity;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.SubjectName;
import org.metasched.durable.ReloadedFile;

/**
 * The mapping under {@code identity:}: which requesters a site admits, and as which local users. A denied subject is
 * refused, a listed one becomes its first local user, any other the default user or none. The grid-mapfile is read
 * again when it changes. Thread-safe.
 *
 * @param mapsUsers whether the site maps requesters to local users, that is, whether the mapping {@code identity:} is there
 * @param map the grid-mapfile, if there is one
 * @param defaultUser local user of requesters that are not listed; empty if they are refused
 * @param denied patterns of the subjects that are denied
 */
public record LocalUsers(
        SiteId site,
        boolean mapsUsers,
        Optional<ReloadedFile<GridMapFile>> map,
        Optional<String> defaultUser,
        List<Pattern> denied) {

    static final Set<String> KEYS = Set.of("grid-mapfile", "default", "deny");

    /** Without the mapping no user is looked up, and reservations belong to the account that the adapter runs in. */
    public static LocalUsers from(SiteId site, Optional<Settings> section) {
        if (section.isEmpty()) {
            return new LocalUsers(site, false, Optional.empty(), Optional.empty(), List.of());
        }
        Settings settings = section.get();
        settings.allowOnly(KEYS);
        Optional<String> defaultUser = settings.text("default");
        defaultUser.ifPresent(name -> settings.refuseIf(
                !GridMapFile.isUserName(name), "default", "expected a user name, not (%s)", DisplayText.of(name)));
        var denied = settings.texts("deny").stream().map(SubjectName::pattern).toList();
        var map = settings.path("grid-mapfile").map(file -> new ReloadedFile<>(file, GridMapFile::read));
        return new LocalUsers(site, true, map, defaultUser, denied);
    }

    /**
     * The local user of a requester; empty if this site does not map users.
     *
     * @throws Forbidden when the subject is denied or not listed, naming it
     */
    public Optional<String> userOf(Optional<Requester> requester) throws LocalSchedulerException {
        if (!mapsUsers) {
            return Optional.empty();
        }
        String subject = requester.map(Requester::subject).orElse("");
        String name = SubjectName.canonical(subject);
        if (requester.isPresent()
                && denied.stream().anyMatch(form -> form.matcher(name).matches())) {
            throw new Forbidden("Site " + site + " denies the subject (" + DisplayText.of(subject, 300) + ").");
        }
        Optional<String> user = requester
                .flatMap(known -> map)
                .flatMap(file -> file.get().users(subject).stream().findFirst())
                .or(() -> defaultUser);
        if (user.isEmpty()) {
            throw new Forbidden(
                    requester.isEmpty()
                            ? "Site " + site
                                    + " maps certificates to users, but the request came without a certificate."
                            : "Site " + site + " has no local user for the subject (" + DisplayText.of(subject, 300)
                                    + ").\nMaybe it is missing from the site's grid-mapfile.");
        }
        return user;
    }

    /**
     * The local users of a requester's reservation, the requester's own first.
     *
     * @throws Forbidden when a user has no local user, or this site does not map users and there are further ones
     */
    public List<String> usersOf(Optional<Requester> requester) throws LocalSchedulerException {
        var further = requester.map(Requester::users).orElse(List.of());
        if (!mapsUsers && !further.isEmpty()) {
            throw new Forbidden(
                    "Site " + site + " maps no certificates to users, so it admits no further user such as ("
                            + DisplayText.of(further.get(0), 300) + ").");
        }
        var all = new LinkedHashSet<String>();
        userOf(requester).ifPresent(all::add);
        for (String subject : further) {
            userOf(Optional.of(new Requester(subject))).ifPresent(all::add);
        }
        return List.copyOf(all);
    }
}
