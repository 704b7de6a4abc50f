package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JSON of the commands that need no server, as scripts rely on it. */
class ShownFormsTest {

    @TempDir
    private Path folder;

    private ShownForms shown;

    @BeforeEach
    void shown() {
        shown = new ShownForms(folder);
    }

    private String file(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n")
                .toString();
    }

    @Test
    void classads() throws Exception {
        String job = file(
                "job.ad",
                "[ Name = \"j\"; Owner = \"ann\"; Rank = other.Memory;",
                "  Requirements = other.Memory >= 64 && other.Arch == \"X86\" && other.HasGpu ]");
        String machines = file(
                "machines.ad",
                "[ Name = \"m1\"; Memory = 128; Arch = \"X86\"; HasGpu = true; Requirements = other.Owner == \"ann\"; Rank = 1 ]",
                "[ Name = \"m2\"; Memory = 32; Arch = \"X86\"; Requirements = other.Owner == \"bob\" ]",
                "[ Memory = 256; Arch = \"ARM\"; HasGpu = true; Requirements = true ]");
        String one =
                file("one.ad", "[ Name = \"m2\"; Memory = 32; Arch = \"X86\"; Requirements = other.Owner == \"bob\" ]");

        shown.check("classad-eval", 0, "classad", "eval", "1 + size(\"ab\")");
        shown.check("classad-eval-trace", 0, "classad", "eval", "--trace", "1 + Missing");
        shown.check("classad-match", 0, "classad", "match", job, machines, "--all");
        shown.check("classad-match-explain", 0, "classad", "match", job, machines, "--explain");
        shown.check("classad-match-one", 1, "classad", "match", job, one, "--explain");
    }

    @Test
    void gangs() throws Exception {
        String ads = file(
                "gang.ads",
                "[ Type = \"Job\"; Name = \"j1\"; Ports = { [ Label = cpu; Rank = 0; Constraint = cpu.Type == \"Machine\" ],",
                "  [ Label = license; Host = cpu.Name; Rank = 0; Constraint = license.Type == \"License\" ] } ]",
                "[ Type = \"Job\"; Name = \"j2\"; Ports = { [ Label = cpu; Rank = 0; Constraint = cpu.Type == \"Machine\" ],",
                "  [ Label = license; Host = cpu.Name; Rank = 0; Constraint = license.Type == \"License\" ] } ]",
                "[ Type = \"Machine\"; Name = \"m1\"; Ports = { [ Label = requester; Rank = 0; Constraint = true ] } ]",
                "[ Type = \"Machine\"; Ports = { [ Label = requester; Rank = 0; Constraint = true ] } ]",
                "[ Type = \"License\"; Name = \"l\"; Ports = { [ Label = requester; Rank = 0; Constraint = requester.Host == \"m1\" ] } ]",
                "[ Type = \"Broken\"; Name = \"b\"; Ports = 3 ]");

        shown.check("gang-match", 0, "gang", "match", "--ads", ads);
        shown.check("gang-match-list", 0, "gang", "match", "--ads", ads, "--list", "--explain");
        shown.check("gang-match-exact", 0, "gang", "match", "--ads", ads, "--algorithm", "exact", "--list");
    }

    @Test
    void dags() throws Exception {
        String dag = file("d.dag", "JOB A a.sub", "JOB B a.sub", "PARENT A CHILD B");
        String broken = file("broken.dag", "JOB A a.sub", "RETRY", "PARENT A CHILD C");
        file("a.sub", "executable = /bin/true", "arguments = $ENV(Area)", "queue");
        String sites = file(
                "sites.ads",
                "Name = \"full\"",
                "CurMatches = 2",
                "MaxMatches = 2",
                "Requirements = CurMatches < MaxMatches",
                "",
                "Name = \"free\"",
                "CurMatches = 1",
                "MaxMatches = 2",
                "Requirements = CurMatches < MaxMatches",
                "SiteEnvironment = \"Area=/w\"");
        String ledger = folder.resolve("ledger").toString();
        String bound = folder.resolve("bound").toString();

        shown.check("dag-check", 0, "dag", "check", dag);
        shown.check("dag-check-errors", 2, "dag", "check", broken);
        shown.check(
                "dag-bind-no-site",
                1,
                "dag",
                "bind",
                dag,
                "--sites",
                sites,
                "--ledger",
                ledger,
                "--site",
                "full",
                "--dry-run");
        shown.check(
                "dag-bind-dry-run",
                0,
                "dag",
                "bind",
                dag,
                "--sites",
                sites,
                "--ledger",
                ledger,
                "--dry-run",
                "--explain");
        shown.check("dag-bind", 0, "dag", "bind", dag, "--sites", sites, "--ledger", ledger, "--out", bound);
        shown.check("dag-status", 0, "dag", "status", bound);
        shown.check("dag-list", 0, "dag", "list", folder.toString());
        shown.check("watch-dag", 0, "watch", bound, "--looks", "1");
        shown.check("dag-rebind", 1, "dag", "rebind", bound, "--sites", sites, "--ledger", ledger);
        shown.check("dag-release", 0, "dag", "release", bound);
        shown.check("dag-release-none", 1, "dag", "release", bound);
        file("a.sub", "executable = $ENV(NoSuchThing)", "queue");
        shown.check("dag-bind-unresolved", 2, "dag", "bind", dag, "--sites", sites, "--ledger", ledger, "--dry-run");
    }

    @Test
    void submitDescriptions() throws Exception {
        String submit = file("a.sub", "executable = /bin/true", "arguments = $(Process)", "queue 2");

        var ran = ShownForms.run("submit", "expand", submit, "--clean-env", "--json");

        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{"));
    }

    @Test
    void sites() throws Exception {
        String site = file("site.yaml", "site: fzj", "scheduler: {type: simulated, nodes: 8}");
        String ads = file("ads", "[ Type = \"Machine\"; Name = \"a\"; Cpus = 2 ]", "[ Type = \"Job\"; Name = \"b\" ]");

        shown.check("adapter-check", 0, "adapter", "check", "--config", site, "--rule", "A1", "--rule", "W1");
        shown.check("status", 0, "status", ads);
    }

    @Test
    void installing() throws Exception {
        String dir = folder.resolve("etc").toString();

        shown.check("init", 0, "init", "--dir", dir, "--yes", "--site", "home", "--scheduler", "simulated");
        var found = shown.run("doctor", "--config", dir + "/server.yaml", "--json");
        assertThat(found.out())
                .startsWith("{\"findings\":[{\"what\":\"Java\",\"outcome\":\"good\",\"detail\":\"")
                .contains("\",\"advice\":\"");
    }

    @Test
    void trust() throws Exception {
        Files.createDirectory(folder.resolve("audit"));

        shown.check("pki-demo", 0, "pki", "demo", folder.resolve("pki").toString());
        shown.check("policy-explain", 0, "policy", "explain", "anonymous", "AgreementFactory/GetResourceProperty");
        shown.check(
                "audit-verify", 0, "audit", "verify", folder.resolve("audit").toString());
    }

    @Test
    void refusals() throws Exception {
        shown.check("refusal-bench", 2, "bench", "slots", "--sites", "4");
        shown.check("refusal-bench", 2, "gang", "bench", "--jobs", "4");
        shown.check("refusal-usage", 2, "classad", "match");
        shown.check("refusal-input", 2, "classad", "eval", "1 +");
        shown.check("refusal-world", 3, "sites", "--server", "http://127.0.0.1:1");
    }
}
