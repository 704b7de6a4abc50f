package org.metasched.soap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.ReplayCache;

/**
 * A responder over TLS that knows its callers by passwords in their messages; each is "secret".
 *
 * @param trust trust of a caller in the responder's certificate
 */
record PasswordServer(WsagServer responder, PasswordFile passwords, SSLContext trust) implements AutoCloseable {

    /** @param rounds for each user, how often the password is hashed */
    static PasswordServer in(Path folder, Map<String, Integer> rounds, Authorizer guard, Clock clock) throws Exception {
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        var passwords = new PasswordFile(Files.writeString(
                folder.resolve("passwords"),
                rounds.entrySet().stream()
                        .map(user -> PasswordFile.line(user.getKey(), "secret", user.getValue()) + "\n")
                        .collect(Collectors.joining())));
        var messages =
                new MessageVerifier(Optional.empty(), Optional.of(passwords), ReplayCache.inThisProcess(clock), clock);
        var responder = new WsagServer(new Authentication(
                Optional.of(authority.member("server")),
                Optional.empty(),
                Optional.empty(),
                Optional.of(messages),
                true,
                guard));
        var caller = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty());
        return new PasswordServer(responder, passwords, caller.tls().orElseThrow());
    }

    @Override
    public void close() {
        responder.close();
    }
}
