package org.metasched.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.bench.command.GangWorkload;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.PortedAd;

/**
 * The gang workload by this project and by what one would reach for instead, a loop over an indexed SQL database in the same
 * process: same data, greedy consumption in priority order. Prints one JSON object; times are medians of matching alone, without
 * reading text, building indexes or filling tables, on the clock and of this thread's processor time.
 *
 * <p>Arguments: jobs, licence density, selectivity, runs, then the names of databases (sqlite, h2). With {@code +memory} behind
 * its name the loop remembers requests that found nothing and does not ask for them again: what is taken stays taken. With runs
 * 0 there is a folder instead, into which the ads of the workload are written as text.
 */
public final class GangSideBySide {

    private static final Pattern NUMBER = Pattern.compile("(\\w+)(?:=|>=|<=)(\\d+)");
    private static final Pattern TEXT = Pattern.compile("(Arch|OpSys)==?\"([^\"]+)\"");

    /** What an ad of the workload says that matters for matching. */
    record Row(String arch, String opSys, int memory, int virtualMemory, int image, int partition) {}

    private record Measured(int gangs, double millis, double cpuMillis) {}

    private static final int WARM_UP = 200;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private GangSideBySide() {}

    public static void main(String[] arguments) throws SQLException, ClassAdSyntaxException, IOException {
        int jobs = Integer.parseInt(arguments[0]);
        int density = Integer.parseInt(arguments[1]);
        int selectivity = Integer.parseInt(arguments[2]);
        int runs = Integer.parseInt(arguments[3]);
        var workload = GangWorkload.standard(jobs, density, selectivity, 1);
        if (runs == 0) {
            var folder = Files.createDirectories(Path.of(arguments[4]));
            Files.writeString(folder.resolve("jobs.ads"), workload.jobAds());
            Files.writeString(folder.resolve("machines.ads"), workload.machineAds());
            Files.writeString(folder.resolve("licences.ads"), workload.licenseAds());
            return;
        }
        var json = new StringBuilder(
                "{\"jobs\":%d,\"licenseDensity\":%d,\"selectivity\":%d".formatted(jobs, density, selectivity));
        // The first repetitions compile the program; what is shown is how it runs in a service.
        Measured own = ours(workload, runs + WARM_UP, runs);
        append(json, "metasched", own, own);
        for (String database : Arrays.asList(arguments).subList(4, arguments.length)) {
            append(json, database, sql(workload, database, runs), own);
        }
        System.out.println(json.append('}'));
    }

    private static void append(StringBuilder json, String name, Measured measured, Measured own) {
        json.append(String.format(
                Locale.ROOT,
                ",\"%s\":{\"gangs\":%d,\"millis\":%.3f,\"cpuMillis\":%.3f,\"timesOurs\":%.1f,\"cpuTimesOurs\":%.1f}",
                name,
                measured.gangs(),
                measured.millis(),
                measured.cpuMillis(),
                measured.millis() / own.millis(),
                measured.cpuMillis() / own.cpuMillis()));
    }

    private static Measured ours(GangWorkload workload, int repetitions, int counted) throws ClassAdSyntaxException {
        List<ClassAd> jobs = ClassAd.parseAll(workload.jobAds(), ReadOptions.NEW);
        List<ClassAd> offers = ClassAd.parseAll(workload.machineAds() + workload.licenseAds(), ReadOptions.NEW);
        List<PortedAd> roots = jobs.stream().map(PortedAd::of).toList();
        var times = new ArrayList<Double>();
        var cpuTimes = new ArrayList<Double>();
        int gangs = 0;
        for (int i = 0; i < repetitions; i++) {
            var pool = new GangPool(offers);
            pool.prepare(roots);
            long start = System.nanoTime();
            long cpuStart = THREADS.getCurrentThreadCpuTime();
            CycleOutcome outcome = GangCycle.run(roots, pool, GangAlgorithm.DYNAMIC);
            cpuTimes.add((THREADS.getCurrentThreadCpuTime() - cpuStart) / 1e6);
            times.add((System.nanoTime() - start) / 1e6);
            gangs = outcome.gangs();
        }
        return new Measured(
                gangs,
                median(times.subList(repetitions - counted, repetitions)),
                median(cpuTimes.subList(repetitions - counted, repetitions)));
    }

    private static Measured sql(GangWorkload workload, String database, int runs) throws SQLException {
        boolean remembers = database.endsWith("+memory");
        String url = database.startsWith("sqlite") ? "jdbc:sqlite::memory:" : "jdbc:h2:mem:";
        var times = new ArrayList<Double>();
        var cpuTimes = new ArrayList<Double>();
        List<Row> jobs = workload.jobAds().lines().map(GangSideBySide::row).toList();
        int gangs = 0;
        for (int i = 0; i < runs; i++) {
            try (Connection connection = DriverManager.getConnection(url)) {
                fill(connection, workload);
                long start = System.nanoTime();
                long cpuStart = THREADS.getCurrentThreadCpuTime();
                gangs = loop(connection, jobs, remembers);
                cpuTimes.add((THREADS.getCurrentThreadCpuTime() - cpuStart) / 1e6);
                times.add((System.nanoTime() - start) / 1e6);
            }
        }
        return new Measured(gangs, median(times), median(cpuTimes));
    }

    private static void fill(Connection connection, GangWorkload workload) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute(
                    "create table machine (id integer primary key, arch varchar(16), opsys varchar(16), memory integer,"
                            + " vm integer, lim integer, part integer, used integer)");
            statement.execute("create table license (id integer primary key, part integer, used integer)");
        }
        insert(connection, "insert into machine values (?, ?, ?, ?, ?, ?, ?, 0)", workload.machineAds(), true);
        insert(connection, "insert into license values (?, ?, 0)", workload.licenseAds(), false);
        try (var statement = connection.createStatement()) {
            statement.execute("create index m on machine (used, arch, opsys, memory)");
            statement.execute("create index l on license (used, part)");
        }
        connection.commit();
    }

    private static void insert(Connection connection, String sql, String ads, boolean machine) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int id = 0;
            for (String ad : ads.lines().toList()) {
                Row row = row(ad);
                statement.setInt(1, id++);
                if (machine) {
                    statement.setString(2, row.arch());
                    statement.setString(3, row.opSys());
                    statement.setInt(4, row.memory());
                    statement.setInt(5, row.virtualMemory());
                    statement.setInt(6, row.image());
                    statement.setInt(7, row.partition());
                } else {
                    statement.setInt(2, row.partition());
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static int loop(Connection connection, List<Row> jobs, boolean remembers) throws SQLException {
        int gangs = 0;
        var failed = new HashSet<Row>();
        try (PreparedStatement find = connection.prepareStatement(
                        "select m.id, l.id from machine m join license l on l.part = m.part and l.used = 0"
                                + " where m.used = 0 and m.arch = ? and m.opsys = ? and m.memory >= ? and m.vm >= ? and m.lim >= ?"
                                + " limit 1");
                PreparedStatement takeMachine =
                        connection.prepareStatement("update machine set used = 1 where id = ?");
                PreparedStatement takeLicense =
                        connection.prepareStatement("update license set used = 1 where id = ?")) {
            for (Row job : jobs) {
                if (failed.contains(job)) {
                    continue;
                }
                find.setString(1, job.arch());
                find.setString(2, job.opSys());
                find.setInt(3, job.memory());
                find.setInt(4, job.virtualMemory());
                find.setInt(5, job.image());
                try (ResultSet found = find.executeQuery()) {
                    if (!found.next()) {
                        if (remembers) {
                            failed.add(job);
                        }
                        continue;
                    }
                    takeMachine.setInt(1, found.getInt(1));
                    takeLicense.setInt(1, found.getInt(2));
                }
                takeMachine.executeUpdate();
                takeLicense.executeUpdate();
                gangs++;
            }
        }
        connection.commit();
        return gangs;
    }

    /** The values of an ad of the workload, from its text. */
    static Row row(String ad) {
        String arch = "";
        String opSys = "";
        Matcher text = TEXT.matcher(ad);
        while (text.find()) {
            if (text.group(1).equals("Arch")) {
                arch = text.group(2);
            } else {
                opSys = text.group(2);
            }
        }
        int memory = 0;
        int virtualMemory = 0;
        int image = 0;
        int partition = 0;
        Matcher number = NUMBER.matcher(ad);
        while (number.find()) {
            int value = Integer.parseInt(number.group(2));
            switch (number.group(1)) {
                case "Memory" -> memory = value;
                case "VirtualMemory" -> virtualMemory = value;
                case "ImageSize" -> image = value;
                case "Partition", "ValidPartition" -> partition = value;
                default -> {
                    // QDate and Rank make no difference here.
                }
            }
        }
        return new Row(arch, opSys, memory, virtualMemory, image, partition);
    }

    static double median(List<Double> times) {
        double[] sorted =
                times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
