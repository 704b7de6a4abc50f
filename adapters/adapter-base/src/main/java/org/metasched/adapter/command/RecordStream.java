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
     * @param limit bytes of one record; the buffer of its reader counts with it
     * @param mostKept of the first bytes, for {@link #kept}
     */
    public RecordStream(InputStream stream, int limit, int mostKept) {
        super(stream);
        this.limit = limit;
        this.mostKept = mostKept;
    }

    /** Tells that a record has been read. */
    public void nextRecord() {
        inRecord = 0;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
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
