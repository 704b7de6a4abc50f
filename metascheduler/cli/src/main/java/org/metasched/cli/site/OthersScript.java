package org.metasched.cli.site;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.testkit.KitSettings;

/**
 * Other users and the operator, played by a program of the admin's: {@code holdings} prints a name a line, {@code hold NAME}
 * begins one and prints the instant until which a node is taken, {@code out NODE} takes a node out of service, {@code leave} ends all.
 */
final class OthersScript implements KitSettings.Others {

    private final CommandRunner runner = new CommandRunner(new SiteId("others"), RunSettings.local());
    private final String program;

    OthersScript(Path program) {
        this.program = program.toAbsolutePath().toString();
    }

    @Override
    public Map<String, Callable<Instant>> holdings() {
        var all = new LinkedHashMap<String, Callable<Instant>>();
        try {
            call("holdings").lines().filter(name -> !name.isBlank()).forEach(name -> all.put(name, () -> hold(name)));
        } catch (LocalSchedulerException | IOException e) {
            all.put("its holdings", () -> {
                throw e;
            });
        }
        return all;
    }

    private Instant hold(String name) throws LocalSchedulerException, IOException {
        String until = call("hold", name).strip();
        try {
            return Instant.parse(until);
        } catch (DateTimeException e) {
            throw new IOException(
                    program + " hold must print an instant such as 2026-01-05T09:30:00Z, not (" + DisplayText.of(until)
                            + ").",
                    e);
        }
    }

    @Override
    public void takeOut(String node) throws LocalSchedulerException, IOException {
        call("out", node);
    }

    @Override
    public void leave() throws LocalSchedulerException, IOException {
        call("leave");
    }

    private String call(String... words) throws LocalSchedulerException, IOException {
        var all = new ArrayList<>(List.of(program));
        all.addAll(List.of(words));
        var result = runner.run(all);
        if (!result.ok()) {
            throw new IOException(result.words());
        }
        return result.out();
    }
}
