package org.metasched.trust;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.metasched.durable.AtomicFile;

/**
 * Signatures (Ed25519) of lines of an audit log, in its file {@code checkpoints}: number, hash and signature. Every hundredth line, the
 * last line of a file, and the newest line each hour and at a stop are signed. The first start makes the folder's key. Not thread-safe.
 */
final class AuditCheckpoints {

    /** Lines of the log from one checkpoint to the next. */
    static final int EVERY = 100;

    /**
     * The most bytes of a checkpoint. It has a number of 18 digits, a hash of 64, a signature of 88, two spaces and the end of the line.
     */
    private static final int LONGEST_LINE = 173;

    private static final String ALGORITHM = "Ed25519";
    private static final String FILE = "checkpoints";
    private static final String PUBLIC = "audit.pub";

    private final Path folder;
    private final PrivateKey key;
    /** Number of the last line that this object has signed. */
    private long last;

    /** @throws IOException when the key can be neither read nor made */
    AuditCheckpoints(Path folder) throws IOException {
        this.folder = folder;
        Path file = folder.resolve("audit.key");
        try {
            if (!Files.exists(file)) {
                var pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
                write(folder.resolve(PUBLIC), pair.getPublic().getEncoded(), "rw-r--r--");
                write(file, pair.getPrivate().getEncoded(), "rw-------");
            }
            key = KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(key(file)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("The key of the audit log (" + file + ") cannot be used: " + e.getMessage(), e);
        }
    }

    private static void write(Path file, byte[] key, String mode) throws IOException {
        AtomicFile.replace(
                file,
                (Base64.getEncoder().encodeToString(key) + "\n").getBytes(StandardCharsets.US_ASCII),
                PosixFilePermissions.fromString(mode));
    }

    private static byte[] key(Path file) throws IOException {
        return Base64.getDecoder().decode(Files.readString(file).strip());
    }

    /** Signs a line of the log, unless that line or a later one is signed already. */
    void add(long number, String hash) throws IOException {
        if (number <= last) {
            return;
        }
        try {
            var signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(text(number, hash));
            String line = number + " " + hash + " " + Base64.getEncoder().encodeToString(signature.sign()) + "\n";
            Path file = folder.resolve(FILE);
            if (!Files.exists(file)) {
                AtomicFile.replace(file, new byte[0], PosixFilePermissions.fromString("rw-------"));
            }
            append(file, line.getBytes(StandardCharsets.US_ASCII));
            last = number;
        } catch (GeneralSecurityException e) {
            throw new IOException("The checkpoint cannot be signed: " + e.getMessage(), e);
        }
    }

    /** Appends a line, in place of one that a crash or a full disk cut short. */
    private static void append(Path file, byte[] line) throws IOException {
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            AuditLog.cutTornLine(out, LONGEST_LINE);
            out.seek(out.length());
            out.write(line);
        }
    }

    /** The bytes that are signed for a line. */
    private static byte[] text(long number, String hash) {
        return ("metasched audit " + number + " " + hash).getBytes(StandardCharsets.US_ASCII);
    }

    /** Signatures by the numbers of the log's lines that they sign. A last checkpoint that was cut short is left out. */
    static Map<Long, String> read(Path folder) throws IOException {
        var signatures = new HashMap<Long, String>();
        Path file = folder.resolve(FILE);
        if (Files.exists(file)) {
            String all = Files.readString(file, StandardCharsets.ISO_8859_1);
            for (String line : all.substring(0, all.lastIndexOf('\n') + 1).split("\n")) {
                var parts = line.split(" ", -1);
                if (parts.length == 3 && parts[0].matches("\\d{1,18}")) {
                    signatures.put(Long.parseLong(parts[0]), parts[2]);
                }
            }
        }
        return signatures;
    }

    /** Whether a signature is that of a line by the folder's key. */
    static boolean isRight(Path folder, long number, String hash, String signed) {
        try {
            var signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(KeyFactory.getInstance(ALGORITHM)
                    .generatePublic(new X509EncodedKeySpec(key(folder.resolve(PUBLIC)))));
            signature.update(text(number, hash));
            return signature.verify(Base64.getDecoder().decode(signed));
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            return false;
        }
    }
}
