package org.metasched.trust;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.metasched.durable.ReloadedFile;

/**
 * Names with passwords, in a file of lines {@code name:pbkdf2-sha256:rounds:salt:hash}, read again when it changes. Thread-safe. The check
 * of a password that was not proven minutes ago costs these rounds, also for an unknown name. Two checks run at a time, and 32 wait. The next
 * one is that of the network and name that were tried least within a minute.
 */
public final class PasswordFile {

    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    /** The number of rounds that is recommended now. */
    public static final int ROUNDS = 600_000;

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int LONGEST_PASSWORD = 256;
    private static final Pattern LINE = Pattern.compile(
            "([A-Za-z0-9._@-]{1,64}):pbkdf2-sha256:([1-9]\\d{5,7}):([A-Za-z0-9+/]{22}==):([A-Za-z0-9+/]{43}=)");

    private static final String SESSION_PREFIX = "password.";
    private static final Duration SESSION_LIFE = Duration.ofHours(8);
    private static final int MOST_WRONG_OF_NAME = 5;
    private static final int MOST_WRONG_OF_ADDRESS = 20;
    private static final int MOST_RUNNING = 2;
    private static final int MOST_WAITING = 32;
    private static final Duration PROVEN_LIFE = Duration.ofMinutes(5);
    private static final int MOST_PROVEN = 1_000;

    /** A password that was right: a digest of name and password, and the hash in the file by which it was. */
    private record Proven(byte[] digest, String hash, Instant until) {}

    private final Supplier<Map<String, MatchResult>> lines;
    private final AttemptCounter wrong = new AttemptCounter();
    private final Map<String, Proven> proven = new ConcurrentHashMap<>();
    private final byte[] secret = new byte[HASH_BYTES];
    /** Attempts by network and by name, so that guessers wait behind all others. */
    private final AttemptCounter tried = new AttemptCounter();

    private final RankedTurns turns = new RankedTurns(MOST_RUNNING, MOST_WAITING);

    /** @throws IllegalArgumentException when the file cannot be used now */
    public PasswordFile(Path file) {
        lines = new ReloadedFile<>(file, PasswordFile::read);
        new SecureRandom().nextBytes(secret);
    }

    /** The line of the file for a name; the salt is new each time. */
    public static String line(String name, String password, int rounds) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        String line = name + ":pbkdf2-sha256:" + rounds + ":"
                + Base64.getEncoder().encodeToString(salt) + ":" + derive(password, salt, rounds);
        if (!LINE.matcher(line).matches() || password.isEmpty() || password.length() > LONGEST_PASSWORD) {
            throw new IllegalArgumentException("The name (" + name
                    + ") must be letters, digits, dots, hyphens, @ and _, and the password 1 to " + LONGEST_PASSWORD
                    + " characters.");
        }
        return line;
    }

    /**
     * A session that a browser keeps instead of the password, until it ends. It is the name, sealed with the hash, so that a new password
     * ends it.
     *
     * @param from network address of the person's browser
     * @return empty when the password is wrong
     */
    public Optional<String> session(String name, String password, String from, Instant now) {
        return isRight(name, password, from, now)
                ? Optional.of(sessionText(name, now.plus(SESSION_LIFE).getEpochSecond()))
                : Optional.empty();
    }

    /** Whether a text has the form of a session; it may be invalid. */
    public static boolean isSession(String text) {
        return text.startsWith(SESSION_PREFIX);
    }

    Subject bySession(String text, Instant now) throws UntrustedException {
        var parts = text.substring(SESSION_PREFIX.length()).split("[.]", -1);
        if (parts.length != 3 || !parts[1].matches("\\d{1,12}") || !parts[0].matches("[A-Za-z0-9_-]+")) {
            throw new UntrustedException("no session of ours");
        }
        String name;
        try {
            name = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new UntrustedException("no session of ours", e);
        }
        long until = Long.parseLong(parts[1]);
        if (until <= now.getEpochSecond()
                || !lines.get().containsKey(name)
                || !MessageDigest.isEqual(
                        text.getBytes(), sessionText(name, until).getBytes())) {
            throw new UntrustedException("the session has ended, or is not ours");
        }
        return Subject.ofPassword(name);
    }

    /** The text of a session; empty, which is no session, for a name that is no longer in the file. */
    private String sessionText(String name, long until) {
        var line = lines.get().get(name);
        if (line == null) {
            return "";
        }
        var encoder = Base64.getUrlEncoder().withoutPadding();
        String text = SESSION_PREFIX + encoder.encodeToString(name.getBytes(StandardCharsets.UTF_8)) + "." + until;
        return text + "." + encoder.encodeToString(KeyedDigest.of(line.group(4).getBytes(), text));
    }

    /**
     * Whether a password is right. A password that was right minutes ago passes at once, so that guessers do not delay it. After
     * {@value #MOST_WRONG_OF_NAME} wrong passwords for a name from an address, this name is refused from there for a minute; after
     * {@value #MOST_WRONG_OF_ADDRESS}, every name.
     */
    boolean isRight(String name, String password, String from, Instant now) {
        var known = lines.get();
        if (known.isEmpty() || password.length() > LONGEST_PASSWORD) {
            return false;
        }
        if (wasRight(name, password, now)) {
            return true;
        }
        String place = NetworkPrefix.ofConnection(from);
        String who = name + "\n" + place;
        if (wrong.add(place, now) > MOST_WRONG_OF_ADDRESS || wrong.add(who, now) > MOST_WRONG_OF_NAME) {
            return false;
        }
        String network = NetworkPrefix.ofCustomer(from);
        var line = known.getOrDefault(name, known.values().iterator().next());
        if (!turns.await(tried.add(network, now) + tried.add(name, now))
                || !derives(password, line)
                || !known.containsKey(name)) {
            return false;
        }
        wrong.forgive(place);
        wrong.forget(who);
        tried.forgive(network);
        tried.forgive(name);
        if (proven.size() >= MOST_PROVEN) {
            proven.clear();
        }
        proven.put(name, new Proven(digest(name, password), line.group(4), now.plus(PROVEN_LIFE)));
        return true;
    }

    private boolean wasRight(String name, String password, Instant now) {
        var before = proven.get(name);
        var line = lines.get().get(name);
        return before != null
                && line != null
                && now.isBefore(before.until())
                && before.hash().equals(line.group(4))
                && MessageDigest.isEqual(before.digest(), digest(name, password));
    }

    private byte[] digest(String name, String password) {
        return KeyedDigest.of(secret, name + "\n" + password);
    }

    /** Whether a password derives to the hash of a line. Called in a turn, which it ends. */
    private boolean derives(String password, MatchResult line) {
        try {
            String hash = derive(password, Base64.getDecoder().decode(line.group(3)), Integer.parseInt(line.group(2)));
            return MessageDigest.isEqual(hash.getBytes(), line.group(4).getBytes());
        } finally {
            turns.end();
        }
    }

    private static Map<String, MatchResult> read(Path file) {
        var entries = new HashMap<String, MatchResult>();
        try {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                var matcher = LINE.matcher(line.strip());
                boolean isEntry = !line.isBlank() && !line.startsWith("#");
                if (isEntry && (!matcher.matches() || entries.put(matcher.group(1), matcher.toMatchResult()) != null)) {
                    throw new IllegalArgumentException("Line " + number + " of the passwords (" + file
                            + ") must be a name that is new, as metasched pki password prints it.");
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("The passwords (" + file + ") cannot be read: " + e.getMessage(), e);
        }
        return entries;
    }

    private static String derive(String password, byte[] salt, int rounds) {
        try {
            byte[] hash = SecretKeyFactory.getInstance(ALGORITHM)
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, rounds, HASH_BYTES * 8))
                    .getEncoded();
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no " + ALGORITHM + ": " + e.getMessage(), e);
        }
    }
}
