package org.metasched.cli.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The file {@code server.pid} of a data folder: the process of the server there, once it is ready, and its base URL. */
record ServerProcessFile(ProcessHandle process, URI url) {

    private static Path in(Path data) {
        return data.resolve("server.pid");
    }

    /** The server that is running on a data folder. */
    static Optional<ServerProcessFile> read(Path data) throws IOException {
        if (!Files.exists(in(data))) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(in(data));
        if (lines.size() != 2 || !lines.get(0).matches("\\d{1,9}")) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(lines.get(0)))
                .filter(LocalServers::isServer)
                .map(process -> new ServerProcessFile(process, URI.create(lines.get(1))));
    }

    void write(Path data) throws IOException {
        Files.writeString(in(data), process.pid() + "\n" + url + "\n");
    }

    static void delete(Path data) throws IOException {
        Files.deleteIfExists(in(data));
    }
}
