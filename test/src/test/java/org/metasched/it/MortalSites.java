package org.metasched.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;

/**
 * Simulated sites of 64 nodes in a server's own process ({@code type: mortal}), which a test can tell to die at the n-th step from then on: a message to
 * any of them that changes or looks up a reservation, before or after it takes effect.
 */
public final class MortalSites implements LocalSchedulerFactory {

    static final int NODES = 64;

    private static final String ORDER = "dies-at";
    private static final Tripwire.Wire WIRE = new Tripwire.Wire();

    @Override
    public String type() {
        return "mortal";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        Path state = Path.of(settings.text("state-file").orElseThrow());
        var listener = new Thread(() -> obey(state.resolveSibling(ORDER)), "executioner");
        listener.setDaemon(true);
        listener.start();
        return new Tripwire(
                new SimulatedSite(site).nodes(NODES).stateFile(state).open(clock), WIRE);
    }

    /** A class path entry with which a server finds this type. */
    static String provided(Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(LocalSchedulerFactory.class.getName()), MortalSites.class.getName());
        return folder.toString();
    }

    /** @param folder of the state files; returns when the server knows */
    static void dieAt(Path folder, int step) throws IOException {
        Path draft = Files.writeString(folder.resolve("draft"), Integer.toString(step));
        Files.move(draft, folder.resolve(ORDER), StandardCopyOption.ATOMIC_MOVE);
        Awaitility.await().until(() -> Files.notExists(folder.resolve(ORDER)));
    }

    private static void obey(Path order) {
        while (true) {
            try {
                Path taken = Files.move(order, order.resolveSibling("taken"), StandardCopyOption.ATOMIC_MOVE);
                var unused = WIRE.trip(
                        Integer.parseInt(Files.readString(taken)),
                        () -> Runtime.getRuntime().halt(137));
            } catch (NoSuchFileException e) {
                LockSupport.parkNanos(20_000_000);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
