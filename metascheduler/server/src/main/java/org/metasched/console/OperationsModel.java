package org.metasched.console;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * State of the server, for its operators.
 *
 * @param health values of {@code /health} by their keys
 * @param figures figures in the order of their names
 */
public record OperationsModel(Map<String, String> health, List<Figure> figures) {

    /**
     * A figure of the server's metrics.
     *
     * @param name name of the metric
     * @param about description of the metric
     * @param of the site, operation or other thing it counts, empty if there is only one
     * @param value count of measurements, or present value; NaN when it is not known
     * @param mean mean of the measurements that {@code value} counts
     * @param highest highest measurement of the last minutes
     * @param isTime whether mean and highest are seconds
     */
    public record Figure(
            String name,
            String about,
            String of,
            double value,
            Optional<Double> mean,
            Optional<Double> highest,
            boolean isTime) {

        /** The highest measurement; nothing where it has faded below the mean, as nothing was measured in the last minutes. */
        Optional<Double> recent() {
            return highest.filter(value -> value >= mean.orElse(0.0));
        }
    }

    /** Figures with one value of the whole server each. */
    List<Figure> plain() {
        return figures.stream().filter(OperationsModel::isPlain).toList();
    }

    /** The other figures, by their names. */
    Collection<List<Figure>> tables() {
        return figures.stream()
                .filter(figure -> !isPlain(figure))
                .collect(Collectors.groupingBy(Figure::name, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static boolean isPlain(Figure figure) {
        return figure.of().isEmpty() && figure.highest().isEmpty();
    }
}
