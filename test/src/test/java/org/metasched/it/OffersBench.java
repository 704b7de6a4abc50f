package org.metasched.it;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;

/**
 * Offers of one node each at three simulated sites, made to server processes by HTTP clients with connections that stay open. Prints a JSON
 * line for each number of clients: agreements a second on the clock, the time of answers, and the processor time of the servers for each.
 *
 * <p>Arguments: servers (1), clients (8,64,256), seconds of each (10), nodes of a site (8192), {@code remote} for sites behind SOAP in this
 * process and one PostgreSQL, which more than one server has anyway (own): else the sites are the server's own, on H2; offers to warm up with, of eight
 * clients, before all, which are not counted (3000); {@code lose} to kill the last server then and measure the others once more. What the
 * compilers of the servers take is said beside the rest of the time, and is not in it.
 */
public final class OffersBench {

    static final List<String> SITES = List.of("fzj", "scai", "cesca");

    private static final AtomicInteger BUSY = new AtomicInteger();
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private OffersBench() {}

    /** One level of load. */
    private record Load(List<URI> servers, int clients, Duration lasts, int most, String run) {

        /** Milliseconds of each answer, with all turns of one that was sent away as BUSY; a refusal ends the run. */
        double[] offer() throws InterruptedException {
            var http =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            var threads = Executors.newFixedThreadPool(clients);
            var took = new ConcurrentLinkedQueue<Double>();
            var refused = new ConcurrentLinkedQueue<String>();
            var next = new AtomicInteger();
            long end = System.nanoTime() + lasts.toNanos();
            for (int client = 0; client < clients; client++) {
                var server = servers.get(client % servers.size());
                threads.execute(() -> {
                    int number;
                    while (System.nanoTime() < end && refused.isEmpty() && (number = next.getAndIncrement()) < most) {
                        long begun = System.nanoTime();
                        var answer = answer(http, server, run + "-" + number);
                        while (answer.contains(">BUSY<")) {
                            BUSY.incrementAndGet();
                            LockSupport.parkNanos(RETRY_AFTER.toNanos());
                            answer = answer(http, server, run + "-" + number);
                        }
                        if (!answer.contains("CreateAgreementResponse")) {
                            refused.add(answer);
                        }
                        took.add((System.nanoTime() - begun) / 1e6);
                    }
                });
            }
            threads.shutdown();
            threads.awaitTermination(lasts.toSeconds() + 120, TimeUnit.SECONDS);
            if (!refused.isEmpty()) {
                throw new IllegalStateException("An offer was not accepted: " + refused.peek());
            }
            return took.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        }
    }

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(argument(arguments, 0, "1"));
        int[] levels = Arrays.stream(argument(arguments, 1, "8,64,256").split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
        var lasts = Duration.ofSeconds(Integer.parseInt(argument(arguments, 2, "10")));
        int nodes = Integer.parseInt(argument(arguments, 3, "8192"));
        boolean remote = count > 1 || argument(arguments, 4, "").equals("remote");
        Path folder = Files.createTempDirectory("offers-bench");
        var closing = new ArrayList<AutoCloseable>();
        try {
            var common = new StringBuilder();
            if (remote) {
                var postgres = EmbeddedPostgres.builder()
                        .setDataDirectory(folder.resolve("pg"))
                        .start();
                closing.add(postgres);
                common.append("database: {url: '%s'}%n".formatted(postgres.getJdbcUrl("postgres", "postgres")));
            }
            common.append(sites(remote, nodes, closing));
            var servers = new ArrayList<ServerProcess>();
            var addresses = new ArrayList<URI>();
            for (int i = 0; i < count; i++) {
                var server = ServerProcess.fast(configuration(folder, i, common.toString()), 512);
                closing.add(server);
                addresses.add(server.awaitReady());
                servers.add(server);
            }
            System.err.println(
                    "servers " + servers.stream().map(ServerProcess::pid).toList());
            int warm = Integer.parseInt(argument(arguments, 5, "3000"));
            new Load(addresses, 8, Duration.ofMinutes(10), warm, "w").offer();
            for (int clients : levels) {
                measure(servers, addresses, clients, lasts, nodes, remote);
            }
            if (argument(arguments, 6, "").equals("lose")) {
                servers.remove(count - 1).kill();
                addresses.remove(count - 1);
                for (int clients : levels) {
                    measure(servers, addresses, clients, lasts, nodes, remote);
                }
            }
        } finally {
            for (int i = closing.size(); i-- > 0; ) {
                closing.get(i).close();
            }
        }
    }

    private static void measure(
            List<ServerProcess> servers, List<URI> addresses, int clients, Duration lasts, int nodes, boolean remote)
            throws InterruptedException {
        double before = processorMillis(servers);
        double compiled = compilerMillis(servers);
        double here = processorMillis();
        long begun = System.nanoTime();
        var took =
                new Load(addresses, clients, lasts, Integer.MAX_VALUE, "m" + clients + "-" + System.nanoTime()).offer();
        double compilers = compilerMillis(servers) - compiled;
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
                "{\"servers\":%d,\"sites\":\"%s\",\"nodes\":%d,\"clients\":%d,\"agreements\":%d,\"perSecond\":%.0f,"
                        + "\"p50Millis\":%.1f,\"p99Millis\":%.1f,\"processorMillisEach\":%.2f,\"compilerMillisEach\":%.2f,"
                        + "\"processorMillisEachHere\":%.2f,\"busy\":%d}%n",
                servers.size(),
                remote ? "remote" : "own",
                nodes,
                clients,
                took.length,
                took.length / seconds,
                took[took.length / 2],
                took[took.length * 99 / 100],
                (processorMillis(servers) - before - compilers) / took.length,
                compilers / took.length,
                (processorMillis() - here) / took.length,
                BUSY.getAndSet(0));
    }

    static double processorMillis(List<ServerProcess> servers) {
        return servers.stream().mapToLong(s -> s.processorTime().toMillis()).sum();
    }

    /** Of the threads that compile, in the kernel's ticks of 10 ms. */
    static double compilerMillis(List<ServerProcess> servers) {
        double ticks = 0;
        for (var server : servers) {
            try (var tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(server.pid()), "task"))) {
                for (var task : tasks) {
                    ticks += compilerTicks(task);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return ticks * 10;
    }

    private static long compilerTicks(Path task) throws IOException {
        try {
            var stat = Files.readString(task.resolve("stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return stat.contains("CompilerThre") ? Long.parseLong(fields[11]) + Long.parseLong(fields[12]) : 0;
        } catch (NoSuchFileException e) {
            // The thread has ended meanwhile.
            return 0;
        }
    }

    static double processorMillis() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e6;
    }

    private static String sites(boolean remote, int nodes, List<AutoCloseable> closing) {
        var text = new StringBuilder("sites:\n");
        for (var name : SITES) {
            if (remote) {
                var host = AdapterHost.start(
                        new SimulatedSite(new SiteId(name)).nodes(nodes).open(Clock.systemUTC()), 0);
                closing.add(host::close);
                text.append("  - {site: %s, url: '%s'}%n".formatted(name, host.endpoint()));
            } else {
                text.append("  - {site: %s, scheduler: {type: simulated, nodes: %d}}%n".formatted(name, nodes));
            }
        }
        return text.toString();
    }

    private static Path configuration(Path folder, int number, String common) throws IOException {
        return Files.writeString(
                folder.resolve("server-" + number + ".yaml"),
                "port: 0%ndata: %s%n%s".formatted(folder.resolve("data-" + number), common));
    }

    private static String answer(HttpClient http, URI server, String name) {
        try {
            return http.send(
                            HttpRequest.newBuilder(server.resolve("/services/AgreementFactory"))
                                    .header("Content-Type", "application/soap+xml; charset=utf-8")
                                    .POST(HttpRequest.BodyPublishers.ofString(
                                            message(name, 60), StandardCharsets.UTF_8))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "no answer: " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** An offer of one node at each of the sites, for so many minutes: the unit of the extension. */
    static String message(String name, int minutes) {
        String parts = IntStream.range(0, SITES.size())
                .mapToObj(i -> """
                <wsag:ServiceDescriptionTerm wsag:Name="PART-%d" wsag:ServiceName="META-JOB"><jsdl:Resources>
                <jsdl:CandidateHosts><jsdl:HostName>%s</jsdl:HostName></jsdl:CandidateHosts>
                <jsdl:TotalResourceCount><jsdl:Exact>1</jsdl:Exact></jsdl:TotalResourceCount>
                </jsdl:Resources></wsag:ServiceDescriptionTerm>
                """.formatted(i, SITES.get(i)))
                .reduce("", String::concat);
        return """
            <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:wsa="http://www.w3.org/2005/08/addressing"
             xmlns:wsag="http://schemas.ggf.org/graap/2007/03/ws-agreement" xmlns:jsdl="http://schemas.ggf.org/jsdl/2005/11/jsdl"
             xmlns:t="http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions"><s:Header>
            <wsa:Action>http://schemas.ggf.org/graap/2007/03/ws-agreement/CreateAgreementRequest</wsa:Action>
            <wsa:MessageID>urn:x:%s</wsa:MessageID></s:Header><s:Body><wsag:CreateAgreementInput>
            <wsag:AgreementOffer wsag:AgreementId="%s"><wsag:Name>%s</wsag:Name><wsag:Context>
            <wsag:AgreementInitiator>CN=Alice,O=Grid</wsag:AgreementInitiator>
            <wsag:ServiceProvider>AgreementResponder</wsag:ServiceProvider><wsag:TemplateId>1</wsag:TemplateId>
            <wsag:TemplateName>CO-ALLOCATION</wsag:TemplateName></wsag:Context><wsag:Terms><wsag:All>%s
            <wsag:ServiceDescriptionTerm wsag:Name="WHEN" wsag:ServiceName="META-JOB"><t:TimeConstraint>
            <t:Duration>%d</t:Duration></t:TimeConstraint></wsag:ServiceDescriptionTerm>
            </wsag:All></wsag:Terms></wsag:AgreementOffer></wsag:CreateAgreementInput></s:Body></s:Envelope>
            """.formatted(name, name, name, parts, minutes);
    }

    private static String argument(String[] arguments, int index, String usual) {
        return arguments.length > index ? arguments[index] : usual;
    }
}
