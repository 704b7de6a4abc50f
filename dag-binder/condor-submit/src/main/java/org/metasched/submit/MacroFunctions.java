package org.metasched.submit;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.submit.MacroExpander.MacroException;

/**
 * The macro functions except {@code $ENV}. An argument may name a setting, whose value it then stands for; items of a list, the numbers of
 * {@code $RANDOM_INTEGER}, formats and suffixes are literal. The first argument of {@code $SUBSTR} is empty if there is no such setting.
 */
record MacroFunctions(MacroExpander expander, MacroTable table, SubmitContext context) {

    String evaluate(String function, String body) throws MacroException {
        return switch (function) {
            case "RANDOM_CHOICE" -> randomChoice(body);
            case "RANDOM_INTEGER" -> randomInteger(body);
            case "CHOICE" -> choice(body);
            case "SUBSTR" -> substring(body);
            case "INT", "REAL" -> number(function, body);
            case "STRING" -> string(body);
            case "EVAL" -> eval(body);
            default -> fileName(function, body);
        };
    }

    private static void refuseIf(boolean wrong, String reason) throws MacroException {
        if (wrong) {
            throw new MacroException(reason);
        }
    }

    private static List<String> items(String list) {
        return Stream.of(list.split(",", -1)).map(String::strip).toList();
    }

    private String argument(String text) throws MacroException {
        String value = table.lookup(text.strip());
        return expander.expandKeepingDollars(value == null ? text.strip() : value);
    }

    private String randomChoice(String body) throws MacroException {
        String list = body.indexOf(',') < 0 ? argument(body) : body;
        refuseIf(list.isEmpty(), "$RANDOM_CHOICE() error: no list");
        List<String> items = items(list);
        return items.get(context.random().nextInt(items.size()));
    }

    private String randomInteger(String body) throws MacroException {
        List<String> items = items(body);
        long low = integerItem(items, 0, "min");
        long high = integerItem(items, 1, "max");
        long step = items.size() > 2 ? integerItem(items, 2, "step") : 1;
        refuseIf(step < 1, "$RANDOM_INTEGER() error: invalid step");
        refuseIf(low > high, "$RANDOM_INTEGER() error: min > max");
        // A span that overflows is negative.
        refuseIf(high - low < 0 || high - low + step < 0, "$RANDOM_INTEGER() error: too many values");
        long choices = (step + high - low) / step;
        return Long.toString(low + Math.floorMod(context.random().nextLong(), choices) * step);
    }

    private static long integerItem(List<String> items, int index, String name) throws MacroException {
        String text = items.size() > index ? items.get(index) : "";
        try {
            return Long.parseLong(text.replaceFirst("^(-?\\d+).*", "$1"));
        } catch (NumberFormatException e) {
            throw new MacroException("$RANDOM_INTEGER() error: invalid " + name);
        }
    }

    private String choice(String body) throws MacroException {
        List<String> items = items(body);
        refuseIf(items.size() < 2, "$CHOICE() error: no list");
        String index = argument(items.get(0));
        long number = SubmitNumbers.integer(index)
                .filter(n -> n >= 0)
                .orElseThrow(() -> new MacroException("$CHOICE() error: '" + index + "' is invalid index"));
        List<String> choices = items.subList(1, items.size());
        if (choices.size() == 1) {
            String named = table.lookup(choices.get(0));
            if (named == null) {
                throw new MacroException("$CHOICE() error: no list named " + choices.get(0));
            }
            choices = items(expander.expandKeepingDollars(named));
        }
        // condor_submit prints an error and goes on with an empty value, which the job ad shows: no error here.
        return number < choices.size() ? choices.get((int) number) : "";
    }

    private String substring(String body) throws MacroException {
        List<String> items = items(body);
        refuseIf(items.size() < 2, "$SUBSTR() error: no length specified");
        String named = table.lookup(items.get(0));
        String text = named == null ? "" : expander.expandKeepingDollars(named);
        int start = items.size() > 2 ? position(items.get(1), "start") : 0;
        int length = position(items.get(items.size() > 2 ? 2 : 1), "length");
        int from = Math.min(Math.max(start < 0 ? text.length() + start : start, 0), text.length());
        int rest = text.length() - from;
        int count = Math.min(Math.max(length < 0 ? rest + length : length, 0), rest);
        return text.substring(from, from + count);
    }

    private int position(String text, String what) throws MacroException {
        String value = argument(text);
        return SubmitNumbers.integer(value)
                .filter(n -> n >= Integer.MIN_VALUE && n < Integer.MAX_VALUE)
                .map(Math::toIntExact)
                .orElseThrow(() -> new MacroException("$SUBSTR() error: " + value + " is invalid " + what));
    }

    private String number(String function, String body) throws MacroException {
        boolean integer = function.equals("INT");
        int comma = body.indexOf(',');
        Optional<PrintfFormat> format = Optional.empty();
        if (comma >= 0) {
            String text = body.substring(comma + 1);
            format = PrintfFormat.parse(text).filter(f -> integer ? f.isInteger() : f.isReal());
            refuseIf(format.isEmpty(), "$" + function + "() error: '" + text + "' is not a valid format specifier");
        }
        String value = argument(comma < 0 ? body : body.substring(0, comma));
        if (integer) {
            long number = SubmitNumbers.integer(value)
                    .orElseThrow(
                            () -> new MacroException("$INT() error: " + value + " does not evaluate to an integer"));
            return format.map(f -> f.format(number)).orElse(Long.toString(number));
        }
        double number = SubmitNumbers.real(value)
                .orElseThrow(() -> new MacroException("$REAL() error: " + value + " does not evaluate to a real"));
        PrintfFormat plain = new PrintfFormat("", "", "", "16", 'G', "");
        String text = format.orElse(plain).format(number);
        return format.isPresent() && text.indexOf('.') < 0 ? text + ".0" : text;
    }

    private String string(String body) throws MacroException {
        String[] parts = body.split(",", 2);
        String named = argument(parts[0]);
        String value = SubmitExpressions.textValue(named).orElse(named);
        if (parts.length < 2) {
            return value;
        }
        String text = parts[1];
        return PrintfFormat.parse(text)
                .filter(PrintfFormat::isText)
                .map(f -> f.format(value))
                .orElseThrow(
                        () -> new MacroException("$STRING() error: '" + text + "' is not a valid format specifier"));
    }

    private String eval(String body) throws MacroException {
        String value = argument(body);
        return SubmitExpressions.value(value).orElse(value);
    }

    private String fileName(String function, String body) throws MacroException {
        String[] parts = body.split(",", function.equals("BASENAME") ? 2 : 1);
        String path = argument(parts[0]);
        String suffix = parts.length < 2 ? "" : parts[1].strip();
        String selected =
                FileNameParts.of(function).select(path, context.directory().toString());
        return !suffix.isEmpty() && selected.endsWith(suffix)
                ? selected.substring(0, selected.length() - suffix.length())
                : selected;
    }
}
