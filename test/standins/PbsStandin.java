import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stands in for the PBS client commands: {@code pbs_rsub pbs_ralter pbs_rstat pbs_rdel pbsnodes qstat}. A change is not decided
 * while the mishap is {@code undecided}; with {@code denied} after it, it is taken back.
 */
final class PbsStandin extends Cluster {

    private static final String[] MONTHS = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
    };
    private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

    private PbsStandin(Path folder) {
        super(folder);
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(start(new PbsStandin(Path.of(arguments[0])), arguments));
    }

    @Override
    void warm() throws Exception {
        run("pbsnodes", new ArrayList<>(List.of("-a", "-F", "json")));
        run("qstat", new ArrayList<>(List.of("-f", "-F", "json")));
        run("pbs_rsub", new ArrayList<>(List.of("-R", "209001010000.00", "-D", "60", "-l", "select=1:ncpus=1")));
        run("pbs_rstat", new ArrayList<>(List.of("-f")));
        bookings.clear();
    }

    @Override
    int run(String command, List<String> words) throws Exception {
        if (mishap.equals("down")) {
            if (command.equals("qstat") && words.contains("json")) {
                System.out.print("{\n\t\"timestamp\":\t" + now()
                        + ",\n\t\"pbs_version\":\t\"23.06.06\",\n\t\"pbs_server\":\t\"pbsvm\"\n}\n");
            }
            System.err.print("Connection refused\n" + command + ": cannot connect to server pbsvm (errno=15010)\n");
            return command.equals("qstat") ? 255 : 162;
        }
        decide();
        return switch (command) {
            case "pbs_rsub" -> submit(words);
            case "pbs_ralter" -> alter(words);
            case "pbs_rstat" -> show(words);
            case "pbs_rdel" -> delete(words);
            case "pbsnodes" -> nodes(words);
            default -> jobs(words);
        };
    }

    private int submit(List<String> words) {
        String from = option(words, "-R", "");
        String to = option(words, "-E", "");
        String wait = option(words, "-I", "0");
        String duration = option(words, "-D", "");
        String name = option(words, "-N", "NULL");
        String users = option(words, "-U", "");
        String select = "1:ncpus=1";
        String place = "free";
        for (String limit = option(words, "-l", ""); !limit.isEmpty(); limit = option(words, "-l", "")) {
            if (limit.startsWith("select=")) {
                select = limit.substring(7);
            } else if (limit.startsWith("place=")) {
                place = limit.substring(6);
            }
        }
        Booking resv = new Booking();
        try {
            resv.start = time(from);
            resv.end = to.isEmpty() ? resv.start + Long.parseLong(duration) : time(to);
        } catch (DateTimeException | IllegalArgumentException e) {
            System.err.println("pbs_rsub: illegal -R time value\nusage: pbs_rsub [-I seconds] ...");
            return 2;
        }
        if (resv.start < now() || resv.end <= resv.start) {
            System.err.println("pbs_rsub: Bad time specification(s)");
            return 238;
        }
        String[] parts = select.split(":");
        int count = Integer.parseInt(parts[0]);
        int cores = 1;
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].startsWith("ncpus=")) {
                cores = Integer.parseInt(parts[i].substring(6));
            } else {
                System.err.println("pbs_rsub: Unknown resource: " + parts[i].split("=")[0]);
                return 187;
            }
        }
        resv.kind = "resv";
        resv.name = name;
        resv.owner = "gridadm";
        resv.users = users;
        resv.request = select + " " + place;
        resv.cores = cores;
        resv.exclusive = place.contains("excl");
        if (once("busy")) {
            takeEverything(resv.start, resv.end);
        }
        if (once("short")) {
            count--;
        }
        resv.nodes = pick(count, cores, resv.exclusive, resv.start, resv.end);
        if (resv.nodes.isEmpty()) {
            print("R" + (++lastId) + ".pbsvm DENIED\n");
            return 0;
        }
        book(resv);
        if (once("lose")) {
            return 255;
        }
        print("R" + resv.id + ".pbsvm " + (wait.equals("0") ? "UN" : "") + "CONFIRMED\n");
        return 0;
    }

    /** Plans the reservation again; as the server, takes no more chunks than there were. The old slot stays behind the request. */
    private int alter(List<String> words) {
        String from = option(words, "-R", "");
        String to = option(words, "-E", "");
        String select = option(words, "-l", "").replace("select=", "");
        boolean waits = !option(words, "-I", "").isEmpty();
        Booking resv = find(words.get(0).replaceAll("R|\\.pbsvm", ""));
        if (resv == null) {
            System.err.println("pbs_ralter: Unknown Reservation Id");
            return 236;
        }
        int count = select.isEmpty() ? resv.nodes.size() : Integer.parseInt(select.split(":")[0]);
        if (count > resv.nodes.size()) {
            System.err.println("pbs_ralter: New select must be made up of a subset of the original chunks");
            return 79;
        }
        long start = from.isEmpty() ? resv.start : time(from);
        long end = to.isEmpty() ? resv.end : time(to);
        if (once("busy")) {
            takeEverything(resv.end, Math.max(end, resv.end + 1));
        }
        bookings.remove(resv);
        List<String> picked = pick(count, resv.cores, resv.exclusive, start, end);
        bookings.add(resv);
        String id = "R" + resv.id + ".pbsvm";
        if (picked.isEmpty()) {
            print("pbs_ralter: " + id + " DENIED\n");
            return 0;
        }
        String[] request = resv.request.split(" ");
        if (mishap.equals("undecided")) {
            resv.request += " " + resv.start + "," + resv.end;
        } else if (!select.isEmpty()) {
            resv.request = select + " " + request[1];
        }
        resv.start = start;
        resv.end = end;
        resv.nodes = picked;
        if (once("lose")) {
            return 255;
        }
        print("pbs_ralter: " + id + (mishap.equals("undecided") ? waits ? " UNCONFIRMED" : " ALTER REQUESTED" : " CONFIRMED") + "\n");
        return 0;
    }

    private void decide() {
        for (Booking b : bookings) {
            String[] request = b.request.split(" ");
            if (request.length > 2 && !mishap.equals("undecided")) {
                String[] before = request[2].split(",");
                b.start = mishap.equals("denied") ? Long.parseLong(before[0]) : b.start;
                b.end = mishap.equals("denied") ? Long.parseLong(before[1]) : b.end;
                b.request = request[0] + " " + request[1];
            }
        }
    }

    private static long time(String text) {
        LocalDateTime local = LocalDateTime.of(
                number(text, 0, 4), number(text, 4, 6), number(text, 6, 8), number(text, 8, 10), number(text, 10, 12),
                text.length() > 12 ? number(text, 13, 15) : 0);
        return local.atZone(zone()).toEpochSecond();
    }

    private static int number(String text, int from, int to) {
        if (text.length() < to) {
            throw new IllegalArgumentException(text);
        }
        return Integer.parseInt(text.substring(from, to));
    }

    private static ZoneId zone() {
        String zone = System.getenv("TZ");
        return ZoneId.of(zone == null ? "UTC" : zone);
    }

    /** As ctime(3) writes it. */
    private static String shown(long epoch) {
        LocalDateTime t = LocalDateTime.ofInstant(Instant.ofEpochSecond(epoch), zone());
        return DAYS[t.getDayOfWeek().getValue() - 1] + " " + MONTHS[t.getMonthValue() - 1] + " "
                + (t.getDayOfMonth() < 10 ? " " : "") + t.getDayOfMonth() + " " + two(t.getHour()) + ":"
                + two(t.getMinute()) + ":" + two(t.getSecond()) + " " + t.getYear();
    }

    private static String two(long n) {
        return n < 10 ? "0" + n : "" + n;
    }

    private static String clockTime(long seconds) {
        return two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60);
    }

    private static String shares(Booking b) {
        StringBuilder shares = new StringBuilder();
        for (String node : b.nodes) {
            shares.append(shares.length() == 0 ? "" : "+").append('(').append(node).append(":ncpus=").append(b.cores)
                    .append(')');
        }
        return shares.toString();
    }

    private int show(List<String> words) {
        words.remove("-f");
        StringBuilder out = new StringBuilder();
        for (Booking b : bookings) {
            if (b.kind.equals("resv") && (words.isEmpty() || words.get(0).equals("R" + b.id + ".pbsvm"))) {
                out.append(block(b));
            }
        }
        if (out.length() == 0 && !words.isEmpty()) {
            System.err.println("pbs_rstat: Unknown Reservation Id");
            return 0;
        }
        print(out.toString());
        return 0;
    }

    private String block(Booking b) {
        boolean broken = false;
        for (String node : b.nodes) {
            broken |= offline.contains(node);
        }
        boolean begun = b.start <= now();
        String state = begun ? "RESV_RUNNING" : broken ? "RESV_DEGRADED" : "RESV_CONFIRMED";
        String[] request = b.request.split(" ");
        state = request.length > 2 ? "RESV_BEING_ALTERED" : state;
        return "Resv ID: R" + b.id + ".pbsvm\nReserve_Name = " + b.name + "\nReserve_Owner = " + b.owner
                + "@pbsvm\nreserve_state = " + state + "\nreserve_substate = " + (broken ? 10 : begun ? 5 : 2)
                + "\nreserve_start = " + shown(b.start) + "\nreserve_end = " + shown(b.end) + "\nreserve_duration = "
                + (b.end - b.start) + "\nqueue = R" + b.id + "\nResource_List.ncpus = " + b.cores * b.nodes.size()
                + "\nResource_List.nodect = " + b.nodes.size() + "\nResource_List.select = " + request[0]
                + (request.length > 1 ? "\nResource_List.place = " + request[1] : "") + "\nResource_List.walltime = "
                + clockTime(b.end - b.start) + "\nresv_nodes = " + shares(b) + "\nAuthorized_Users = "
                + (b.users.isEmpty() ? "" : b.users + ",") + b.owner + "@pbsvm\nserver = pbsvm\nctime = " + shown(b.made)
                + "\nmtime = " + shown(b.made) + "\nVariable_List = PBS_O_LOGNAME=gridadm,PBS_O_HOST=pbsvm\n"
                + "reserve_count = 1\n" + (broken ? "reserve_retry = " + shown(now() + 600) + "\n" : "")
                + "Submit_Host = pbsvm\npartition = pbs-default\n\n";
    }

    private int delete(List<String> words) {
        for (Booking b : bookings) {
            if (b.kind.equals("resv") && words.get(0).equals("R" + b.id + ".pbsvm")) {
                bookings.remove(b);
                return 0;
            }
        }
        System.err.println("pbs_rdel: Unknown Reservation Id " + words.get(0));
        return 236;
    }

    private int nodes(List<String> words) {
        boolean json = words.contains("json");
        StringBuilder out = new StringBuilder();
        if (json) {
            out.append("{\n\t\"timestamp\":\t" + now() + ",\n\t\"pbs_version\":\t\"23.06.06\",\n\t\"pbs_server\":\t\"pbsvm\",\n"
                    + "\t\"nodes\":\t{\n");
        }
        int i = 0;
        for (Map.Entry<String, Integer> node : nodes.entrySet()) {
            out.append(json ? jsonNode(node.getKey(), node.getValue(), ++i == nodes.size())
                    : textNode(node.getKey(), node.getValue()));
        }
        print(out + (json ? "\t}\n}\n" : ""));
        return 0;
    }

    private String stateOf(String node) {
        return offline.contains(node) ? "offline" : "free";
    }

    private List<String> jobsOn(String node, boolean perCore) {
        List<String> on = new ArrayList<>();
        for (Booking b : bookings) {
            if (b.kind.equals("job") && b.nodes.contains(node)) {
                for (int c = 0; c < (perCore ? b.cores : 1); c++) {
                    on.add(b.id + ".pbsvm" + (perCore ? "/" + c : ""));
                }
            }
        }
        return on;
    }

    private String jsonNode(String node, int cores, boolean last) {
        List<String> jobs = jobsOn(node, false);
        return "\t\t\"" + node + "\":\t{\n\t\t\t\"Mom\":\t\"pbsvm\",\n\t\t\t\"ntype\":\t\"PBS\",\n\t\t\t\"state\":\t\""
                + stateOf(node) + "\",\n"
                + (jobs.isEmpty() ? "" : "\t\t\t\"jobs\":\t[\"" + String.join("\", \"", jobs) + "\"],\n")
                + "\t\t\t\"resources_available\":\t{\n\t\t\t\t\"arch\":\t\"linux\",\n\t\t\t\t\"host\":\t\"" + node
                + "\",\n\t\t\t\t\"mem\":\t\"4gb\",\n\t\t\t\t\"ncpus\":\t" + cores + ",\n\t\t\t\t\"vnode\":\t\"" + node
                + "\"\n\t\t\t},\n\t\t\t\"resources_assigned\":\t{\n\t\t\t},\n\t\t\t\"resv_enable\":\t\"True\",\n"
                + "\t\t\t\"sharing\":\t\"default_shared\",\n\t\t\t\"license\":\t\"l\",\n\t\t\t\"last_state_change_time\":\t"
                + now() + "\n\t\t}" + (last ? "" : ",") + "\n";
    }

    private String textNode(String node, int cores) {
        List<String> jobs = jobsOn(node, true);
        return node + "\n     Mom = pbsvm\n     ntype = PBS\n     state = " + stateOf(node) + "\n"
                + (jobs.isEmpty() ? "" : "     jobs = " + String.join(", ", jobs) + "\n")
                + "     resources_available.arch = linux\n     resources_available.host = " + node
                + "\n     resources_available.ncpus = " + cores + "\n     resv_enable = True\n     sharing = default_shared\n\n";
    }

    private int jobs(List<String> words) {
        boolean json = words.contains("json");
        List<Booking> jobs = new ArrayList<>();
        for (Booking b : bookings) {
            if (b.kind.equals("job")) {
                jobs.add(b);
            }
        }
        StringBuilder out = new StringBuilder();
        if (json) {
            out.append("{\n\t\"timestamp\":\t" + now() + ",\n\t\"pbs_version\":\t\"23.06.06\",\n\t\"pbs_server\":\t\"pbsvm\""
                    + (jobs.isEmpty() ? "" : ",\n\t\"Jobs\":\t{") + "\n");
        }
        for (int i = 0; i < jobs.size(); i++) {
            out.append(json ? jsonJob(jobs.get(i)) + (i + 1 < jobs.size() ? ",\n" : "\n\t}\n") : textJob(jobs.get(i)));
        }
        print(out + (json ? "}\n" : ""));
        return 0;
    }

    private static String jsonJob(Booking b) {
        return "\t\t\"" + b.id + ".pbsvm\":\t{\n\t\t\t\"Job_Name\":\t\"" + b.name.replace("\\", "\\\\").replace("\"", "\\\"")
                + "\",\n\t\t\t\"Job_Owner\":\t\"" + b.owner + "@pbsvm\",\n\t\t\t\"job_state\":\t\"R\",\n"
                + "\t\t\t\"queue\":\t\"workq\",\n\t\t\t\"exec_vnode\":\t\"" + shares(b) + "\",\n"
                + "\t\t\t\"Resource_List\":\t{\n\t\t\t\t\"nodect\":\t" + b.nodes.size() + ",\n\t\t\t\t\"place\":\t\"scatter\""
                + (b.end == Long.MAX_VALUE ? "" : ",\n\t\t\t\t\"walltime\":\t\"" + clockTime(b.end - b.start) + "\"")
                + "\n\t\t\t},\n\t\t\t\"stime\":\t\"" + shown(b.start) + "\",\n\t\t\t\"substate\":\t42\n\t\t}";
    }

    private static String textJob(Booking b) {
        return "Job Id: " + b.id + ".pbsvm\n    Job_Name = " + b.name + "\n    Job_Owner = " + b.owner
                + "@pbsvm\n    job_state = R\n    queue = workq\n    exec_vnode = " + shares(b)
                + "\n    Resource_List.place = scatter\n"
                + (b.end == Long.MAX_VALUE ? "" : "    Resource_List.walltime = " + clockTime(b.end - b.start) + "\n")
                + "    stime = " + shown(b.start) + "\n    Variable_List = PBS_O_HOME=/home/alice,\n\tPBS_O_LANG=C\n\n";
    }
}
