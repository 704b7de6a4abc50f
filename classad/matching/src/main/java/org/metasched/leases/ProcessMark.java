package org.metasched.leases;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * Identity of a process: its number and its start, which tells it apart from a later process with the same number.
 *
 * @param host host on which it runs, see {@link HostIdentity}
 * @param pid process id on the host
 * @param began its start: on Linux in ticks since the boot, mixed with the boot's id, as the time of day may be set; elsewhere in
 *     milliseconds since the epoch; 0 if the system does not tell it
 */
public record ProcessMark(String host, long pid, long began) {

    /** The mark of a claimant behind the network, whose process cannot be checked. */
    public static final ProcessMark ELSEWHERE = new ProcessMark("elsewhere", 0, 0);

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final ProcessMark CURRENT = of(ProcessHandle.current());
    private static final boolean SHOWS_ALL = showsAll(Path.of("/proc"));

    /** The mark of this process. */
    public static ProcessMark current() {
        return CURRENT;
    }

    private static ProcessMark of(ProcessHandle process) {
        long began = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        try {
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            // Before the last bracket stands the program's name, which may have any characters.
            String ticks = status.substring(status.lastIndexOf(')')).split(" ", -1)[20];
            began = UUID.fromString(Files.readString(BOOT).strip()).getMostSignificantBits() ^ Long.parseLong(ticks);
        } catch (IOException e) {
            // There is no /proc, or the process has ended.
        }
        return new ProcessMark(HostIdentity.name(), process.pid(), began);
    }

    /** Whether a system shows the processes of other users. Linux hides them where its /proc is mounted with hidepid. */
    static boolean showsAll(Path proc) {
        return !Files.exists(proc.resolve("self")) || Files.isReadable(proc.resolve("1/stat"));
    }

    boolean isOfThisHost() {
        return host.equals(HostIdentity.name());
    }

    /** Whether the process is known to have ended. A process of another host, or one that the system may hide, is not. */
    boolean isGone() {
        return isGone(SHOWS_ALL);
    }

    boolean isGone(boolean showsAll) {
        // A process with this number that is seen is a later one. If none is seen, it may only be hidden.
        return isOfThisHost() && !lives() && (showsAll || ProcessHandle.of(pid).isPresent());
    }

    /** Whether the process is known to run; a stopped process runs. */
    boolean lives() {
        return equals(CURRENT)
                || isOfThisHost()
                        && ProcessHandle.of(pid)
                                .filter(found -> of(found).equals(this))
                                .isPresent();
    }
}
