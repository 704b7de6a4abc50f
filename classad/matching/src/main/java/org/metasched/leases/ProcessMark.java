package org.metasched.leases;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * Identity of a process: number and begin, by which a later one with the same number is told apart if the system tells the begin.
 *
 * @param host host on which it runs, see {@link HostIdentity}
 * @param pid process id on the host
 * @param began its begin: on Linux in ticks since the boot, mixed with the boot's id, as the time of day may be set; elsewhere in
 *     milliseconds since the epoch; 0 if the system does not tell it
 */
public record ProcessMark(String host, long pid, long began) {

    /** The mark of a claimant behind the network, whose process cannot be checked. */
    public static final ProcessMark ELSEWHERE = new ProcessMark("elsewhere", 0, 0);

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final ProcessMark CURRENT = of(ProcessHandle.current());

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

    boolean isOfThisHost() {
        return host.equals(HostIdentity.name());
    }

    /** Whether the process has ended, by what this one can see. A process of another host is never known to be gone. */
    boolean isGone() {
        return isOfThisHost()
                && !equals(CURRENT)
                && ProcessHandle.of(pid).map(found -> !of(found).equals(this)).orElse(true);
    }

    /** Whether the process is seen to run. A stopped one is. */
    boolean lives() {
        return isOfThisHost() && !isGone();
    }
}
