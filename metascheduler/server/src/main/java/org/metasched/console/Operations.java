package org.metasched.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the server does, for those who look after it. Owned here; the server answers it. Thread-safe. */
public interface Operations {

    /**
     * A figure of the server's metrics.
     *
     * @param name of the metric
     * @param about what it counts
     * @param of which thing, empty for the one there is
     * @param value a count, or the value itself; not a number when it is not known
     * @param mean of what was measured so often
     * @param highest lately
     * @param isTime whether mean and highest are seconds
     */
    record Figure(
            String name,
            String about,
            String of,
            double value,
            Optional<Double> mean,
            Optional<Double> highest,
            boolean isTime) {}

    /** By their names, those of one name together. */
    List<Figure> figures();

    /** What {@code /health} says, by its names. */
    Map<String, String> health();
}
