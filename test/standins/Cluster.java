import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cluster behind a stand-in: nodes, jobs and reservations, kept in a file of lines between two commands, and a clock
 * that can be stopped. It does what the real schedulers do to a reservation and nothing else; the formats are in the
 * classes that extend it.
 *
 * <p>Mishaps, one at a time, until {@code standin mishap none}: {@code down} (no connection), {@code lose} (does it and
 * dies before it answers; once), {@code busy} (another user takes everything just before the next request; once),
 * {@code slow} (sleeps for ten minutes), {@code garbled} (prints half of the answer), {@code short} (grants a node less
 * than asked; once).
 */
abstract class Cluster {

    /** A job or a reservation; times in epoch seconds. */
    static final class Booking {
        String id = "";
        String name = "";
        String owner = "";
        String users = "";
        /** job, resv */
        String kind = "job";
        long start;
        /** {@link Long#MAX_VALUE} when it has no limit */
        long end;
        List<String> nodes = new ArrayList<>();
        int cores;
        boolean exclusive;
        long made;
        String request = "";

        boolean overlaps(long from, long to) {
            return start < to && from < end;
        }
    }

    final Path folder;
    long clock = -1;
    String mishap = "none";
    int lastId = 10;
    final Map<String, Integer> nodes = new LinkedHashMap<>();
    final List<String> offline = new ArrayList<>();
    final List<Booking> bookings = new ArrayList<>();

    Cluster(Path folder) {
        this.folder = folder;
    }

    /** Runs one command of the scheduler and returns its exit code. */
    abstract int run(String command, List<String> words) throws Exception;

    static int start(Cluster cluster, String[] arguments) throws Exception {
        String command = arguments[1];
        List<String> words = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            words.add(arguments[i]);
        }
        if (cluster.peekMishap().equals("slow") && !command.equals("standin")) {
            Thread.sleep(600_000);
        }
        try (FileChannel channel = FileChannel.open(
                cluster.folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            cluster.load();
            int exit = command.equals("standin") ? cluster.operate(words) : cluster.run(command, words);
            cluster.save();
            System.out.flush();
            return exit;
        }
    }

    private String peekMishap() throws IOException {
        Path state = folder.resolve("state");
        if (Files.exists(state)) {
            for (String line : Files.readAllLines(state)) {
                if (line.startsWith("mishap\t")) {
                    return line.substring(7);
                }
            }
        }
        return "none";
    }

    private int operate(List<String> words) throws Exception {
        switch (words.get(0)) {
            case "init":
                for (int i = 0; i < Integer.parseInt(words.get(1)); i++) {
                    nodes.put("n" + i, Integer.parseInt(words.get(2)));
                }
                return 0;
            case "clock":
                clock = Long.parseLong(words.get(1));
                return 0;
            case "node":
                offline.remove(words.get(1));
                if (words.get(2).equals("offline")) {
                    offline.add(words.get(1));
                }
                return 0;
            case "job":
                return job(words);
            case "mishap":
                mishap = words.get(1);
                return 0;
            case "warm":
                warm();
                return 0;
            default:
                System.err.println("standin: what is " + words + "?");
                return 2;
        }
    }

    /** Touches what a usual command needs, so that it gets into the class archive. */
    void warm() throws Exception {}

    private int job(List<String> words) {
        Booking job = new Booking();
        job.name = words.get(1);
        job.cores = Integer.parseInt(words.get(3));
        job.start = now();
        job.end = words.get(4).equals("none") ? Long.MAX_VALUE : now() + Long.parseLong(words.get(4));
        job.owner = "alice";
        job.nodes = pick(Integer.parseInt(words.get(2)), job.cores, false, job.start, job.end);
        if (job.nodes.isEmpty()) {
            // It waits: the request remembers how many nodes, and the end how long.
            job.kind = "wait";
            job.request = words.get(2);
            job.end = Long.MAX_VALUE;
            job.start = Long.parseLong(words.get(4));
        }
        book(job);
        return 0;
    }

    long now() {
        return clock >= 0 ? clock : System.currentTimeMillis() / 1000;
    }

    void book(Booking booking) {
        booking.id = String.valueOf(++lastId);
        booking.made = now();
        bookings.add(booking);
    }

    Booking find(String id) {
        for (Booking booking : bookings) {
            if (booking.id.equals(id)) {
                return booking;
            }
        }
        return null;
    }

    /** Nodes that are free from start to end, the first ones; empty when there are too few. */
    List<String> pick(int count, int cores, boolean exclusive, long start, long end) {
        List<String> picked = new ArrayList<>();
        for (Map.Entry<String, Integer> node : nodes.entrySet()) {
            if (picked.size() < count && !offline.contains(node.getKey())
                    && node.getValue() - used(node.getKey(), start, end, exclusive) >= cores) {
                picked.add(node.getKey());
            }
        }
        return picked.size() < count ? new ArrayList<>() : picked;
    }

    /** The most that may be in use at once; adding up all that overlap is more than that at worst, never less. */
    private int used(String node, long start, long end, boolean exclusive) {
        int used = 0;
        for (Booking booking : bookings) {
            if (booking.nodes.contains(node) && booking.overlaps(start, end)) {
                used += booking.exclusive || exclusive ? 1_000_000 : booking.cores;
            }
        }
        return used;
    }

    /** The first start at or after an instant at which the request would fit, or -1. */
    long earliest(int count, int cores, boolean exclusive, long notBefore, long seconds) {
        long best = -1;
        List<Long> candidates = new ArrayList<>();
        candidates.add(notBefore);
        for (Booking booking : bookings) {
            if (booking.end > notBefore && booking.end != Long.MAX_VALUE) {
                candidates.add(booking.end);
            }
        }
        for (long candidate : candidates) {
            if ((best < 0 || candidate < best)
                    && !pick(count, cores, exclusive, candidate, candidate + seconds).isEmpty()) {
                best = candidate;
            }
        }
        return best;
    }

    /** Whether this mishap is on; it is off afterwards. */
    boolean once(String word) {
        if (mishap.equals(word)) {
            mishap = "none";
            return true;
        }
        return false;
    }

    /** Somebody else is quicker: every node is gone for that time. */
    void takeEverything(long start, long end) {
        for (String node : nodes.keySet()) {
            Booking other = new Booking();
            other.kind = "resv";
            other.name = "NULL";
            other.owner = "bob";
            other.start = start;
            other.end = end;
            other.cores = nodes.get(node);
            other.exclusive = true;
            other.nodes.add(node);
            other.request = "1:ncpus=" + other.cores;
            if (used(node, start, end, true) == 0) {
                book(other);
            }
        }
    }

    private void load() throws IOException {
        Path state = folder.resolve("state");
        if (!Files.exists(state)) {
            return;
        }
        for (String line : Files.readAllLines(state, StandardCharsets.UTF_8)) {
            String[] f = line.split("\t", -1);
            switch (f[0]) {
                case "clock" -> clock = Long.parseLong(f[1]);
                case "mishap" -> mishap = f[1];
                case "last" -> lastId = Integer.parseInt(f[1]);
                case "node" -> nodes.put(f[1], Integer.valueOf(f[2]));
                case "offline" -> offline.add(f[1]);
                default -> loadBooking(f);
            }
        }
        List<Booking> over = new ArrayList<>();
        for (Booking booking : bookings) {
            if (booking.end <= now()) {
                over.add(booking);
            }
        }
        bookings.removeAll(over);
    }

    private void loadBooking(String[] f) {
        Booking b = new Booking();
        b.kind = f[0];
        b.id = f[1];
        b.name = f[2];
        b.owner = f[3];
        b.users = f[4];
        b.start = Long.parseLong(f[5]);
        b.end = Long.parseLong(f[6]);
        for (String node : f[7].split(",")) {
            b.nodes.add(node);
        }
        b.cores = Integer.parseInt(f[8]);
        b.exclusive = Boolean.parseBoolean(f[9]);
        b.made = Long.parseLong(f[10]);
        b.request = f[11];
        bookings.add(b);
    }

    private void save() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("clock\t" + clock);
        lines.add("mishap\t" + mishap);
        lines.add("last\t" + lastId);
        for (Map.Entry<String, Integer> node : nodes.entrySet()) {
            lines.add("node\t" + node.getKey() + "\t" + node.getValue());
        }
        for (String node : offline) {
            lines.add("offline\t" + node);
        }
        for (Booking b : bookings) {
            lines.add(b.kind + "\t" + b.id + "\t" + b.name + "\t" + b.owner + "\t" + b.users + "\t" + b.start + "\t" + b.end
                    + "\t" + String.join(",", b.nodes) + "\t" + b.cores + "\t" + b.exclusive + "\t" + b.made + "\t"
                    + b.request);
        }
        Path next = folder.resolve("state.next");
        Files.write(next, lines, StandardCharsets.UTF_8);
        Files.move(next, folder.resolve("state"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** The value behind an option, which is taken out of the words. */
    static String option(List<String> words, String name, String otherwise) {
        int at = words.indexOf(name);
        if (at < 0 || at + 1 >= words.size()) {
            return otherwise;
        }
        words.remove(at);
        return words.remove(at);
    }

    void print(String text) {
        System.out.print(mishap.equals("garbled") ? text.substring(0, text.length() / 2) : text);
    }
}
