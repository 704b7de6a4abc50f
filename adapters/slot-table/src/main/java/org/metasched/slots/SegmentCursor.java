package org.metasched.slots;

/** A place in a {@link NodeTimeline}: a segment, or the end. Valid until the timeline changes. */
final class SegmentCursor {

    private final NodeTimeline line;
    private int block;
    private int segment;
    /** Counts the moves: of two cursors that began together, the one with the greater number is the later. */
    private long number;

    private long[] free = {};

    SegmentCursor(NodeTimeline line) {
        this.line = line;
    }

    void moveTo(long instant) {
        block = line.blockOf(instant);
        segment = line.block(block).segmentOf(instant);
        free = line.block(block).free();
    }

    void moveTo(SegmentCursor other) {
        block = other.block;
        segment = other.segment;
        number = other.number;
        free = other.free;
    }

    boolean isAtEnd() {
        return block == line.blocks();
    }

    long number() {
        return number;
    }

    void next() {
        number++;
        if (++segment < line.block(block).size()) {
            return;
        }
        segment = 0;
        if (++block < line.blocks()) {
            free = line.block(block).free();
        }
    }

    void back() {
        number--;
        if (--segment < 0) {
            segment = line.block(--block).size() - 1;
            free = line.block(block).free();
        }
    }

    /** The tick at which the segment begins; the end of all times at the end. */
    long begin() {
        return isAtEnd() ? InstantTicks.END : line.block(block).begin(segment);
    }

    long word(int w) {
        return free[segment * line.words + w];
    }
}
