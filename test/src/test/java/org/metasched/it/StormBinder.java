package org.metasched.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.soap.collector.RemoteLeases;
import org.metasched.trust.ClientCredentials;

/**
 * Process that binds every eighth DAG. Every second one takes its matches from a server, the others from a ledger. Of three one makes a
 * file and is bound to another site then, some to one of the other count; one gives its match back and takes it again; and one leaves
 * its site, which is drained. While the server is away it says its command again, as a user does.
 */
final class StormBinder {

    static final int BINDERS = 8;
    static final int WORLDS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path folder;
    private final URI server;
    private final Path outs;
    private final Path ledger;
    private final List<ClassAd> ads;
    private final LeaseLocator locator =
            new LeaseLocator(Clock.systemUTC(), address -> new RemoteLeases(address, ClientCredentials.ANONYMOUS));

    private StormBinder(Path folder, int index, URI server) throws Exception {
        this.folder = folder;
        this.server = server;
        outs = folder.resolve("out-" + index % WORLDS + "/u" + index / WORLDS);
        ledger = folder.resolve("ledger");
        ads = ClassAd.parseAll(Files.readString(folder.resolve("sites.ads")), ReadOptions.NEW);
    }

    public static void main(String[] arguments) throws Exception {
        int index = Integer.parseInt(arguments[1]);
        int dags = Integer.parseInt(arguments[2]);
        var binder = new StormBinder(Path.of(arguments[0]), index, URI.create(arguments[3]));
        binder.endDrains();
        binder.bindAll(index, dags);
        // Threads of connections to the server may live on.
        System.exit(0);
    }

    static byte[] result(int number) {
        byte[] bytes = new byte[20_000];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private void bindAll(int index, int dags) throws Exception {
        String unused = locator.settle(ledger);
        Path begun = outs.resolve("begun");
        int last =
                Files.exists(begun) ? Integer.parseInt(Files.readString(begun).strip()) : -1;
        for (int i = index; i < dags; i += BINDERS) {
            if (i >= last) {
                Files.writeString(outs.resolve("begun.new"), Integer.toString(i));
                Files.move(outs.resolve("begun.new"), begun, StandardCopyOption.REPLACE_EXISTING);
                while (!isDone(i)) {
                    System.out.println("commands without an answer of the server:" + i);
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        }
    }

    private static boolean isOfServer(int dag) {
        return dag / BINDERS % 2 == 1;
    }

    private static boolean changesTheCount(int dag) {
        return dag % 15 == 0;
    }

    /** Whether all was answered. */
    private boolean isDone(int dag) throws Exception {
        try {
            new Life(dag, isOfServer(dag)).lead();
            return true;
        } catch (UncheckedIOException e) {
            if (!isOfServer(dag) && !changesTheCount(dag)) {
                throw e;
            }
            return false;
        }
    }

    /** A DAG and the commands for it. */
    private final class Life {

        private final int number;
        private final Path out;
        private final NestedDag dag;
        private final DagJobAd job;
        private final boolean isOfServer;
        private final LeasingBinder binder;

        Life(int number, boolean isOfServer) throws IOException {
            this.number = number;
            this.isOfServer = isOfServer;
            out = outs.resolve("d" + number);
            dag = NestedDag.read(folder.resolve("dags/d" + number + "/group.dag"));
            job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
            binder = new LeasingBinder(
                    new DagBinder(DagBinder.Options.of(new HashMap<>())),
                    isOfServer ? server.toString() : FileLeases.whereOf(ledger),
                    locator);
        }

        void lead() throws Exception {
            boolean wasCutOff = RebindTransaction.recover(out, locator);
            if (wasCutOff || Files.exists(out.resolve("result.dat")) || Files.exists(out.resolve("result.new"))) {
                say("rebinds that were cut off");
            }
            if (MatchNote.find(out).isEmpty()) {
                bindSoon();
                say("binds");
            }
            switch (number % 3) {
                case 0 -> move();
                case 1 -> giveBackAndTakeAgain();
                default -> leaveDrained();
            }
        }

        private void say(String what) {
            System.out.println(what + (isOfServer ? " by the server:" : ":") + number);
        }

        private List<ClassAd> ads() {
            if (!isOfServer) {
                return ads;
            }
            try (var collector = RemoteCollector.at(server, PATIENCE)) {
                return collector.query(CollectorQuery.ofType("Machine")).stream()
                        .filter(ad -> ad.has("SiteEnvironment"))
                        .toList();
            }
        }

        /** Others drain their sites for a moment only. */
        private void bindSoon() throws IOException, UnboundReferenceException, InterruptedException {
            while (binder.bind(dag, job, ads(), out).isEmpty()) {
                say("waits for room");
                TimeUnit.MILLISECONDS.sleep(isOfServer ? 500 : 50);
            }
        }

        private void move() throws Exception {
            Files.write(out.resolve("result.new"), result(number));
            Files.move(out.resolve("result.new"), out.resolve("result.dat"), StandardCopyOption.REPLACE_EXISTING);
            Life next = changesTheCount(number) ? new Life(number, !isOfServer) : this;
            next.say(next.isMoved() ? "rebinds" : "no other site");
        }

        private boolean isMoved() throws IOException, UnboundReferenceException {
            return binder.rebind(out, BindingRecord.find(out).orElseThrow(), dag, job, ads())
                    .isPresent();
        }

        private void giveBackAndTakeAgain() throws Exception {
            boolean unused = LeasingBinder.release(out, locator);
            if (!LeasingBinder.retake(out, locator)) {
                bindSoon();
            }
            say("releases");
            String unusedWhere = locator.settle(ledger);
        }

        private void leaveDrained() throws Exception {
            MatchLeases leases = leases();
            String site = BindingRecord.find(out).orElseThrow().site();
            Optional<UUID> drain = leases.acquire(
                    new LeaseRequest(site, MatchRoom.exactly(0), Lease.DRAINED, Lease.Claimant.here(), 1));
            if (drain.isPresent()) {
                int before = here(site);
                boolean unused = isMoved();
                if (here(site) > before) {
                    throw new IllegalStateException("a drained site was given another match");
                }
                unused = leases.release(drain.get());
            }
            say("drains");
        }

        private MatchLeases leases() {
            return isOfServer ? locator.at(server.toString()) : ledgerOf(folder);
        }

        private int here(String site) {
            return (isOfServer
                            ? KilledServer.counts(server)
                                    .orElseThrow(() -> new UncheckedIOException(new IOException("no server")))
                            : BinderStormIT.counts(ledgerOf(folder).held()))
                    .getOrDefault(site, 0);
        }
    }

    private static FileLeases ledgerOf(Path folder) {
        return new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence());
    }

    /** Those of the killed. */
    private void endDrains() {
        FileLeases leases = ledgerOf(folder);
        leases.held().stream()
                .filter(lease -> lease.holder().equals(Lease.DRAINED)
                        && lease.isOfThisHost()
                        && ProcessHandle.of(lease.claimant().process().pid()).isEmpty())
                .forEach(lease -> leases.release(lease.id()));
    }
}
