package org.metasched.cli.site;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.cli.output.TextTable;

/** Ads as aligned tables: sites with their matches, machines as condor_status shows them, all others by name. */
final class StatusTable {

    /** The length to which values are cut. */
    private static final int WIDEST = 48;

    /** Title and attribute of a column. */
    private record Column(String title, String attribute) {}

    private enum Kind {
        SITES(
                new Column("NAME", "Name"),
                new Column("MATCHES", "CurMatches"),
                new Column("MOST", "MaxMatches"),
                new Column("FREE", "FreeNodes"),
                new Column("NODES", "TotalNodes"),
                new Column("QUEUED", "QueuedJobs"),
                new Column("NUMBER", "UpdateSequenceNumber")),
        MACHINES(
                new Column("NAME", "Name"),
                new Column("OPSYS", "OpSys"),
                new Column("ARCH", "Arch"),
                new Column("STATE", "State"),
                new Column("ACTIVITY", "Activity"),
                new Column("LOADAV", "LoadAvg"),
                new Column("MEM", "Memory")),
        OTHERS(new Column("TYPE", "MyType"), new Column("NAME", "Name"), new Column("OWNER", "Owner"));

        private final List<Column> columns;

        Kind(Column... columns) {
            this.columns = List.of(columns);
        }

        static Kind of(ClassAd ad) {
            if (ad.has("MaxMatches")) {
                return SITES;
            }
            return typeOf(ad).equalsIgnoreCase("Machine") ? MACHINES : OTHERS;
        }
    }

    private StatusTable() {}

    static void print(PrintWriter out, List<ClassAd> ads) {
        Map<Kind, List<ClassAd>> byKind = new LinkedHashMap<>();
        ads.forEach(ad ->
                byKind.computeIfAbsent(Kind.of(ad), kind -> new ArrayList<>()).add(ad));
        byKind.forEach((kind, adsOfKind) -> {
            print(out, kind, adsOfKind);
            out.println();
        });
        out.println(ads.size() + (ads.size() == 1 ? " ad" : " ads"));
    }

    static String typeOf(ClassAd ad) {
        String type = shown(ad, "MyType");
        return type.isEmpty() ? shown(ad, "Type") : type;
    }

    private static void print(PrintWriter out, Kind kind, List<ClassAd> ads) {
        var table = new TextTable(kind.columns.stream().map(Column::title).toArray(String[]::new));
        ads.forEach(ad -> table.row(kind.columns.stream()
                .map(column -> column.attribute().equals("MyType") ? typeOf(ad) : shown(ad, column.attribute()))
                .toArray()));
        table.print(out);
    }

    private static String shown(ClassAd ad, String attribute) {
        if (!ad.has(attribute)) {
            return "";
        }
        Value value = ad.evaluate(attribute, Scope.of(ad, LookupMode.OLD));
        String text = value instanceof Value.Text bare
                ? bare.text()
                : value instanceof Value.Real real ? String.format(Locale.ROOT, "%.3f", real.value()) : value.print();
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
    }
}
