package org.metasched.adapter.command;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The output of a command that lists many records, read while it comes. The limit is on each record and not on their sum, so
 * that no number of jobs or reservations shuts a site. Not thread-safe.
 */
public final class RecordStream extends FilterInputStream {

    /** A record went over the limit. */
    static final class TooLong extends IOException {

        TooLong(int limit) {
            super("a record of more than " + limit + " bytes");
        }
    }

    private final int limit;
    private final int mostKept;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long inRecord;

    /**
     * @param limit most bytes of one record, together with those in the reader's buffer
     * @param mostKept number of first bytes that {@link #kept} returns
     */
    public RecordStream(InputStream stream, int limit, int mostKept) {
        super(stream);
        this.limit = limit;
        this.mostKept = mostKept;
    }

    /** Counts bytes from here on to the next record. */
    public void nextRecord() {
        inRecord = 0;
    }

    @Override
    public int read() throws IOException {
        var single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
        int n = super.read(buffer, from, length);
        if (n > 0) {
            inRecord += n;
            if (inRecord > limit) {
                throw new TooLong(limit);
            }
            kept.write(buffer, from, Math.min(n, mostKept - kept.size()));
        }
        return n;
    }

    /** The first bytes that were read. */
    String kept() {
        return kept.toString(StandardCharsets.UTF_8);
    }
}
