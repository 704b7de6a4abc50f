package org.metasched.example.library;

import java.util.List;
import org.metasched.classad.FunctionLibrary;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Value;

/** The function {@code price(tariff, coreHours)}: the price of core hours. */
public final class Prices implements FunctionLibrary {

    @Override
    public void addTo(FunctionTable table) {
        table.function("price", 2, 2, 1, true, Prices::price);
    }

    private static Value price(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text tariff)) {
            return Value.ERROR;
        }
        double coreHour = tariff.text().equals("night") ? 0.02 : 0.10;
        return Value.of(arguments.get(1).rank() * coreHour);
    }
}
