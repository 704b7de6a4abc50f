package org.metasched.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A channel to a file of a {@link FaultyDisk}. */
final class FaultyChannel extends FileChannel {

    private final FaultyDisk disk;
    private final Path file;
    private final FileChannel real;
    private final boolean appends;

    FaultyChannel(FaultyDisk disk, Path file, FileChannel real, boolean appends) {
        this.disk = disk;
        this.file = file;
        this.real = real;
        this.appends = appends;
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
        disk.alive(file);
        return real.read(bytes);
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
        disk.alive(file);
        return real.read(buffers, offset, length);
    }

    @Override
    public int read(ByteBuffer bytes, long position) throws IOException {
        disk.alive(file);
        return real.read(bytes, position);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        long position = appends ? real.size() : real.position();
        int written = write(bytes, position);
        real.position(position + written);
        return written;
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += write(buffers[i]);
        }
        return sum;
    }

    @Override
    public int write(ByteBuffer bytes, long position) throws IOException {
        int fits = disk.room(file, real.size(), position, bytes.remaining());
        var part = bytes.slice(bytes.position(), fits);
        while (part.hasRemaining()) {
            if (appends) {
                real.write(part);
            } else {
                real.write(part, position + part.position());
            }
        }
        bytes.position(bytes.position() + fits);
        disk.alive(file);
        return fits;
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        if (size < real.size()) {
            disk.operation(file);
            real.truncate(size);
        }
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.force(file, real);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return real.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return real.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }
}
