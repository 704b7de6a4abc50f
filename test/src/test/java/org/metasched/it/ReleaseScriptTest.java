package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The script that makes a release copies from modules that are there, and its page lists what it copies. */
class ReleaseScriptTest {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));
    private static final Pattern MODULES = Pattern.compile("for module in ([^;]+);");
    private static final Pattern NAME = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");

    @Test
    void theModulesItPublishesAreThereAndListed() throws IOException {
        var line = MODULES.matcher(Files.readString(ROOT.resolve("metascheduler/dist/release.sh")));
        assertThat(line.find()).isTrue();
        String page = Files.readString(ROOT.resolve("docs/releasing.md"));

        for (String module : List.of(line.group(1).strip().split(" "))) {
            Path pom = ROOT.resolve(module).resolve("pom.xml");
            assertThat(pom).exists();
            var name = NAME.matcher(Files.readString(pom));
            assertThat(name.find()).as(module).isTrue();
            assertThat(page).contains("`" + name.group(1) + "`");
        }
    }
}
