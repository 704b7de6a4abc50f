package org.metasched.durable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A folder on a disk that fails as it is told: it fills up in the middle of a write, its process is killed at an operation, or the
 * machine loses power and with it all that was not forced. What is under test works on {@link #folder}, a path of a file system of
 * its own. Not thread-safe.
 */
public final class FaultyDisk {

    private final Path real;
    private final FileSystem fileSystem = new FaultyFileSystem(this);
    private final Map<Object, Inode> inodes = new HashMap<>();
    /** What the disk holds of each folder: names of files, and those of folders with nothing. */
    private final Map<Path, Map<String, Inode>> forced = new TreeMap<>();

    private long capacity = Long.MAX_VALUE;
    private int killedAt = Integer.MAX_VALUE;
    private int operations;

    /** A file, whatever its name; the content that was forced. */
    private static final class Inode {
        byte[] forced = {};
    }

    /** Thrown when the process is dead. */
    static final class Killed extends FileSystemException {
        private static final long serialVersionUID = 1;

        Killed(Path file) {
            super(file.toString(), null, "The process was killed");
        }
    }

    private FaultyDisk(Path real) {
        this.real = real;
    }

    /** @param folder an empty folder of the real file system */
    public static FaultyDisk over(Path folder) throws IOException {
        var disk = new FaultyDisk(folder.toRealPath());
        disk.forced.put(disk.real, new HashMap<>());
        return disk;
    }

    /** The folder as what is under test sees it. */
    public Path folder() {
        return wrap(real);
    }

    /** From now on all files together have room for so many bytes. */
    public void fillsAt(long bytes) {
        capacity = bytes;
    }

    /** The process is killed in its nth operation from now, a write after half of its bytes. */
    public void killAt(int operation) {
        operations = 0;
        killedAt = operation;
    }

    /** How many operations changed the disk since {@link #killAt}. */
    public int operations() {
        return operations;
    }

    public boolean isKilled() {
        return operations > killedAt;
    }

    /** The bytes of all files. */
    public long used() throws IOException {
        long sum = 0;
        try (var files = Files.walk(real)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    /** Whether room is limited. */
    boolean isFull() {
        return capacity < Long.MAX_VALUE;
    }

    /** Another process begins, with room on the disk. */
    public void restart() {
        capacity = Long.MAX_VALUE;
        killedAt = Integer.MAX_VALUE;
    }

    /** The machine begins anew with what was forced. */
    public void losePower() throws IOException {
        try (var files = Files.walk(real)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(real)) {
                    Files.delete(file);
                }
            }
        }
        inodes.clear();
        restore(real);
        restart();
    }

    private void restore(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (var entry : forced.getOrDefault(folder, Map.of()).entrySet()) {
            Path file = folder.resolve(entry.getKey());
            if (forced.containsKey(file)) {
                restore(file);
            } else {
                Files.write(file, entry.getValue().forced);
                inodes.put(key(file), entry.getValue());
            }
        }
    }

    /** Counts an operation that changes the disk. */
    void operation(Path file) throws IOException {
        alive(file);
        if (operations++ == killedAt) {
            throw new Killed(file);
        }
    }

    void alive(Path file) throws IOException {
        if (isKilled()) {
            throw new Killed(file);
        }
    }

    /** How many of the bytes can be written. */
    int room(Path file, long size, long position, int bytes) throws IOException {
        alive(file);
        boolean dies = operations++ == killedAt;
        long grows = Math.max(0, position + bytes - size);
        long free = Math.max(0, capacity - used());
        int fits = (int) (bytes - Math.max(0, grows - free));
        if (fits <= 0) {
            throw new FileSystemException(file.toString(), null, "No space left on device");
        }
        return dies ? bytes / 2 : fits;
    }

    FileChannel open(Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        if (writes) {
            operation(file);
        } else {
            alive(file);
        }
        boolean isNew = writes && !Files.exists(file);
        var channel = FileChannel.open(file, options, attributes);
        if (isNew) {
            inodes.put(key(file), new Inode());
        }
        return new FaultyChannel(this, file, channel, options.contains(StandardOpenOption.APPEND));
    }

    /** Takes what the file or folder has now for durable. */
    void force(Path file, FileChannel channel) throws IOException {
        operation(file);
        if (!Files.isDirectory(file)) {
            byte[] content = new byte[(int) channel.size()];
            try (var in = Files.newInputStream(file)) {
                content = in.readNBytes(content.length);
            }
            inode(file).forced = content;
            return;
        }
        Map<String, Inode> names = new HashMap<>();
        try (var entries = Files.list(file)) {
            for (Path entry : entries.toList()) {
                if (Files.isDirectory(entry)) {
                    forced.putIfAbsent(entry, new HashMap<>());
                }
                names.put(entry.getFileName().toString(), inode(entry));
            }
        }
        forced.put(file, names);
    }

    void deleted(Path file) throws IOException {
        operation(file);
        if (Files.isRegularFile(file)) {
            inodes.remove(key(file));
        }
    }

    private Inode inode(Path file) throws IOException {
        return inodes.computeIfAbsent(key(file), key -> new Inode());
    }

    private static Object key(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    static Path unwrap(Path path) {
        return Proxy.isProxyClass(path.getClass()) ? ((Wrapped) Proxy.getInvocationHandler(path)).real : path;
    }

    Path wrap(Path path) {
        return (Path) Proxy.newProxyInstance(
                FaultyDisk.class.getClassLoader(), new Class<?>[] {Path.class}, new Wrapped(this, path));
    }

    /** A path of the real file system that says it is of ours. */
    private record Wrapped(FaultyDisk disk, Path real) implements java.lang.reflect.InvocationHandler {

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("getFileSystem")) {
                return disk.fileSystem;
            }
            Object[] unwrapped = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < unwrapped.length; i++) {
                unwrapped[i] = unwrapped[i] instanceof Path path ? unwrap(path) : unwrapped[i];
            }
            try {
                Object result = method.invoke(real, unwrapped);
                if (result instanceof java.util.Iterator<?> names) {
                    List<Path> wrapped = new ArrayList<>();
                    names.forEachRemaining(name -> wrapped.add(disk.wrap((Path) name)));
                    return wrapped.iterator();
                }
                return result instanceof Path path ? disk.wrap(path) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
