package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassAdCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path dir;

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String file(String name, String text) throws Exception {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    @Test
    void evaluatesAnExpressionAgainstTwoAds() throws Exception {
        String job = file("job.ad", "[ Need = 31; Requirements = TARGET.Memory >= Need ]");
        String machine = file("machine.ad", "Memory = 64\nArch = \"INTEL\"\n");

        int exit = run(
                "classad", "eval", "--ad", job, "--target", machine, "{ Requirements, Arch, TARGET.Memory * 2 }[2]");

        assertThat(exit).isZero();
        assertThat(out.toString()).isEqualTo("128\n");
    }

    @Test
    void tracesWhyAValueIsMissing() throws Exception {
        String job = file("job.ad", "[ Need = Base / 0; Base = 1; Loop = Loop; R = TARGET.Memory > Need && Arch ]");
        String machine = file("machine.ad", "Memory = 64\nArch = \"INTEL\"\n");

        assertThat(run("classad", "eval", "--trace", "--ad", job, "--target", machine, "Loop || siz(1) || R"))
                .isZero();

        assertThat(out.toString()).isEqualTo("""
                        error  <-  Loop || siz(1) || R
                            error  <-  Loop || siz(1)
                                undefined  <-  Loop
                                    undefined  <-  Loop: it needs itself
                                error  <-  siz(1): there is no function siz
                        """);
        out.getBuffer().setLength(0);
        assertThat(run(
                        "classad",
                        "eval",
                        "--trace",
                        "--json",
                        "--ad",
                        job,
                        "--target",
                        machine,
                        "TARGET.Memory > Need"))
                .isZero();
        assertThat(out.toString().replaceAll("\\s", ""))
                .contains("\"value\":\"error\"")
                .contains("{\"expression\":\"Base/0\",\"value\":\"error\",\"reason\":")
                .contains("{\"expression\":\"TARGET.Memory\",\"value\":\"64\",\"parts\":[]}");
    }

    @Test
    void pointsAtWhatItCannotRead() throws Exception {
        assertThat(run("classad", "eval", "1 + * 2")).isEqualTo(2);
        assertThat(err.toString()).contains("line 1, column 5: expected an expression, found '*'");

        assertThat(run("classad", "eval", "--ad", file("bad.ad", "[ a = 1;\n  b = ]"), "a"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("bad.ad:2:7:");
    }

    @Test
    void readsThePapersDialectOnRequest() {
        assertThat(run("classad", "eval", "28M")).isEqualTo(2);
        assertThat(run("classad", "eval", "--dialect", "paper", "28M")).isZero();
        assertThat(out.toString()).isEqualTo("29360128\n");
    }

    @Test
    void convertsBetweenTheWrittenForms() throws Exception {
        String ads = file("ads", "A = 1\nB = A + \"x\"\n\nA = 2\n");

        assertThat(run("classad", "convert", "--from", "old", "--to", "new", ads))
                .isZero();
        assertThat(out.toString()).isEqualTo("[ A = 1; B = A + \"x\" ]\n[ A = 2 ]\n");

        String json = file("ads.json", "{\"A\": 1, \"B\": \"\\/Expr(A + 1)\\/\"}");
        out.getBuffer().setLength(0);
        assertThat(run("classad", "convert", "--from", "json", "--to", "old", json))
                .isZero();
        assertThat(out.toString()).isEqualTo("A = 1\nB = A + 1\n");
    }

    @Test
    void theMarkOfUtf8IsNoPartOfAnAdAndOtherTextIsLatin1() throws Exception {
        assertThat(run("classad", "convert", "--from", "new", "--to", "json", file("marked.ad", "\uFEFF[ A = 1 ]")))
                .isZero();
        assertThat(out.toString()).isEqualTo("{\"A\": 1}\n");

        out.getBuffer().setLength(0);
        Path latin = Files.writeString(dir.resolve("latin.ad"), "A = \"M\u00FCller\"\n", StandardCharsets.ISO_8859_1);
        assertThat(run("classad", "convert", "--from", "old", "--to", "old", latin.toString()))
                .isZero();
        assertThat(out.toString()).isEqualTo("A = \"M\u00FCller\"\n");
    }

    @Test
    void textThatLooksLikeXmlStaysInJson() throws Exception {
        String ads = file("odd.ad", "[ Name = \"a\"; Note = \"1 <c>2</c> 3\" ]");

        assertThat(run("status", ads, "--json")).isZero();

        assertThat(out.toString()).startsWith("[{").contains("\"Note\"").contains(" 3\"");
    }
}
