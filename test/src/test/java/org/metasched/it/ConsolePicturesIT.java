package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Image;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.imageio.ImageIO;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;

/**
 * The pages of the console as they were approved, a third as large. {@code -Dmetasched.approve=true} takes what is seen for approved; pictures of
 * another Chromium or other fonts are not compared.
 */
@Tag("full")
class ConsolePicturesIT {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));
    private static final Path APPROVED = ROOT.resolve(Path.of("test", "src", "test", "resources", "console-pictures"));
    private static final Path SEEN = ROOT.resolve(Path.of("test", "target", "console-pictures"));
    private static final boolean APPROVE = Boolean.getBoolean("metasched.approve");
    private static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");
    /** Stands but when an offer is made: lists are in the order of their times. */
    private static final AtomicReference<Instant> NOW = new AtomicReference<>(BEGIN);

    private static final Clock CLOCK = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return NOW.get();
        }
    };
    private static final int SMALLER = 3;
    /** Of 255, by which a pixel may differ. */
    private static final int SHADE = 48;
    /** Share of the pixels that may differ by more. */
    private static final double SHARE = 0.005;

    private static final int LOOKS = 5;

    private static final String WITHOUT_IDS = """
            var texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
              texts.currentNode.nodeValue = texts.currentNode.nodeValue
                .replace(/ag-[a-z0-9]{20}/g, 'ag-00000000000000000000')
                .replace(/[0-9]+ ms/g, '7 ms')
                .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-0000-0000-000000000000');
            }
            """;

    @TempDir
    private static Path folder;

    @Test
    void thePagesLookAsTheyWereApproved() throws Exception {
        Assumptions.assumeTrue(Chromium.isHere(), "Chromium and chromedriver are not here: no page is looked at");
        String looks = said("chromium", "--version").replaceFirst("\\..*", "") + ", " + said("fc-match", "sans-serif")
                + ", " + said("fc-match", "system-ui") + "\n";
        Path with = APPROVED.resolve("with.txt");
        Assumptions.assumeTrue(
                APPROVE || Files.exists(with) && Files.readString(with).equals(looks),
                "The approved pictures are of another Chromium or other fonts than " + looks.strip());
        try (var server = new ConsoleServer(folder, """
              - {site: fzj, scheduler: {type: simulated, nodes: 128, workload: synthetic, seed: 1}}
              - {site: scai, scheduler: {type: simulated, nodes: 32}}
              - {site: a-site-with-a-long-name.of-an-organisation.example.org, scheduler: {type: simulated, nodes: 16}}
            """, CLOCK);
                var browser = new Chromium(folder.resolve("profile"))) {
            String one = fill(server);
            signIn(server, browser, "alice");
            compare(server, browser, Map.of("home", ""));
            signIn(server, browser, "op");
            compare(server, browser, pages(one));
        }
        if (APPROVE) {
            Files.writeString(with, looks);
        }
    }

    private static void signIn(ConsoleServer server, Chromium browser, String who) throws Exception {
        browser.open(server.base() + "/console/login");
        browser.type("input[name=token]", server.token(who));
        browser.click("main button");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> browser.address().endsWith("/console"));
    }

    private static Map<String, String> pages(String one) {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("picture", "/picture?span=day");
        pages.put("sites", "/sites");
        pages.put("agreements", "/agreements");
        pages.put("agreement", "/agreement/" + one);
        pages.put("find", "/find?nodes1=4&site1=scai&nodes2=2&hours=1");
        pages.put("refused", "/refused");
        pages.put("login", "/login");
        return pages;
    }

    private static void compare(ConsoleServer server, Chromium browser, Map<String, String> pages) throws Exception {
        var soft = new SoftAssertions();
        for (int width : List.of(1400, 400)) {
            browser.width(width);
            for (var page : pages.entrySet()) {
                String name = page.getKey() + "-" + width + ".png";
                double other = 1;
                // On a machine that is very busy a site may be silent at the first look.
                for (int look = 0; look < LOOKS && other > SHARE; look++) {
                    browser.open(server.base() + "/console" + page.getValue());
                    other = look(browser, name);
                }
                soft.assertThat(other)
                        .as("share of the pixels of %s that are other than approved", name)
                        .isLessThanOrEqualTo(SHARE);
            }
        }
        soft.assertAll();
    }

    /** The share of its pixels that are other than approved. */
    private static double look(Chromium browser, String name) throws Exception {
        browser.script(WITHOUT_IDS);
        browser.picture(SEEN.resolve("whole-" + name));
        var seen = smaller(ImageIO.read(SEEN.resolve("whole-" + name).toFile()));
        ImageIO.write(seen, "png", SEEN.resolve(name).toFile());
        if (APPROVE) {
            Files.createDirectories(APPROVED);
            Files.copy(SEEN.resolve(name), APPROVED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        return difference(ImageIO.read(APPROVED.resolve(name).toFile()), seen);
    }

    /** Some agreements, of which one is over, and a refused offer. */
    private static String fill(ConsoleServer server) throws Exception {
        String id = "";
        for (int i = 0; i < 8; i++) {
            var made = (Created) server.wiring.agreements().offer(offer(server, "o" + i, 8 + i, 1 + i % 5));
            id = made.agreement().id().value();
            if (i == 2) {
                server.wiring.agreements().end(made.agreement().id(), "No longer wanted.");
            }
        }
        server.wiring.agreements().offer(offer(server, "too-much", 129, 2));
        return id;
    }

    private static AgreementOffer offer(ConsoleServer server, String name, int nodes, int hours) {
        NOW.updateAndGet(now -> now.plusSeconds(1));
        return ConsoleServer.offer(
                server.wiring,
                new OfferKey(ConsoleServer.ISSUER + ",alice", name),
                "Beam time " + name,
                RequestedPart.at("fzj", ResourceRequest.nodes(nodes, Duration.ofHours(hours))),
                RequestedPart.at("scai", ResourceRequest.nodes(4, Duration.ofHours(hours))));
    }

    private static BufferedImage smaller(BufferedImage whole) {
        int width = whole.getWidth() / SMALLER;
        int height = whole.getHeight() / SMALLER;
        var small = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        var pen = small.createGraphics();
        pen.drawImage(whole.getScaledInstance(width, height, Image.SCALE_AREA_AVERAGING), 0, 0, null);
        pen.dispose();
        return small;
    }

    /** Share of the pixels that differ visibly; what one picture alone has counts. */
    private static double difference(BufferedImage approved, BufferedImage seen) {
        int width = Math.max(approved.getWidth(), seen.getWidth());
        int height = Math.max(approved.getHeight(), seen.getHeight());
        long other = 0;
        for (int x = 0; x < width; x++) {
            for (int y = 0; y < height; y++) {
                boolean both = x < approved.getWidth()
                        && x < seen.getWidth()
                        && y < approved.getHeight()
                        && y < seen.getHeight();
                other += both && Math.abs(shade(approved, x, y) - shade(seen, x, y)) <= SHADE ? 0 : 1;
            }
        }
        return other / (double) (width * height);
    }

    private static int shade(BufferedImage picture, int x, int y) {
        return picture.getRaster().getSample(x, y, 0);
    }

    private static String said(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException absent) {
            return "no " + command[0];
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }
}
