package org.metasched.bench.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.ResultMapper;

/** Figures on stdout: one line of JSON, or a line for each key and its value. */
final class FigurePrinter {

    private FigurePrinter() {}

    static void print(OutputOptions output, Object figures, String format) {
        output.print(figures, out -> pairs(figures).forEach((key, value) -> out.printf(format, key, value)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> pairs(Object figures) {
        try {
            return new ObjectMapper().readValue(ResultMapper.json(figures), Map.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
