package org.metasched.it;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedSite;

/** At two simulated sites. A step is one side of the effect of a message to one of them. */
@Isolated("starts a process after the other")
class InPlaceKillsIT extends InPlaceKills {

    private static final String[] SITES = {"fzj", "scai"};

    InPlaceKillsIT() {
        super(2, SITES);
    }

    @Override
    protected String listed() {
        return Stream.of(SITES)
                .map(site ->
                        "  - {site: %s, scheduler: {type: mortal, state-file: '%s'}}%n".formatted(site, state(site)))
                .collect(Collectors.joining());
    }

    @Override
    protected ServerProcess start(Path config) throws IOException {
        String tests = Path.of(MortalSites.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
        return ServerProcess.ofClassPath(
                String.join(
                        File.pathSeparator,
                        ClassArchive.classPath(),
                        tests,
                        MortalSites.provided(folder().resolve("provided"))),
                config);
    }

    @Override
    protected void dieAt(int step) throws IOException {
        MortalSites.dieAt(folder(), step);
    }

    /** From their own records. */
    @Override
    protected List<List<Integer>> held() throws IOException {
        var all = new ArrayList<List<Integer>>();
        for (var site : SITES) {
            Path copy = Files.copy(state(site), folder().resolve("copy"), StandardCopyOption.REPLACE_EXISTING);
            try (var read = new SimulatedSite(new SiteId(site))
                    .nodes(MortalSites.NODES)
                    .stateFile(copy)
                    .open(Clock.systemUTC())) {
                all.add(read.held().stream()
                        .map(one -> one.reservation().granted().amount())
                        .toList());
            }
        }
        return all;
    }

    private Path state(String site) {
        return folder().resolve(site + ".state");
    }
}
