package org.metasched.console;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How the server does: what its health is, and each of its figures. */
final class OperationsPage {

    private final PageContext view;

    OperationsPage(PageContext view) {
        this.view = view;
    }

    String write(Operations operations) {
        var page = Frame.begin("Operations", view);
        Frame.head(page, "Health", "");
        operations.health().forEach((name, value) -> {
            page.open("tr").element("th", name, "scope", "row");
            page.element("td", value).close();
        });
        Frame.endOfTable(page);
        var all = operations.figures();
        page.element("h2", "Figures");
        Frame.head(page, "What", "#Now");
        all.stream().filter(OperationsPage::isPlain).forEach(figure -> {
            page.open("tr").element("th", figure.about(), "scope", "row");
            Frame.number(page, number(figure.value()));
            page.close();
        });
        Frame.endOfTable(page);
        var figures = all.stream().filter(figure -> !isPlain(figure)).toList();
        for (int from = 0; from < figures.size(); ) {
            int to = from;
            while (to < figures.size()
                    && figures.get(to).name().equals(figures.get(from).name())) {
                to++;
            }
            table(page, figures.subList(from, to));
            from = to;
        }
        return Frame.end(page);
    }

    /** One value of the whole server. */
    private static boolean isPlain(Operations.Figure figure) {
        return figure.of().isEmpty() && figure.highest().isEmpty();
    }

    private static void table(Markup page, List<Operations.Figure> figures) {
        var first = figures.get(0);
        boolean isMeasured =
                figures.stream().anyMatch(figure -> figure.highest().isPresent());
        page.element("h2", first.about());
        if (isMeasured) {
            Frame.head(page, first.name(), "#TimeLabels", "#Mean", "#Highest lately");
        } else {
            Frame.head(page, first.name(), "#Now");
        }
        for (var figure : figures) {
            page.open("tr").element("th", figure.of().isEmpty() ? "all" : figure.of(), "scope", "row");
            Frame.number(page, number(figure.value()));
            if (isMeasured) {
                Frame.number(page, measured(figure.mean(), figure.isTime()));
                Frame.number(page, measured(figure.highest(), figure.isTime()));
            }
            page.close();
        }
        Frame.endOfTable(page);
    }

    private static String measured(Optional<Double> value, boolean isTime) {
        return Labels.orNone(value.map(v -> isTime ? String.format(Locale.ROOT, "%.1f ms", v * 1000) : number(v)));
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? Labels.NONE
                : String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
    }
}
