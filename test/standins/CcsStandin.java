import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stands in for the CCS commands {@code ccsalloc ccsinfo ccskill}, as far as they are known from their users. No public copy
 * of CCS exists to check against; {@code ccsinfo -s --hosts} is invented here, to play a site whose listing names nodes.
 */
final class CcsStandin extends Cluster {

    private CcsStandin(Path folder) {
        super(folder);
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(start(new CcsStandin(Path.of(arguments[0])), arguments));
    }

    @Override
    void warm() throws Exception {
        run("ccsalloc", new ArrayList<>(List.of("--name=w", "-s", "00:00 01.01.90", "-t", "5m", "--res=rset=1:ncpus=1")));
        run("ccsinfo", new ArrayList<>(List.of("-s", "--raw")));
        bookings.clear();
    }

    @Override
    int run(String command, List<String> words) {
        if (mishap.equals("down")) {
            System.err.println(command + ": connection to the Access Manager lost");
            return 1;
        }
        return switch (command) {
            case "ccsalloc" -> allocate(words);
            case "ccsinfo" -> info(words);
            default -> kill(words);
        };
    }

    private int allocate(List<String> words) {
        String start = option(words, "-s", "now");
        String time = option(words, "-t", "60m");
        String name = "NONE";
        String owner = "gridadm";
        int count = 1;
        int cores = 1;
        for (String word : words) {
            if (word.startsWith("--name=")) {
                name = word.substring(7);
            } else if (word.startsWith("--group=")) {
                owner = word.substring(8);
            } else if (word.startsWith("--res=rset=")) {
                String[] chunk = word.substring(11).split("[,:]");
                count = Integer.parseInt(chunk[0]);
                for (String part : chunk) {
                    cores = part.startsWith("ncpus=") ? Integer.parseInt(part.substring(6)) : cores;
                }
            }
        }
        Booking request = new Booking();
        try {
            request.start = time(start);
        } catch (DateTimeException | NumberFormatException e) {
            System.err.println("ccsalloc: invalid start time '" + start + "'");
            return 1;
        }
        request.end = request.start + 60L * Long.parseLong(time.substring(0, time.length() - 1));
        System.out.print("Request (" + (lastId + 1) + "/" + name + ") will be authenticated and planned\n");
        if (request.start < now()) {
            System.err.println("ccsalloc: start time is in the past");
            return 1;
        }
        if (once("busy")) {
            takeEverything(request.start, request.end);
        }
        count -= once("short") ? 1 : 0;
        request.kind = "resv";
        request.name = name;
        request.owner = owner;
        request.cores = cores;
        request.exclusive = true;
        request.nodes = pick(count, cores, true, request.start, request.end);
        if (request.nodes.isEmpty()) {
            System.err.println("ccsalloc: Request (" + (lastId + 1) + "/" + name + ") cannot be planned at " + start);
            return 1;
        }
        book(request);
        if (once("lose")) {
            return 255;
        }
        print("Request (" + request.id + "/" + name + ") planned at " + shown(request.start) + "\n");
        return 0;
    }

    /** {@code hh:mm dd.mm.yy} */
    private static long time(String text) {
        String[] p = text.split("[:. ]");
        if (p.length != 5) {
            throw new NumberFormatException(text);
        }
        return LocalDateTime.of(2000 + Integer.parseInt(p[4]), Integer.parseInt(p[3]), Integer.parseInt(p[2]),
                        Integer.parseInt(p[0]), Integer.parseInt(p[1]))
                .atZone(zone()).toEpochSecond();
    }

    private static ZoneId zone() {
        String zone = System.getenv("TZ");
        return ZoneId.of(zone == null ? "UTC" : zone);
    }

    private static String shown(long epoch) {
        LocalDateTime t = LocalDateTime.ofInstant(Instant.ofEpochSecond(epoch), zone());
        return two(t.getHour()) + ":" + two(t.getMinute()) + " " + two(t.getDayOfMonth()) + "." + two(t.getMonthValue())
                + "." + two(t.getYear() % 100);
    }

    private static String two(long n) {
        return n < 10 ? "0" + n : "" + n;
    }

    private int info(List<String> words) {
        StringBuilder out = new StringBuilder();
        if (words.contains("-n")) {
            for (Map.Entry<String, Integer> node : nodes.entrySet()) {
                out.append(node.getKey()).append(offline.contains(node.getKey()) ? " down " : " up ")
                        .append(node.getValue()).append(" cores\n");
            }
            print(out.toString());
            return 0;
        }
        for (Booking b : bookings) {
            long minutes = (b.end - b.start + 59) / 60;
            String length = b.end == Long.MAX_VALUE ? "unlimited"
                    : (minutes >= 1440 ? minutes / 1440 + "d," : "") + two(minutes / 60 % 24) + ":" + two(minutes % 60);
            out.append(b.id).append("  ").append(b.name).append("  ").append(b.owner).append("  ")
                    .append(b.start <= now() ? "ALLOCATED" : "PLANNED").append("  ").append(shown(b.start)).append("  ")
                    .append(length).append(words.contains("--hosts") ? "  " + String.join(",", b.nodes) : "")
                    .append("  87%  rset=").append(b.nodes.size()).append(":ncpus=").append(b.cores).append(",place=:excl\n");
        }
        print(out.toString());
        return 0;
    }

    private int kill(List<String> words) {
        Booking request = find(words.get(0));
        if (request == null) {
            System.err.println("ccskill: unknown request " + words.get(0));
            return 1;
        }
        bookings.remove(request);
        return 0;
    }
}
