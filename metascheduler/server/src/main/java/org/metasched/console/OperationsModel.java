package org.metasched.console;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.console.Operations.Figure;

/** How the server does: what its health is, and each of its figures. */
record OperationsModel(Map<String, String> health, List<Figure> figures) {

    /** One value of the whole server each. */
    List<Figure> plain() {
        return figures.stream().filter(OperationsModel::isPlain).toList();
    }

    /** The others, by their names. */
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
