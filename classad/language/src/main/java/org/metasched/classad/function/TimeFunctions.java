package org.metasched.classad.function;

import java.time.LocalDateTime;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Evaluation;
import org.metasched.classad.FunctionTable;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.text.TimeFormat;
import org.metasched.classad.text.Times;

/** The clock, and the parts and texts of times. */
final class TimeFunctions {

    private static final int DAY = 86_400;

    private TimeFunctions() {}

    static void addTo(FunctionTable table) {
        table.impure("time", 0, 0, (e, a) -> Value.of(e.now()));
        table.impure("currenttime", 0, 0, (e, a) -> local(e.now()));
        table.impure("timezoneoffset", 0, 0, (e, a) -> new Value.RelTime(Times.localOffset(e.now())));
        table.impure("daytime", 0, 0, (e, a) -> sinceMidnight(e));
        table.impure("abstime", 0, 2, TimeFunctions::absolute);
        table.add("reltime", 1, 1, (e, a) -> relative(a[0]));
        field(table, "getyear", LocalDateTime::getYear, null);
        field(table, "getmonth", LocalDateTime::getMonthValue, null);
        field(table, "getdayofmonth", LocalDateTime::getDayOfMonth, null);
        field(table, "getdayofweek", t -> t.getDayOfWeek().getValue() % 7, null);
        field(table, "getdayofyear", t -> t.getDayOfYear() - 1, null);
        field(table, "gethours", LocalDateTime::getHour, s -> s / 3600 % 24);
        field(table, "getminutes", LocalDateTime::getMinute, s -> s / 60 % 60);
        field(table, "getseconds", LocalDateTime::getSecond, s -> s % 60);
        field(table, "getdays", null, s -> s / DAY);
        table.one("splittime", TimeFunctions::split);
        table.impure("formattime", 0, 2, (e, a) -> format(e, a));
        table.one("interval", TimeFunctions::interval);
    }

    private static Value.AbsTime local(long seconds) {
        return new Value.AbsTime(seconds, Times.localOffset(seconds));
    }

    private static Value sinceMidnight(Evaluation e) {
        long now = e.now();
        return new Value.RelTime(Math.floorMod(now + Times.localOffset(now), (long) DAY));
    }

    /** {@code absTime()}, {@code absTime(seconds)}, {@code absTime(seconds, offset)}; the offset is looked at first. */
    private static Value absolute(Evaluation e, Value[] a) {
        if (a.length == 0) {
            return local(e.now());
        }
        if (a.length == 2
                && !(a[1] instanceof Value.Int || a[1] instanceof Value.Real || a[1] instanceof Value.RelTime)) {
            return Value.ERROR;
        }
        if (a[0].isExceptional() || a[0] instanceof Value.Text || a[0] instanceof Value.AbsTime) {
            // The reference returns a computed text as it is, and a time with its own offset.
            return a[0];
        }
        if (a[0] instanceof Value.Bool || !(TypeFunctions.integer(a[0]) instanceof Value.Int seconds)) {
            return Value.ERROR;
        }
        if (a.length == 1 || !(TypeFunctions.integer(a[1]) instanceof Value.Int offset)) {
            return local(seconds.value());
        }
        // Of the reference, -1 is the offset that could not be found.
        boolean none = offset.value() == -1 && a[0] instanceof Value.Int;
        return none ? e.fail() : new Value.AbsTime(seconds.value(), (int) offset.value());
    }

    private static Value relative(Value value) {
        if (value.isExceptional() || value instanceof Value.RelTime) {
            return value;
        }
        if (value instanceof Value.Int || value instanceof Value.Real) {
            return new Value.RelTime(value.rank());
        }
        if (value instanceof Value.AbsTime t) {
            return new Value.RelTime(t.seconds());
        }
        // The reference reads a computed text as no time at all.
        return value instanceof Value.Text ? new Value.RelTime(0) : Value.ERROR;
    }

    private static void field(
            FunctionTable table,
            String name,
            @Nullable ToLongFunction<LocalDateTime> ofInstant,
            @Nullable LongFunction<Long> ofSpan) {
        table.one(name, v -> {
            if (v instanceof Value.AbsTime t && ofInstant != null) {
                return Value.of(ofInstant.applyAsLong(Times.fields(t.seconds(), Times.localOffset(t.seconds()))));
            }
            return v instanceof Value.RelTime t && ofSpan != null
                    ? Value.of(ofSpan.apply((long) t.seconds()))
                    : Value.ERROR;
        });
    }

    private static Value split(Value value) {
        if (value instanceof Value.Int || value instanceof Value.Real) {
            return split(local((long) value.rank()));
        }
        if (value instanceof Value.AbsTime t) {
            LocalDateTime f = Times.fields(t.seconds(), t.offset());
            return record(new ClassAd.Builder()
                    .set("Type", "AbsoluteTime")
                    .set("Year", f.getYear())
                    .set("Month", f.getMonthValue())
                    .set("Day", f.getDayOfMonth())
                    .set("Hours", f.getHour())
                    .set("Minutes", f.getMinute())
                    .set("Seconds", f.getSecond())
                    .set("Offset", t.offset()));
        }
        if (value instanceof Value.RelTime t) {
            return splitSpan(t.seconds());
        }
        return value == Value.UNDEFINED ? value : Value.ERROR;
    }

    /** Only the leading part that is not zero carries the sign. */
    private static Value splitSpan(double seconds) {
        double size = Math.abs(seconds);
        long whole = (long) size;
        long[] parts = {whole / DAY, whole / 3600 % 24, whole / 60 % 60};
        double last = whole % 60 + (size - Math.floor(size));
        boolean negative = seconds < 0;
        for (int i = 0; i < parts.length && negative; i++) {
            if (parts[i] != 0) {
                parts[i] = -parts[i];
                negative = false;
            }
        }
        return record(new ClassAd.Builder()
                .set("Type", "RelativeTime")
                .set("Days", parts[0])
                .set("Hours", parts[1])
                .set("Minutes", parts[2])
                .set("Seconds", negative ? -last : last));
    }

    private static Value record(ClassAd.Builder ad) {
        return new Value.Record(Scope.of(ad.build()));
    }

    private static Value format(Evaluation e, Value[] a) {
        if (a.length == 2 && !(a[1] instanceof Value.Text)) {
            return Value.ERROR;
        }
        TimeFormat.Fields fields = a.length == 0
                ? TimeFormat.Fields.of(Times.fields(e.now(), Times.localOffset(e.now())))
                : fieldsOf(e, a[0]);
        if (fields == null) {
            return Value.ERROR;
        }
        return new Value.Text(TimeFormat.format(fields, a.length == 2 ? FunctionArguments.octets(a[1]) : "%c"));
    }

    private static TimeFormat.@Nullable Fields fieldsOf(Evaluation e, Value value) {
        if (value instanceof Value.AbsTime t) {
            return TimeFormat.Fields.of(Times.fields(t.seconds(), t.offset()));
        }
        if (value instanceof Value.Int || value instanceof Value.Real) {
            long seconds = (long) value.rank();
            return TimeFormat.Fields.of(Times.fields(seconds, Times.localOffset(seconds)));
        }
        return value instanceof Value.Record record
                ? new TimeFormat.Fields(
                        field(e, record, "Year", 1900),
                        field(e, record, "Month", 1),
                        field(e, record, "Day", 0),
                        field(e, record, "Hours", 0),
                        field(e, record, "Minutes", 0),
                        field(e, record, "Seconds", 0))
                : null;
    }

    private static int field(Evaluation e, Value.Record record, String name, int missing) {
        Value field = record.ad()
                .lookup(name)
                .map(expr -> e.value(expr, record.scope()))
                .orElse(Value.UNDEFINED);
        return field instanceof Value.Int n ? (int) n.value() : missing;
    }

    /** {@code d+hh:mm:ss}, {@code h:mm:ss}, {@code m:ss} or {@code s}, of 32 bits of seconds. */
    private static Value interval(Value value) {
        if (value.isExceptional() || !(TypeFunctions.integer(value) instanceof Value.Int i)) {
            return Value.ERROR;
        }
        int seconds = (int) i.value();
        String sign = seconds < 0 ? "-" : "";
        long size = Math.abs((long) seconds);
        long days = size / DAY;
        long hours = size / 3600 % 24;
        long minutes = size / 60 % 60;
        String text = days > 0
                ? "%d+%02d:%02d:%02d".formatted(days, hours, minutes, size % 60)
                : hours > 0
                        ? "%d:%02d:%02d".formatted(hours, minutes, size % 60)
                        : minutes > 0 ? "%d:%02d".formatted(minutes, size % 60) : Long.toString(size);
        return new Value.Text(sign + text);
    }
}
