package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metasched.cli.Main;

/** The whole demo with a certificate at each end of each wire. */
@Tag("full")
@Timeout(300)
class DemoTlsIT {

    @Test
    void theDemosStoryHoldsOverTls() {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] arguments = {"demo", "--tls", "--sites", "2", "--json"};

        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);

        assertThat(exit).as(err.toString()).isZero();
        assertThat(err.toString()).contains("https://127.0.0.1:");
        assertThat(out.toString()).contains("agreement");
    }
}
