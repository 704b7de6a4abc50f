import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stands in for an EASY with advance reservations: {@code spq}, and the invented {@code spreserve sprelease spnodes}. No
 * public copy exists to check against. Nodes are exclusive, times whole minutes, and no reservation may delay the first job
 * of the queue.
 */
final class EasyStandin extends Cluster {

    private EasyStandin(Path folder) {
        super(folder);
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(start(new EasyStandin(Path.of(arguments[0])), arguments));
    }

    @Override
    void warm() throws Exception {
        run("spreserve", new ArrayList<>(List.of("-n", "w", "1", "5", "01/01/2090 00:00")));
        run("spq", new ArrayList<>());
        bookings.clear();
    }

    @Override
    int run(String command, List<String> words) {
        if (mishap.equals("down")) {
            System.err.println(command + ": scheduler does not answer");
            return 1;
        }
        return switch (command) {
            case "spreserve" -> reserve(words);
            case "sprelease" -> release(words);
            case "spnodes" -> listNodes();
            default -> queue();
        };
    }

    private int reserve(List<String> words) {
        Booking resv = new Booking();
        resv.kind = "resv";
        resv.name = option(words, "-n", "none");
        resv.owner = option(words, "-u", "gridadm");
        String[] p = words.get(2).split("[/: ]");
        resv.start = LocalDateTime.of(Integer.parseInt(p[2]), Integer.parseInt(p[0]), Integer.parseInt(p[1]),
                        Integer.parseInt(p[3]), Integer.parseInt(p[4]))
                .atZone(zone()).toEpochSecond();
        resv.end = resv.start + 60L * Long.parseLong(words.get(1));
        if (resv.start < now()) {
            System.err.println("spreserve: start is in the past");
            return 1;
        }
        if (once("busy")) {
            takeEverything(resv.start, resv.end);
        }
        int count = Integer.parseInt(words.get(0)) - (once("short") ? 1 : 0);
        resv.cores = 1;
        resv.exclusive = true;
        resv.nodes = pick(count, 1, true, resv.start, resv.end);
        long promised = shadow();
        if (!resv.nodes.isEmpty()) {
            book(resv);
        }
        if (resv.nodes.isEmpty() || shadow() != promised) {
            bookings.remove(resv);
            System.err.println("spreserve: " + count + " nodes are not available then");
            return 1;
        }
        if (once("lose")) {
            return 255;
        }
        print("reservation " + resv.id + " made\n");
        return 0;
    }

    /** When the first waiting job will start, or -1 when none waits. */
    private long shadow() {
        for (Booking b : bookings) {
            if (b.kind.equals("wait")) {
                return earliest(Integer.parseInt(b.request), 1, true, now(), b.start);
            }
        }
        return -1;
    }

    private int release(List<String> words) {
        Booking resv = find(words.get(0));
        if (resv == null) {
            System.err.println("sprelease: no such reservation");
            return 1;
        }
        bookings.remove(resv);
        return 0;
    }

    private int listNodes() {
        StringBuilder out = new StringBuilder("node state\n");
        for (Map.Entry<String, Integer> node : nodes.entrySet()) {
            out.append(node.getKey()).append(offline.contains(node.getKey()) ? " down\n" : " up\n");
        }
        print(out.toString());
        return 0;
    }

    private int queue() {
        StringBuilder out = new StringBuilder("id user name nodes min st start\n");
        for (Booking b : bookings) {
            boolean waits = b.kind.equals("wait");
            String state = waits ? "Q" : b.start <= now() ? "R" : "V";
            String minutes = waits ? "" + (b.start + 59) / 60 : b.end == Long.MAX_VALUE ? "-" : "" + (b.end - b.start + 59) / 60;
            out.append(b.id).append(' ').append(b.owner).append(' ').append(b.name).append(' ')
                    .append(waits ? b.request : "" + b.nodes.size()).append(' ').append(minutes).append(' ').append(state)
                    .append(' ').append(waits ? "- -" : shown(b.start)).append('\n');
        }
        print(out.toString());
        return 0;
    }

    private static ZoneId zone() {
        String zone = System.getenv("TZ");
        return ZoneId.of(zone == null ? "UTC" : zone);
    }

    private static String shown(long epoch) {
        LocalDateTime t = LocalDateTime.ofInstant(Instant.ofEpochSecond(epoch), zone());
        return two(t.getMonthValue()) + "/" + two(t.getDayOfMonth()) + "/" + t.getYear() + " " + two(t.getHour()) + ":"
                + two(t.getMinute());
    }

    private static String two(long n) {
        return n < 10 ? "0" + n : "" + n;
    }
}
