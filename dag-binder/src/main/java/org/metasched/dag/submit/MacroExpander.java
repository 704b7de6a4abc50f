package org.metasched.dag.submit;

import org.jspecify.annotations.Nullable;
import org.metasched.dag.submit.MacroScanner.Macro;

/**
 * Expands the macros of a value, from the left, as often as there are any: what a macro stands for is looked through again.
 * {@code $(DOLLAR)} comes last, so that its dollar sign stays one. Not thread-safe.
 */
final class MacroExpander {

    /** A macro that cannot be expanded. */
    static final class MacroException extends Exception {
        private static final long serialVersionUID = 1L;

        MacroException(String reason) {
            super(reason);
        }
    }

    private final MacroTable table;
    private final SubmitContext context;
    private final MacroFunctions functions;
    private int depth;

    MacroExpander(MacroTable table, SubmitContext context) {
        this.table = table;
        this.context = context;
        this.functions = new MacroFunctions(this, table, context);
    }

    String expand(String value) throws MacroException {
        String expanded = expandKeepingDollars(value);
        Macro dollar = MacroScanner.next(expanded, 0);
        if (dollar == null) {
            return expanded;
        }
        StringBuilder out = new StringBuilder(expanded.length());
        int at = 0;
        while (dollar != null) {
            int from = dollar.start() + 1;
            if (dollar.isDollar()) {
                out.append(expanded, at, dollar.start()).append('$');
                at = dollar.end();
                from = at;
            }
            dollar = MacroScanner.next(expanded, from);
        }
        return out.append(expanded, at, expanded.length()).toString();
    }

    String expandKeepingDollars(String value) throws MacroException {
        if (value.indexOf('$') < 0) {
            return value;
        }
        if (++depth > 50) {
            throw new MacroException("Macros are nested more than 50 deep in: " + shortened(value));
        }
        // What is settled has no dollar sign any more but those of $(DOLLAR); text from position on is still to be
        // looked through.
        StringBuilder settled = new StringBuilder();
        String text = value;
        int position = 0;
        int from = 0;
        int expansions = 0;
        Macro macro = MacroScanner.next(text, from);
        while (macro != null) {
            boolean isFirst = text.indexOf('$', position) == macro.start();
            if (macro.isDollar()) {
                from = macro.end();
                if (isFirst) {
                    settled.append(text, position, from);
                    position = from;
                }
            } else {
                if (++expansions > context.limits().expansions()) {
                    throw new MacroException("Expanding the macros of this value does not end: " + shortened(value));
                }
                String put = replacement(macro);
                if (isFirst && put.indexOf('$') < 0) {
                    settled.append(text, position, macro.start()).append(put);
                    position = macro.end();
                    from = position;
                } else if (isFirst) {
                    settled.append(text, position, macro.start());
                    text = put + text.substring(macro.end());
                    position = 0;
                    from = 0;
                } else {
                    // A name made of macros: what it begins with stands before.
                    text = text.substring(position, macro.start()) + put + text.substring(macro.end());
                    from -= position;
                    position = 0;
                }
                if (settled.length() + text.length() > context.limits().expandedChars()) {
                    throw new MacroException(
                            "Expanding the macros of this value makes it too long: " + shortened(value));
                }
            }
            macro = MacroScanner.next(text, from);
        }
        depth--;
        return settled.append(text, position, text.length()).toString();
    }

    /** Expands only references of a setting to its own former value. */
    String expandSelf(String value, String self) {
        String text = value;
        int from = 0;
        Macro macro = MacroScanner.next(text, from);
        while (macro != null) {
            boolean own = macro.function().isEmpty() && macro.body().equalsIgnoreCase(self);
            if (own) {
                String former = table.own(self);
                String fallback = macro.fallback();
                String put = former != null && !former.isEmpty() ? former : fallback != null ? fallback : "";
                text = text.substring(0, macro.start()) + put + text.substring(macro.end());
                from = macro.start() + put.length();
            } else {
                from = macro.start() + 1;
            }
            macro = MacroScanner.next(text, from);
        }
        return text;
    }

    private String replacement(Macro macro) throws MacroException {
        switch (macro.function()) {
            case "":
                return orFallback(table.lookup(macro.body()), macro.fallback(), "");
            case "ENV":
                return orFallback(context.environment().get(macro.body()), macro.fallback(), "UNDEFINED");
            default:
                return functions.evaluate(macro.function(), macro.body());
        }
    }

    private static String orFallback(@Nullable String value, @Nullable String fallback, String otherwise) {
        if (value != null && !value.isEmpty()) {
            return value;
        }
        return fallback != null ? fallback : value != null ? value : otherwise;
    }

    static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 77) + "...";
    }
}
