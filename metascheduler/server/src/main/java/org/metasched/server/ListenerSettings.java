package org.metasched.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.adapter.Settings;
import org.metasched.http.AddressBlock;
import org.metasched.http.LoopbackAddress;
import org.metasched.http.OutboundPolicy;
import org.metasched.http.PublicAddress;
import org.metasched.server.Configuration.Listener;

/** Reads the addresses where a server listens, its public names, and its rules for calling addresses that strangers name. */
public final class ListenerSettings {

    private static final int USUAL_PORT = 8080;

    private ListenerSettings() {}

    /** @param port port instead of the configured one */
    static Listener read(Settings file, Optional<Integer> port) {
        var address = address(
                file,
                "listen",
                file.text("listen").orElse(LoopbackAddress.get().getHostAddress()),
                port.or(() -> file.number("port")).orElse(USUAL_PORT));
        return new Listener(
                address,
                file.text("operators").map(text -> operators(file, text)),
                names(file),
                outbound(file, address.getAddress().isLoopbackAddress()),
                SecuritySettings.read(file, address.getAddress().isLoopbackAddress()),
                origins(file));
    }

    private static InetSocketAddress operators(Settings file, String text) {
        file.refuseIf(
                !text.matches(".*:\\d{1,5}"),
                "operators",
                "expected an address and a port, such as 127.0.0.1:8081, not (%s)",
                text);
        int colon = text.lastIndexOf(':');
        return address(file, "operators", text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static InetSocketAddress address(Settings file, String key, String host, int port) {
        if (port < 0 || port > 65_535) {
            throw file.invalid(
                    key.equals("listen") ? "port" : key, "expected a port from 0 to 65535, not (" + port + ")");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw file.invalid(key, "expected an address or name of this machine, without a port, not (" + host + ")");
        }
    }

    private static Set<String> origins(Settings file) {
        var origins = new LinkedHashSet<>(file.texts("cors"));
        for (String origin : origins) {
            if (!origin.matches("https?://[A-Za-z0-9.-]+(:\\d{1,5})?")) {
                throw file.invalid(
                        "cors", "expected an origin, such as https://portal.example.org, not (" + origin + ")");
            }
        }
        return origins;
    }

    /** The public names of a listener, by {@code public-url}, {@code allowed-hosts} and {@code trusted-proxies}. */
    public static PublicAddress names(Settings file) {
        Optional<URI> url = file.text("public-url").map(text -> file.checked("public-url", () -> URI.create(text)));
        var proxies = networks(file, "trusted-proxies");
        return file.checked(
                "public-url", () -> new PublicAddress(url, proxies, new LinkedHashSet<>(file.texts("allowed-hosts"))));
    }

    /** A server that only this machine reaches may call this machine; one that strangers reach calls them by HTTPS. */
    private static OutboundPolicy outbound(Settings file, boolean isLoopback) {
        var usual = isLoopback ? OutboundPolicy.LOCAL : OutboundPolicy.STRICT;
        return file.section("outbound")
                .map(section -> {
                    section.allowOnly(Set.of("schemes", "hosts", "networks", "ports"));
                    return new OutboundPolicy(
                            section.texts("schemes").isEmpty() ? usual.schemes() : schemes(section),
                            section.texts("hosts"),
                            section.keys().contains("networks") ? networks(section, "networks") : usual.networks(),
                            section.texts("ports").isEmpty() ? usual.ports() : ports(section));
                })
                .orElse(usual);
    }

    private static Set<String> schemes(Settings section) {
        var schemes = Set.copyOf(section.texts("schemes"));
        if (!Set.of("http", "https").containsAll(schemes)) {
            throw section.invalid("schemes", "expected http, https or both, not " + schemes);
        }
        return schemes;
    }

    private static Set<Integer> ports(Settings section) {
        var ports = section.texts("ports");
        section.refuseIf(
                !ports.stream().allMatch(port -> port.matches("[1-9]\\d{0,4}")),
                "ports",
                "expected numbers, not %s",
                ports);
        return ports.stream().map(Integer::valueOf).collect(Collectors.toSet());
    }

    private static List<AddressBlock> networks(Settings section, String key) {
        return section.checked(
                key, () -> section.texts(key).stream().map(AddressBlock::of).toList());
    }
}
