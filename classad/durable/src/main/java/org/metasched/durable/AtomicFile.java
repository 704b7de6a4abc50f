package org.metasched.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Atomic replacement of files and folders: a reader, also one after a crash, finds the old content or the new one, never a part.
 *
 * <p>The new content is written to a temporary file in the same folder, forced to the disk, renamed, and the folder is forced. The
 * temporary file is removed after a failure; only a killed process leaves one ({@code .NAME.….next}), which may be deleted.
 * Thread-safe; of two processes that replace a file at once the later rename wins.
 */
public final class AtomicFile {

    private static final Pattern TEMPORARY_NAME =
            Pattern.compile("\\..+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.next");

    private AtomicFile() {}

    /** Whether a file has the name of a temporary file, which only a killed process leaves behind. */
    public static boolean isLeft(Path file) {
        return TEMPORARY_NAME.matcher(file.getFileName().toString()).matches();
    }

    /** Replaces the content of a file, which keeps its permissions; a new file gets those of the process. */
    public static void replace(Path file, String content) throws IOException {
        replace(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Replaces the content of a file, which keeps its permissions; a new file gets those of the process. */
    public static void replace(Path file, byte[] content) throws IOException {
        boolean keeps = isPosix(file) && Files.exists(file);
        replace(file, content, keeps ? Files.getPosixFilePermissions(file) : Set.of());
    }

    /**
     * Replaces the content of a file and gives it these permissions, if the file system has permissions; an empty set leaves them
     * to the process.
     */
    public static void replace(Path file, byte[] content, Set<PosixFilePermission> wanted) throws IOException {
        Set<PosixFilePermission> permissions = isPosix(file) ? wanted : Set.of();
        Path next = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".next");
        try {
            // Created for its owner alone: no other user can open it before its permissions are set.
            try (var channel = FileChannel.open(
                    next, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes(permissions))) {
                writeWhole(channel, content, 0);
                if (!permissions.isEmpty()) {
                    Files.setPosixFilePermissions(next, permissions);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
        forceFolder(file);
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return permissions.isEmpty()
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                };
    }

    /**
     * Renames a file or a folder within one file system, and forces the folders of both names. The content of the file is not forced.
     *
     * @param to new name; a file or an empty folder there is replaced
     */
    public static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        forceFolder(to);
        if (!Objects.equals(from.getParent(), to.getParent())) {
            forceFolder(from);
        }
    }

    /** Writes all bytes. A channel may write fewer in one call, when the disk is nearly full. */
    static void writeWhole(FileChannel channel, byte[] content, long position) throws IOException {
        var bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
            channel.write(bytes, position + bytes.position());
        }
    }

    /** Makes the name of a file as durable as its content. Windows opens no folders, and keeps names in its journal. */
    static void forceFolder(Path file) throws IOException {
        if (isPosix(file)) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                }
            }
        }
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
