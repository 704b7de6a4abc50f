package org.metasched.adapter.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.SubjectName;

/**
 * The mapping under {@code identity:}: which requesters a site lets in, and as which local users. A denied subject is refused, a
 * listed one becomes its first local user, any other the default user or none. The grid-mapfile is read again when it changes.
 * Thread-safe.
 */
public final class LocalUsers {

    static final Set<String> KEYS = Set.of("grid-mapfile", "default", "deny");

    /** A grid-mapfile as it was at one time. */
    private record Edition(FileTime changed, long size, GridMapFile map) {}

    private final SiteId site;
    private final boolean maps;
    private final @Nullable Path file;
    private final Optional<String> defaultUser;
    /** Forms of subjects. */
    private final List<Pattern> denied;

    private volatile @Nullable Edition edition;

    private LocalUsers(
            SiteId site, boolean maps, @Nullable Path file, Optional<String> defaultUser, List<Pattern> denied) {
        this.site = site;
        this.maps = maps;
        this.file = file;
        this.defaultUser = defaultUser;
        this.denied = denied;
    }

    /** Without the mapping no user is looked up, and reservations belong to the account that the adapter runs in. */
    public static LocalUsers from(SiteId site, Optional<Settings> section) {
        if (section.isEmpty()) {
            return new LocalUsers(site, false, null, Optional.empty(), List.of());
        }
        Settings settings = section.get();
        settings.allowOnly(KEYS);
        Optional<String> defaultUser = settings.text("default");
        if (defaultUser.isPresent() && !GridMapFile.isUserName(defaultUser.get())) {
            throw settings.invalid("default", "expected a user name, not (" + DisplayText.of(defaultUser.get()) + ")");
        }
        var denied = settings.texts("deny").stream().map(SubjectName::form).toList();
        Path file = settings.text("grid-mapfile").map(Path::of).orElse(null);
        var users = new LocalUsers(site, true, file, defaultUser, denied);
        if (file != null) {
            users.edition = read(file);
        }
        return users;
    }

    /**
     * The local user of a requester, or nothing when this site does not map users.
     *
     * @throws Forbidden when the subject is denied or not listed, naming it
     */
    public Optional<String> userOf(Optional<Requester> requester) throws LocalSchedulerException {
        if (!maps) {
            return Optional.empty();
        }
        if (requester.isEmpty()) {
            if (defaultUser.isPresent()) {
                return defaultUser;
            }
            throw new Forbidden(
                    "Site " + site + " maps certificates to users, but the request came without a certificate.");
        }
        String subject = requester.get().subject();
        String name = SubjectName.canonical(subject);
        if (denied.stream().anyMatch(form -> form.matcher(name).matches())) {
            throw new Forbidden("Site " + site + " denies the subject (" + DisplayText.of(subject, 300) + ").");
        }
        List<String> users = file == null ? List.of() : current(file).users(subject);
        if (!users.isEmpty()) {
            return Optional.of(users.get(0));
        }
        if (defaultUser.isPresent()) {
            return defaultUser;
        }
        throw new Forbidden("Site " + site + " has no local user for the subject (" + DisplayText.of(subject, 300)
                + ").\nMaybe it is missing from the site's grid-mapfile.");
    }

    /**
     * The local users of all who may use the reservation of a requester, that of the requester first.
     *
     * @throws Forbidden when one has none, or this site does not map users and there are further ones
     */
    public List<String> usersOf(Optional<Requester> requester) throws LocalSchedulerException {
        var further = requester.map(Requester::users).orElse(List.of());
        if (!maps && !further.isEmpty()) {
            throw new Forbidden("Site " + site + " maps no certificates to users, and lets in no further user such as ("
                    + DisplayText.of(further.get(0), 300) + ").");
        }
        var all = new LinkedHashSet<String>();
        userOf(requester).ifPresent(all::add);
        for (String subject : further) {
            userOf(Optional.of(new Requester(subject))).ifPresent(all::add);
        }
        return List.copyOf(all);
    }

    private GridMapFile current(Path mapFile) throws Misconfigured {
        Edition known = edition;
        try {
            if (known == null
                    || !Files.getLastModifiedTime(mapFile).equals(known.changed())
                    || Files.size(mapFile) != known.size()) {
                known = read(mapFile);
                edition = known;
            }
            return known.map();
        } catch (IOException | InvalidSettingException e) {
            throw new Misconfigured("Site " + site + ": the grid-mapfile cannot be used: " + e.getMessage(), e);
        }
    }

    private static Edition read(Path file) {
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            return new Edition(changed, Files.size(file), GridMapFile.read(file));
        } catch (IOException e) {
            throw new InvalidSettingException(
                    file + ":1:1: the grid-mapfile cannot be read: " + DisplayText.of(e.toString()));
        }
    }
}
