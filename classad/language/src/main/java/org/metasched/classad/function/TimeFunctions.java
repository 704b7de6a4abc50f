package org.metasched.classad.function;

import java.time.LocalDateTime;
import java.util.Locale;
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

/** The functions of times: the clock, the parts of a time, and its texts. */
final class TimeFunctions {

    /** Seconds of a day. */
    private static final int DAY = 86_400;

    private TimeFunctions() {}

    static void addTo(FunctionTable table) {
        table.addImpure("time", 0, 0, (e, a) -> Value.of(e.now()));
        table.addImpure("currenttime", 0, 0, (e, a) -> local(e.now()));
        table.addImpure("timezoneoffset", 0, 0, (e, a) -> new Value.RelTime(Times.localOffset(e.now())));
        table.addImpure("daytime", 0, 0, (e, a) -> sinceMidnight(e));
        table.addImpure("abstime", 0, 2, TimeFunctions::absolute);
        table.addPure("reltime", 1, 1, (e, a) -> relative(a[0]));
        addField(table, "getyear", LocalDateTime::getYear, null);
        addField(table, "getmonth", LocalDateTime::getMonthValue, null);
        addField(table, "getdayofmonth", LocalDateTime::getDayOfMonth, null);
        addField(table, "getdayofweek", t -> t.getDayOfWeek().getValue() % 7, null);
        addField(table, "getdayofyear", t -> t.getDayOfYear() - 1, null);
        addField(table, "gethours", LocalDateTime::getHour, s -> s / 3600 % 24);
        addField(table, "getminutes", LocalDateTime::getMinute, s -> s / 60 % 60);
        addField(table, "getseconds", LocalDateTime::getSecond, s -> s % 60);
        addField(table, "getdays", null, s -> s / DAY);
        table.addUnary("splittime", TimeFunctions::split);
        table.addImpure("formattime", 0, 2, (e, a) -> format(e, a));
        table.addUnary("interval", TimeFunctions::interval);
    }

    /** An instant in the system's zone. */
    private static Value.AbsTime local(long seconds) {
        return new Value.AbsTime(seconds, Times.localOffset(seconds));
    }

    /** {@code dayTime}: the time since midnight in the system's zone. */
    private static Value sinceMidnight(Evaluation e) {
        long now = e.now();
        return new Value.RelTime(Math.floorMod(now + Times.localOffset(now), (long) DAY));
    }

    /**
     * {@code absTime()}, {@code absTime(seconds)}, {@code absTime(seconds, offset)}. A wrong offset is ERROR whatever the seconds
     * are.
     */
    private static Value absolute(Evaluation e, Value[] a) {
        if (a.length == 0) {
            return local(e.now());
        }
        if (a.length == 2
                && !(a[1] instanceof Value.Int || a[1] instanceof Value.Real || a[1] instanceof Value.RelTime)) {
            return Value.ERROR;
        }
        if (a[0].isExceptional() || a[0] instanceof Value.Text || a[0] instanceof Value.AbsTime) {
            // As in the reference, a computed text is returned as it is, and a time with its own offset.
            return a[0];
        }
        if (a[0] instanceof Value.Bool || !(TypeFunctions.integer(a[0]) instanceof Value.Int seconds)) {
            return Value.ERROR;
        }
        if (a.length == 1 || !(TypeFunctions.integer(a[1]) instanceof Value.Int offset)) {
            return local(seconds.value());
        }
        // In the reference, the offset -1 means that the offset is unknown.
        boolean none = offset.value() == -1 && a[0] instanceof Value.Int;
        return none ? e.fail() : new Value.AbsTime(seconds.value(), (int) offset.value());
    }

    /** {@code relTime}. */
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
        // The reference reads a text that is not written in the call, but computed, as a span of 0.
        return value instanceof Value.Text ? new Value.RelTime(0) : Value.ERROR;
    }

    /** Adds a function of a part of an instant, of a span, or of either; null where it is ERROR. Spans are cut to whole seconds. */
    private static void addField(
            FunctionTable table,
            String name,
            @Nullable ToLongFunction<LocalDateTime> ofInstant,
            @Nullable LongFunction<Long> ofSpan) {
        table.addUnary(name, v -> {
            if (v instanceof Value.AbsTime t && ofInstant != null) {
                return Value.of(ofInstant.applyAsLong(Times.fields(t.seconds(), Times.localOffset(t.seconds()))));
            }
            return v instanceof Value.RelTime t && ofSpan != null
                    ? Value.of(ofSpan.apply((long) t.seconds()))
                    : Value.ERROR;
        });
    }

    /** {@code splitTime}: an ad with the parts of a time. */
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

    /** The ad of a span's parts. Of a negative span, only the largest part that is not zero is negative. */
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

    /** {@code formatTime}: the text of a time, by default of now and with the pattern {@code %c}. */
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

    /** The fields of a time, of seconds since 1970, or of an ad that {@code splitTime} has made; else null. */
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

    /** An integer attribute of an ad, cut to 32 bits; {@code missing} if the ad has none of that name. */
    private static int field(Evaluation e, Value.Record record, String name, int missing) {
        Value field = record.ad()
                .lookup(name)
                .map(expr -> e.value(expr, record.scope()))
                .orElse(Value.UNDEFINED);
        return field instanceof Value.Int n ? (int) n.value() : missing;
    }

    /**
     * {@code interval}: seconds as {@code d+hh:mm:ss}, {@code h:mm:ss}, {@code m:ss} or {@code s}, cut to 32 bits as in the
     * reference.
     */
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
        String format = days > 0
                ? "%1$d+%2$02d:%3$02d:%4$02d"
                : hours > 0 ? "%2$d:%3$02d:%4$02d" : minutes > 0 ? "%3$d:%4$02d" : "%4$d";
        return new Value.Text(sign + String.format(Locale.ROOT, format, days, hours, minutes, size % 60));
    }
}
