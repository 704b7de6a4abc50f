package org.metasched.adapter.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Settings;

/**
 * The other machine on which a scheduler's commands run, reached with the system's OpenSSH client. Never asks for
 * a password or a host key: a login that is not set up beforehand fails at once.
 *
 * @param client the {@code ssh} program
 * @param host name, address or alias of {@code ssh_config}
 * @param user login name; this and the next settings default to the client's own choice
 * @param port TCP port
 * @param key file of the private key
 * @param knownHosts file of host keys
 * @param config file in the form of {@code ssh_config}
 */
public record SshTarget(
        String client,
        String host,
        Optional<String> user,
        Optional<Integer> port,
        Optional<String> key,
        Optional<String> knownHosts,
        Optional<String> config) {

    static final Set<String> KEYS = Set.of("client", "host", "user", "port", "key", "known-hosts", "config");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:%-]{0,252}");

    static SshTarget from(Settings settings) {
        settings.allowOnly(KEYS);
        String host = settings.requiredText("host");
        settings.refuseIf(
                !NAME.matcher(host).matches(), "host", "expected a host name, not (%s)", DisplayText.of(host));
        settings.text("user").filter(u -> !NAME.matcher(u).matches()).ifPresent(u -> {
            throw settings.invalid("user", "expected a user name, not (" + DisplayText.of(u) + ")");
        });
        return new SshTarget(
                settings.text("client").orElse("ssh"),
                host,
                settings.text("user"),
                settings.number("port", 1, 65_535),
                settings.secretFile("key").map(Path::toString),
                settings.text("known-hosts"),
                settings.text("config"));
    }

    /** The words before the remote command line. A shared connection is not used: its background master keeps stderr open. */
    List<String> words(Duration timeout) {
        var words = new ArrayList<>(List.of(client, "-T", "-a", "-x"));
        config.ifPresent(file -> words.addAll(List.of("-F", file)));
        long connect = Math.max(1, Math.min(30, timeout.toSeconds()));
        for (String option : List.of(
                "BatchMode=yes",
                "StrictHostKeyChecking=yes",
                "ConnectTimeout=" + connect,
                "ServerAliveInterval=10",
                "ControlMaster=no",
                "ControlPath=none",
                "ClearAllForwardings=yes",
                "LogLevel=ERROR")) {
            words.addAll(List.of("-o", option));
        }
        knownHosts.ifPresent(file -> words.addAll(List.of("-o", "UserKnownHostsFile=" + file)));
        port.ifPresent(number -> words.addAll(List.of("-p", String.valueOf(number))));
        user.ifPresent(name -> words.addAll(List.of("-l", name)));
        key.ifPresent(file -> words.addAll(List.of("-i", file, "-o", "IdentitiesOnly=yes")));
        words.addAll(List.of("--", host));
        return words;
    }
}
