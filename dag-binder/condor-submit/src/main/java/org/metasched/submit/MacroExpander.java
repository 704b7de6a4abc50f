package org.metasched.submit;

import org.jspecify.annotations.Nullable;
import org.metasched.submit.MacroScanner.Macro;

/**
 * Expands the macros of a value, from the left. The replacement of a macro is searched for macros again. {@code $(DOLLAR)} is replaced
 * last, so that its dollar sign begins no macro. Not thread-safe.
 */
final class MacroExpander {

    /** A macro that cannot be expanded. */
    static final class MacroException extends Exception {
        private static final long serialVersionUID = 1L;

        MacroException(String reason) {
            super(reason);
        }
    }

    private static final int DEEPEST = 50;

    private final MacroTable table;
    private final SubmitContext context;
    private int depth;

    MacroExpander(MacroTable table, SubmitContext context) {
        this.table = table;
        this.context = context;
    }

    /** Expands all macros. */
    String expand(String value) throws MacroException {
        String expanded = expandKeepingDollars(value);
        Macro dollar = MacroScanner.next(expanded, 0);
        if (dollar == null) {
            return expanded;
        }
        StringBuilder out = new StringBuilder(expanded.length());
        int at = 0;
        while (dollar != null) {
            if (dollar.isDollar()) {
                out.append(expanded, at, dollar.start()).append('$');
                at = dollar.end();
            }
            dollar = MacroScanner.next(expanded, Math.max(at, dollar.start() + 1));
        }
        return out.append(expanded, at, expanded.length()).toString();
    }

    /** Expands all macros but {@code $(DOLLAR)}. */
    String expandKeepingDollars(String value) throws MacroException {
        if (value.indexOf('$') < 0) {
            return value;
        }
        if (++depth > DEEPEST) {
            throw new MacroException("Macros are nested more than " + DEEPEST + " deep in: " + shortened(value));
        }
        Expansion expansion = new Expansion(value);
        int expansions = 0;
        for (Macro macro = expansion.next(); macro != null; macro = expansion.next()) {
            if (macro.isDollar()) {
                expansion.pass(macro);
                continue;
            }
            if (++expansions > context.limits().expansions()) {
                throw new MacroException("Expanding the macros of this value does not end: " + shortened(value));
            }
            expansion.put(macro, replacement(macro));
            refuseIfTooLong(expansion.length(), value);
        }
        depth--;
        return expansion.result();
    }

    /**
     * A text whose macros are replaced one by one. Its expanded part has no dollar sign but those of $(DOLLAR). The text before
     * {@code position} is in that part already; the next macro is looked for at {@code from}.
     */
    private static final class Expansion {
        private final StringBuilder expanded = new StringBuilder();
        private String text;
        private int position;
        private int from;

        Expansion(String text) {
            this.text = text;
        }

        @Nullable
        Macro next() {
            return MacroScanner.next(text, from);
        }

        /** Leaves a macro as it is, and goes behind it. */
        void pass(Macro macro) {
            from = macro.end();
            if (isFirst(macro)) {
                expanded.append(text, position, from);
                position = from;
            }
        }

        /** Replaces a macro; the replacement is searched for macros next. */
        void put(Macro macro, String replacement) {
            if (!isFirst(macro)) {
                // The macro stands in the name of another macro, whose beginning stays before it.
                text = text.substring(position, macro.start()) + replacement + text.substring(macro.end());
                from -= position;
                position = 0;
                return;
            }
            expanded.append(text, position, macro.start());
            if (replacement.indexOf('$') < 0) {
                expanded.append(replacement);
                position = macro.end();
            } else {
                text = replacement + text.substring(macro.end());
                position = 0;
            }
            from = position;
        }

        private boolean isFirst(Macro macro) {
            return text.indexOf('$', position) == macro.start();
        }

        int length() {
            return expanded.length() + text.length();
        }

        String result() {
            return expanded.append(text, position, text.length()).toString();
        }
    }

    /** Expands only the references of the setting {@code self} to its own former value. */
    String expandSelf(String value, String self) throws MacroException {
        StringBuilder out = new StringBuilder();
        int at = 0;
        Macro macro = MacroScanner.next(value, 0);
        while (macro != null) {
            if (macro.function().isEmpty() && macro.body().equalsIgnoreCase(self)) {
                out.append(value, at, macro.start()).append(orFallback(table.own(self), macro.fallback(), ""));
                at = macro.end();
                refuseIfTooLong(out.length(), value);
            }
            macro = MacroScanner.next(value, Math.max(at, macro.start() + 1));
        }
        return out.append(value, at, value.length()).toString();
    }

    private void refuseIfTooLong(int length, String value) throws MacroException {
        if (length > context.limits().expandedChars()) {
            throw new MacroException("Expanding the macros of this value makes it too long: " + shortened(value));
        }
    }

    private String replacement(Macro macro) throws MacroException {
        return switch (macro.function()) {
            case "" -> orFallback(table.lookup(macro.body()), macro.fallback(), "");
            case "ENV" -> orFallback(context.environment().get(macro.body()), macro.fallback(), "UNDEFINED");
            default -> new MacroFunctions(this, table, context).evaluate(macro.function(), macro.body());
        };
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
