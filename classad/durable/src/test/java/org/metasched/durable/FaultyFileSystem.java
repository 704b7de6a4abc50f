package org.metasched.durable;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Hands everything on to the real file system, and tells the {@link FaultyDisk} first. */
final class FaultyFileSystem extends FileSystem {

    private static final FileSystem REAL = FileSystems.getDefault();

    private final FaultyDisk disk;
    private final Provider provider;

    FaultyFileSystem(FaultyDisk disk) {
        this.disk = disk;
        this.provider = new Provider(disk);
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return REAL.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return REAL.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return REAL.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return REAL.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return disk.wrap(REAL.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        var matcher = REAL.getPathMatcher(syntaxAndPattern);
        return path -> matcher.matches(FaultyDisk.unwrap(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return REAL.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException();
    }

    private static final class Provider extends FileSystemProvider {

        private static final FileSystemProvider REAL = FaultyFileSystem.REAL.provider();

        private final FaultyDisk disk;

        Provider(FaultyDisk disk) {
            this.disk = disk;
        }

        @Override
        public String getScheme() {
            return "faulty";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path getPath(URI uri) {
            return disk.wrap(REAL.getPath(uri));
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return disk.open(FaultyDisk.unwrap(path), options, attributes);
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            disk.alive(folder);
            List<Path> entries = new ArrayList<>();
            try (var stream = Files.newDirectoryStream(FaultyDisk.unwrap(folder))) {
                for (Path entry : stream) {
                    Path wrapped = disk.wrap(entry);
                    if (filter.accept(wrapped)) {
                        entries.add(wrapped);
                    }
                }
            }
            return new DirectoryStream<>() {
                @Override
                public java.util.Iterator<Path> iterator() {
                    return entries.iterator();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
            if (!Files.exists(FaultyDisk.unwrap(folder))) {
                disk.operation(folder);
            }
            REAL.createDirectory(FaultyDisk.unwrap(folder), attributes);
        }

        @Override
        public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
            disk.operation(link);
            REAL.createSymbolicLink(FaultyDisk.unwrap(link), FaultyDisk.unwrap(target), attributes);
        }

        @Override
        public void delete(Path path) throws IOException {
            disk.deleted(FaultyDisk.unwrap(path));
            REAL.delete(FaultyDisk.unwrap(path));
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) throws IOException {
            disk.operation(target);
            REAL.copy(FaultyDisk.unwrap(source), FaultyDisk.unwrap(target), options);
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) throws IOException {
            disk.operation(target);
            REAL.move(FaultyDisk.unwrap(source), FaultyDisk.unwrap(target), options);
        }

        @Override
        public boolean isSameFile(Path one, Path other) throws IOException {
            return REAL.isSameFile(FaultyDisk.unwrap(one), FaultyDisk.unwrap(other));
        }

        @Override
        public boolean isHidden(Path path) throws IOException {
            return REAL.isHidden(FaultyDisk.unwrap(path));
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return REAL.getFileStore(FaultyDisk.unwrap(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            disk.alive(path);
            REAL.checkAccess(FaultyDisk.unwrap(path), modes);
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            return REAL.getFileAttributeView(FaultyDisk.unwrap(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            disk.alive(path);
            return REAL.readAttributes(FaultyDisk.unwrap(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
                throws IOException {
            disk.alive(path);
            return REAL.readAttributes(FaultyDisk.unwrap(path), attributes, options);
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
            disk.operation(path);
            REAL.setAttribute(FaultyDisk.unwrap(path), attribute, value, options);
        }
    }
}
