package org.metasched.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of files that belong together, read again when one of them has changed: whole or not at all. A thread of this process looks at
 * all of them every two seconds; single files are looked at whenever they are asked for as well. Thread-safe.
 */
public final class ReloadedFile<T> implements Supplier<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadedFile.class);
    private static final long LOOK_EVERY = 2;
    private static final Set<ReloadedFile<?>> ALL =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));
    private static final ScheduledExecutorService LOOKER = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "reloaded-files");
        thread.setDaemon(true);
        return thread;
    });

    static {
        LOOKER.scheduleWithFixedDelay(ReloadedFile::lookAtAll, LOOK_EVERY, LOOK_EVERY, TimeUnit.SECONDS);
    }

    /**
     * How one of them stands.
     *
     * @param failed whether it has changed and cannot be used, so that the content before holds on
     * @param expires when the content in use ends, if it does
     */
    public record Status(Path file, boolean failed, Optional<Instant> expires) {}

    private final List<Path> files;
    private final Function<Path, T> reader;
    private final Function<T, Optional<Instant>> expires;
    private volatile T content;
    private volatile boolean failed;
    private List<Object> seen;

    /** @throws IllegalArgumentException when the file cannot be read now */
    ReloadedFile(Path file, Function<Path, T> reader) {
        this(List.of(file), reader, content -> Optional.empty());
    }

    /**
     * @param files the first is given to the reader; a folder stands for all files in it
     * @throws IllegalArgumentException when they cannot be read now
     */
    ReloadedFile(List<Path> files, Function<Path, T> reader, Function<T, Optional<Instant>> expires) {
        this.files = List.copyOf(files);
        this.reader = reader;
        this.expires = expires;
        this.seen = state();
        this.content = reader.apply(files.get(0));
        ALL.add(this);
    }

    /** The files of a folder, read together. */
    public static <T> ReloadedFile<T> ofFolder(Path folder, Function<Path, T> reader) {
        return new ReloadedFile<>(folder, reader);
    }

    /** Of all files that this process watches, each once. */
    public static Collection<Status> statuses() {
        return watched().stream()
                .map(one -> new Status(one.files.get(0), one.failed, one.expiry()))
                .collect(Collectors.toMap(Status::file, s -> s, (a, b) -> a.failed() ? a : b))
                .values();
    }

    /** Looks at all files; the process does so by itself every two seconds. */
    public static void lookAtAll() {
        watched().forEach(one -> one.look(true));
    }

    private static List<ReloadedFile<?>> watched() {
        synchronized (ALL) {
            return List.copyOf(ALL);
        }
    }

    private Optional<Instant> expiry() {
        return expires.apply(content);
    }

    @Override
    public T get() {
        if (!Files.isDirectory(files.get(0))) {
            look(false);
        }
        return content;
    }

    /** @param again whether one that failed is tried once more: it may have been read while it was written */
    private synchronized void look(boolean again) {
        var now = state();
        boolean changed = !now.equals(seen);
        if (!changed && !(again && failed)) {
            return;
        }
        seen = now;
        try {
            content = reader.apply(files.get(0));
            failed = false;
            LOG.info("{} has changed and is in use", files.get(0));
        } catch (RuntimeException e) {
            if (changed) {
                LOG.error("{} The content before holds on.", e.getMessage());
            }
            failed = true;
        }
    }

    private List<Object> state() {
        var found = new ArrayList<Object>();
        for (Path file : files) {
            if (Files.isDirectory(file)) {
                try (Stream<Path> inside = Files.list(file)) {
                    inside.sorted().forEach(one -> found.addAll(stateOf(one)));
                } catch (IOException e) {
                    found.add("unreadable");
                }
            } else {
                found.addAll(stateOf(file));
            }
        }
        return found;
    }

    private static List<Object> stateOf(Path file) {
        try {
            var of = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(file, of.lastModifiedTime(), of.size(), String.valueOf(of.fileKey()));
        } catch (IOException e) {
            return List.of(file);
        }
    }
}
