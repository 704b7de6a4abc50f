package org.metasched.adapter;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The person for whom a reservation is made. A site maps each subject to a local user. Subjects are not logged above DEBUG.
 *
 * @param subject the subject of the requester, as the server authenticated it, or as the offer claims it: {@code /O=Grid/CN=Alice},
 *     {@code CN=Alice,O=Grid}, or the issuer and subject of a token
 * @param users subjects of others who may use the reservation
 * @param project the account that is charged, by its name at the site; empty for the user's default account
 */
public record Requester(String subject, List<String> users, Optional<String> project) {

    /** The most further users of one reservation. */
    public static final int MOST_USERS = 100;

    /** Names of projects that no scheduler's command reads as an option or as a list. */
    private static final Pattern PROJECT = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,63}");

    public Requester {
        check("requester's", subject);
        users = List.copyOf(users);
        users.forEach(user -> check("further user's", user));
        if (users.size() > MOST_USERS) {
            throw new IllegalArgumentException(
                    "The number of further users (" + users.size() + ") must not be more than " + MOST_USERS + ".");
        }
        if (project.filter(name -> !PROJECT.matcher(name).matches()).isPresent()) {
            throw new IllegalArgumentException(
                    "The project (" + DisplayText.of(project.get())
                            + ") must be 1 to 64 letters, digits, '_', '.', ':', '@' or '-', the first a letter, digit or '_'.");
        }
    }

    /** A requester without further users, whose default account is charged. */
    public Requester(String subject) {
        this(subject, List.of(), Optional.empty());
    }

    /** The requester without further users: programs run as this one user. */
    public Requester alone() {
        return new Requester(subject, List.of(), project);
    }

    private static void check(String whose, String subject) {
        if (subject.isBlank() || subject.length() > 1024 || subject.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The " + whose + " subject (" + DisplayText.of(subject)
                    + ") must be 1 to 1024 printable characters.");
        }
    }

    @Override
    public String toString() {
        return subject;
    }
}
