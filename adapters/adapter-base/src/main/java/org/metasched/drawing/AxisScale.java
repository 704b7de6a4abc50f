package org.metasched.drawing;

/**
 * An axis: places a range of values linearly between two ends of a picture.
 *
 * @param least value that is placed at {@code begin}
 * @param most value that is placed at {@code end}
 */
public record AxisScale(double least, double most, double begin, double end) {

    /** The place of a value; outside the ends for one outside the range. */
    public double at(double value) {
        return begin + (value - least) / Math.max(1e-9, most - least) * (end - begin);
    }
}
