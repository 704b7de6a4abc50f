package org.metasched.durable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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

/**
 * The content of files that belong together. When one of them has changed, all are read again; if that fails, the former content stays in
 * use. A thread of this process checks all files every two seconds. {@link #get} also checks the files of its content, unless the
 * first is a folder. Thread-safe.
 */
public final class ReloadedFile<T> implements Supplier<T> {

    private static final Logger LOG = System.getLogger(ReloadedFile.class.getName());
    private static final long CHECK_SECONDS = 2;
    /** All contents that are still in use. */
    private static final Set<ReloadedFile<?>> ALL =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private static final ScheduledExecutorService WATCHER = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "reloaded-files");
        thread.setDaemon(true);
        return thread;
    });

    static {
        WATCHER.scheduleWithFixedDelay(ReloadedFile::lookAtAll, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Status of the contents with the same first file.
     *
     * @param file the first of the files
     * @param failed whether they have changed and cannot be used, so that the previous content stays in use
     * @param restart whether a part has changed that takes effect only after a restart of the process
     * @param expires earliest time at which a content in use expires, if one does
     */
    public record Status(Path file, boolean failed, boolean restart, Optional<Instant> expires) {

        private Status with(Status other) {
            Optional<Instant> earliest =
                    Stream.of(expires, other.expires).flatMap(Optional::stream).min(Comparator.naturalOrder());
            return new Status(file, failed || other.failed, restart || other.restart, earliest);
        }
    }

    private final List<Path> files;
    private final Function<Path, T> reader;
    private final Function<T, Optional<Instant>> expires;
    /** The part of a content that takes effect only after a restart, and its value at the start. */
    private final Function<T, Object> fixed;

    private final Object fixedAtStart;
    private volatile T content;
    private volatile boolean failed;
    /** The state of the files at the last reading, see {@link #state}. */
    private List<Object> lastState;

    /** Reads a file; throws what the reader throws when it cannot be read now. */
    public ReloadedFile(Path file, Function<Path, T> reader) {
        this(List.of(file), reader, content -> Optional.empty());
    }

    /**
     * Reads files; throws what the reader throws when they cannot be read now.
     *
     * @param files the files, of which the reader gets the first; a folder stands for all files in it
     * @param expires time at which a content expires, if it does
     */
    public ReloadedFile(List<Path> files, Function<Path, T> reader, Function<T, Optional<Instant>> expires) {
        this(files, reader, expires, content -> "");
    }

    private ReloadedFile(
            List<Path> files,
            Function<Path, T> reader,
            Function<T, Optional<Instant>> expires,
            Function<T, Object> fixed) {
        this.files = List.copyOf(files);
        this.reader = reader;
        this.expires = expires;
        this.fixed = fixed;
        this.lastState = state(files);
        this.content = read();
        this.fixedAtStart = fixed.apply(content);
        ALL.add(this);
    }

    /** A file with a part that takes effect only after a restart; {@code fixed} is the value of that part, compared by {@code equals}. */
    public static <T> ReloadedFile<T> inPart(Path file, Function<Path, T> reader, Function<T, Object> fixed) {
        return new ReloadedFile<>(List.of(file), reader, content -> Optional.empty(), fixed);
    }

    /** A file or folder that the process reads only at its start; a later change is reported. */
    public static ReloadedFile<?> untilRestart(Path file) {
        return inPart(file, same -> state(List.of(same)), state -> state);
    }

    /** The statuses of all files that this process watches, one for each first file. */
    public static Collection<Status> statuses() {
        return watched().stream()
                .map(watch -> new Status(watch.files.get(0), watch.failed, watch.needsRestart(), watch.expiry()))
                .collect(Collectors.toMap(Status::file, status -> status, Status::with))
                .values();
    }

    /** Checks all files now; the process does so by itself every two seconds. */
    public static void lookAtAll() {
        watched().forEach(watch -> watch.reloadIfChanged(true));
    }

    private static List<ReloadedFile<?>> watched() {
        synchronized (ALL) {
            return List.copyOf(ALL);
        }
    }

    private T read() {
        Path file = files.get(0);
        try {
            return reader.apply(file);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException(file + " is nested too deeply.", e);
        }
    }

    private boolean needsRestart() {
        return !fixed.apply(content).equals(fixedAtStart);
    }

    private Optional<Instant> expiry() {
        return expires.apply(content);
    }

    @Override
    public T get() {
        if (!Files.isDirectory(files.get(0))) {
            reloadIfChanged(false);
        }
        return content;
    }

    /**
     * Reads the files again if they have changed.
     *
     * @param retries whether files that could not be used are read again even if unchanged, as they may have been incomplete
     */
    private synchronized void reloadIfChanged(boolean retries) {
        boolean changed = false;
        try {
            var now = state(files);
            changed = !now.equals(lastState);
            if (!changed && !(retries && failed)) {
                return;
            }
            lastState = now;
            content = read();
            failed = false;
            if (needsRestart()) {
                LOG.log(
                        Level.WARNING,
                        () -> files.get(0) + " differs from its state at the start in a part that needs a restart");
            } else {
                LOG.log(Level.INFO, () -> files.get(0) + " has changed and is in use");
            }
        } catch (RuntimeException | Error e) {
            if (changed) {
                String why = e instanceof Error ? e.toString() : e.getMessage();
                LOG.log(Level.ERROR, () -> files.get(0) + " is not used, its former content stays in force: " + why);
            }
            failed = true;
        }
    }

    private static List<Object> state(List<Path> files) {
        var states = new ArrayList<Object>();
        for (Path file : files) {
            if (Files.isDirectory(file)) {
                try (Stream<Path> inside = Files.list(file)) {
                    inside.sorted().forEach(member -> states.addAll(stateOf(member)));
                } catch (IOException | UncheckedIOException e) {
                    states.add("unreadable");
                }
            } else {
                states.addAll(stateOf(file));
            }
        }
        return states;
    }

    /** The path of a file and what changes with it: time, size and key; the path only if the file is missing. */
    private static List<Object> stateOf(Path file) {
        try {
            var stat = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(file, stat.lastModifiedTime(), stat.size(), String.valueOf(stat.fileKey()));
        } catch (IOException e) {
            return List.of(file);
        }
    }
}
