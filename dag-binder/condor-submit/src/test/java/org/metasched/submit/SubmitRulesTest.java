package org.metasched.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of submit descriptions that no file of the public data shows. In the tables a bar stands for the end of a line. */
class SubmitRulesTest {

    @TempDir
    Path folder;

    private SubmitDescription.Expansion expansion = new SubmitDescription.Expansion(0, List.of(), List.of());

    private List<JobAd> expand(String lines) throws IOException, SubmitException {
        String text = "executable = /bin/sh\n" + lines.replace("|", "\n") + "\n";
        Files.writeString(folder.resolve("a.sub"), text.contains("queue") ? text : text + "queue\n");
        SubmitContext context = new SubmitContext(
                folder,
                Map.of("EMPTY", "", "HOME", "/home/alice"),
                "alice",
                Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC),
                new SplittableRandom(1),
                1,
                true,
                SubmitLimits.DEFAULT);
        List<JobAd> ads = new ArrayList<>();
        expansion = SubmitDescription.expand(Path.of("a.sub"), context, List.of(), job -> ads.add(job.ad()));
        return ads;
    }

    private List<String> arguments(String lines) throws IOException, SubmitException {
        List<String> all = new ArrayList<>();
        for (JobAd ad : expand(lines)) {
            all.add(ad.string("Args").orElse(""));
        }
        return all;
    }

    private void files(String... names) throws IOException {
        for (String name : names) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p = a/b/c.tar.gz|arguments = $Fp(p) $Fd(p) $Fdd(p) $Fn(p) $Fx(p) $Fbp(p) $Fbx(p) $Fbd(p);a/b/ b/ a/b/ c.tar .gz a/b gz b",
                "p = a/b.c|arguments = $Fw(p) $Fwn(p);a\\b.c b",
                "p = a\\b.c|arguments = $Fu(p);a/b.c",
                "n = 5|arguments = $INT(n,%03d) $REAL(n,%.2f) $INT(2.9) $INT(true);005 5.00 2 1",
                "n = -1|arguments = $INT(n,%u) $INT(n,%d) $INT(n,%x);18446744073709551615 -1 ffffffffffffffff",
                "n = 5|arguments = $INT(n,%+d) $INT(n,%+u) $INT(n,%+x);+5 5 5",
                "n = -9223372036854775808|arguments = $INT(n,%i);-9223372036854775808",
                "n = 255|arguments = $INT(n,%#x) $INT(n,%#X) $INT(n,%#o) $INT(n,%#08x) $INT(n,%#d);0xff 0XFF 0377 0x0000ff 255",
                "s = hello world|arguments = $SUBSTR(s,3) $SUBSTR(s,-5,2) $SUBSTR(s,2,-6);hel wo llo",
                "arguments = [$SUBSTR(nothing,1,2)] $F(no/thing.x) $Fn(no/thing.x) $BASENAME(no/thing.x,.x);[] no/thing.x thing thing",
                "l = a, b ,c|arguments = $CHOICE(1,l) $CHOICE(0,x,y);b x",
                "arguments = [$ENV(EMPTY)] [$ENV(EMPTY:d)] [$ENV(NOPE:)] $ENV(HOME:d);[] [d] [] /home/alice"
            })
    void macroFunctionsMeanWhatTheManualSays(String lines, String expected) throws IOException, SubmitException {
        assertThat(arguments(lines)).containsExactly(expected);
    }

    @Test
    void patternsMayStandInAnyPartOfAPath() throws IOException, SubmitException {
        files("s1/x.in", "s1/y.in", "s2/x.in", "s2/.hidden.in", "s2/x{1}.in", "B.txt", "a.txt");

        assertThat(arguments("arguments = $(f)|queue f matching files s*/x.in")).containsExactly("s1/x.in", "s2/x.in");
        assertThat(arguments("arguments = $(f)|queue f matching s2/*")).containsExactly("s2/x.in", "s2/x{1}.in");
        assertThat(arguments("arguments = $(f)|queue f matching ?.txt *[!x].in none*"))
                .containsExactly("B.txt", "a.txt");
        assertThat(arguments("arguments = $(f)|queue f matching dirs s[1-2]")).containsExactly("s1/", "s2/");
        assertThat(arguments("arguments = $(f)|queue f matching a.txt no.txt")).containsExactly("a.txt");
        assertThat(arguments("arguments = $(f)|queue f matching s2/{x,y}.in")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queue x in [a] (a, b)",
                "queue x in [1:2:3:4] (a, b)",
                "queue x in files (a, b)",
                "queue -1",
                "queue = 3",
                "if true|queue|endif",
                "include : queue.inc",
                "should_transfer_files = no|transfer_executable = true",
                "transfer_input_files = s3://bucket/key",
                "universe = vm|vm_type = kvm|vm_memory = 0|vm_disk = d:vda:w",
                "universe = vm|vm_type = kvm|vm_memory = 512|vm_disk = d",
                "universe = vm|vm_type = kvm|vm_memory = 512|vm_disk = d:a:w|vm_checkpoint = true|vm_networking = true",
                "deferral_time = -5",
                "deferral_time = 5|deferral_window = 1.5",
                "universe = java|arguments = Main|java_vm_args = a|java_vm_arguments = b",
                "use_scitokens = perhaps",
                "request_memory = $$([CoreMemory * 2])",
                "universe = grid|grid_resource = ec2",
                "universe = 14",
                "arguments = $RANDOM_INTEGER(-9223372036854775808,9223372036854775807)",
                "arguments = a\0b"
            })
    void whatCondorSubmitRefusesIsRefused(String lines) throws IOException {
        Files.writeString(folder.resolve("queue.inc"), "queue\n");

        assertThatThrownBy(() -> expand(lines)).isInstanceOf(SubmitException.class);
    }

    @Test
    void anIncludedDirectoryIsNamedInTheError() {
        assertThatThrownBy(() -> expand("include : ."))
                .isInstanceOf(IOException.class)
                .hasMessage("The file (" + folder + "/.) is a directory.");
    }

    @Test
    void filesOfVirtualMachinesAlwaysTravel() throws IOException, SubmitException {
        JobAd ad = expand(
                        "universe = vm|vm_type = xen|xen_kernel = vmx|vm_memory = 1G|vm_disk = d:a:w"
                                + "|when_to_transfer_output = NEVER|should_transfer_files = no|vm_networking = true|vm_networking_type = nat")
                .get(0);

        assertThat(ad.string("ShouldTransferFiles")).contains("YES");
        assertThat(ad.string("WhenToTransferOutput")).contains("ON_EXIT");
        assertThat(ad.get("JobVMMemory")).contains("1024");
        assertThat(ad.get("Requirements").orElseThrow())
                .contains("TARGET.VM_HardwareVT")
                .contains("stringListIMember(JobVMNetworkingType,TARGET.VM_Networking_Types,\",\")");
    }

    @Test
    void anExecutableThatTheMachineCompletesIsNotLookedFor() throws IOException, SubmitException {
        expand("executable = run.$$(Arch)");
        assertThat(expansion.missing()).isEmpty();
        expand("executable = run.Arch");
        assertThat(expansion.missing()).isNotEmpty();
    }

    @Test
    void aRequestThatIsTrueCountsAsOne() throws IOException, SubmitException {
        JobAd ad = expand("request_memory = true|request_cpus = true").get(0);

        assertThat(ad.get("RequestMemory")).contains("true");
        assertThat(ad.get("Requirements").orElseThrow())
                .doesNotContain("RequestMemory")
                .doesNotContain("RequestCpus");
    }

    @Test
    void whatIsSaidOfCronComesBeforeWhatIsSaidOfDeferral() throws IOException, SubmitException {
        JobAd ad =
                expand("cron_minute = 0|cron_window = 60|deferral_window = 30").get(0);

        assertThat(ad.get("DeferralWindow")).contains("60");
        assertThat(ad.get("DeferralPrepTime")).contains("300");
    }

    @Test
    void aProxyThatIsMissingOrNoneIsAComplaint() throws IOException, SubmitException {
        Files.writeString(folder.resolve("proxy"), "not a certificate");

        assertThat(expand("x509userproxy = none")).hasSize(1);
        assertThat(expansion.missing()).singleElement().asString().contains("x509");
        expand("x509userproxy = proxy");
        assertThat(expansion.missing()).singleElement().asString().contains("no certificate");
        Files.write(folder.resolve("proxy"), new byte[(1 << 20) + 1]);
        expand("x509userproxy = proxy");
        assertThat(expansion.missing()).singleElement().asString().contains("at most 1 MiB");
        expand("use_x509userproxy = true");
        assertThat(expansion.missing()).singleElement().asString().contains("Can't determine proxy filename");
    }

    @Test
    void tokensWithHandlesAreAskedForByHandle() throws IOException, SubmitException {
        JobAd ad = expand("use_oauth_services = gdrive box|box_oauth_permissions_b = r|box_oauth_resource_a = x")
                .get(0);

        assertThat(ad.string("OAuthServicesNeeded")).contains("box*a,box*b,gdrive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "preferences = ((",
                "LeaveJobInQueue = ((",
                "JobUniverse = nowhere",
                "NiceUser = perhaps",
                "JobPrio = ((",
                "KillSig = 1.5.2"
            })
    void anErrorHasTheLineOfItsSettingUnderAnySpelling(String setting) {
        assertThatThrownBy(() -> expand("x = 1|" + setting)).hasMessageStartingWith("a.sub:3: ");
    }

    @Test
    void anErrorHasTheLineOfTheSpellingThatCounts() {
        assertThatThrownBy(() -> expand("preferences = 1|queue|rank = ((|queue"))
                .hasMessageStartingWith("a.sub:4: ");
    }
}
