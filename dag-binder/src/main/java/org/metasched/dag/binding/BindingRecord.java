package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.durable.AtomicFile;
import org.metasched.submit.JobEnvironment;

/**
 * The record of a bound DAG in {@value #FILE}: enough to bind the DAG elsewhere. Holds no time, so that binding twice gives the same
 * bytes. Written as a ClassAd in JSON.
 *
 * @param origin the DAG that was bound
 * @param site the site's name
 * @param rank value of the DAG's Rank for the site
 * @param nodes number of nodes of the DAG, those of its splices included
 * @param environment variables of the DAG at that site
 * @param matched attributes of the site that the DAG used, each named {@code MATCH_A} for A, with the texts of their expressions
 * @param files names of the files that the binder wrote, relative to the directory of the record
 * @param staging way in which the inputs get there
 * @param keepsMatchMacros whether {@code $$()} of nodes was left for the machines of the site
 * @param inputs files that jobs read and that depend on no site
 */
public record BindingRecord(
        Origin origin,
        String site,
        double rank,
        long nodes,
        Map<String, String> environment,
        Map<String, String> matched,
        List<String> files,
        InputStaging staging,
        boolean keepsMatchMacros,
        List<String> inputs) {

    /** The name of the record's file. */
    public static final String FILE = "metasched-binding.json";

    /** The files that binders write into a bound directory beside those of the DAG. */
    static final Set<String> OWN =
            Set.of(FILE, MatchNote.FILE, MatchNote.RELEASED, PendingMatch.FILE, RebindTransaction.INTENT);

    private static final ReadOptions JSON = ReadOptions.NEW.with(Syntax.JSON);

    /**
     * The original of a bound DAG.
     *
     * @param directory absolute path
     * @param dag name of the DAG file there
     * @param jobAd path of the file given as job ad; empty if none was
     */
    public record Origin(String directory, String dag, String jobAd) {}

    public BindingRecord {
        // Minus zero becomes zero.
        rank = rank + 0.0;
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        matched = Collections.unmodifiableMap(new LinkedHashMap<>(matched));
        files = List.copyOf(files);
        inputs = List.copyOf(inputs);
    }

    /**
     * The record of a directory; empty if the directory holds no bound DAG.
     *
     * @throws IOException also if the record is damaged
     */
    public static Optional<BindingRecord> find(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            BindingRecord record = of(ClassAd.parse(Files.readString(file), JSON));
            String dag = record.origin().dag();
            if (dag.isEmpty() || dag.contains("/") || dag.equals(".") || dag.equals("..") || dag.indexOf('\0') >= 0) {
                throw new IOException(
                        "The binding record (" + file + ") names no file of its directory as the DAG: " + dag);
            }
            return Optional.of(record);
        } catch (ClassAdSyntaxException e) {
            throw new IOException(
                    "The binding record (" + file + ":" + e.line() + ") cannot be read: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException("The binding record (" + file + ") cannot be read: " + e.getMessage(), e);
        }
    }

    /** The record of a directory or, if it holds no bound DAG, of the nearest one around it that does. */
    public static Optional<BindingRecord> around(Path place) throws IOException {
        for (Path folder = place.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            Optional<BindingRecord> record = find(folder);
            if (record.isPresent()) {
                return record;
            }
        }
        return Optional.empty();
    }

    /** The part of the site's ad that the DAG has used: name, environment, and the attributes that {@code $$} named. */
    public ClassAd siteAd() {
        ClassAd ad = ClassAd.EMPTY
                .with("Name", site)
                .with("SiteEnvironment", JobEnvironment.of(environment).toSubmitValue());
        for (Map.Entry<String, String> entry : matched.entrySet()) {
            try {
                ad = ad.with(
                        entry.getKey().substring("MATCH_".length()), Expr.parse(entry.getValue(), ReadOptions.OLD));
            } catch (ClassAdSyntaxException e) {
                throw new IllegalStateException("The binding record has " + entry + ", which is no expression.", e);
            }
        }
        return ad;
    }

    /** The inputs if they are staged in this way, otherwise none. */
    public List<String> inputs(InputStaging way) {
        return way == staging ? inputs : List.of();
    }

    /** Whether the ad of the site said that its machines have Apptainer or Singularity; false if the DAG has no use for them. */
    public boolean hasApptainer() {
        return matched.entrySet().stream()
                .anyMatch(entry -> entry.getKey().matches("(?i)MATCH_Has(Apptainer|Singularity)")
                        && entry.getValue().equalsIgnoreCase("true"));
    }

    private static BindingRecord of(ClassAd ad) {
        InputStaging staging = Stream.of(InputStaging.values())
                .filter(way -> ad.has(way.attribute))
                .findFirst()
                .orElse(InputStaging.LINK);
        return new BindingRecord(
                new Origin(ad.getString("Directory", ""), ad.getString("Dag", ""), ad.getString("JobAd", "")),
                ad.getString("Site", ""),
                ad.evaluate("Rank").rank(),
                ad.getLong("Nodes", 0),
                map(ad, "Environment"),
                map(ad, "Matched"),
                list(ad, "Files"),
                staging,
                ad.has("KeepsMatchMacros"),
                list(ad, staging.attribute));
    }

    private ClassAd toAd() {
        ClassAd format = ClassAd.EMPTY.with("Format", 1);
        return (keepsMatchMacros ? format.with("KeepsMatchMacros", true) : format)
                .with("Dag", origin.dag())
                .with("Directory", origin.directory())
                .with("JobAd", origin.jobAd())
                .with("Site", site)
                .with("Rank", rank)
                .with("Nodes", nodes)
                .with("Environment", listOf(entries(environment)))
                .with("Matched", listOf(entries(matched)))
                .with("Files", listOf(files))
                .with(staging.attribute, listOf(inputs));
    }

    byte[] toBytes() {
        return (toAd().print(Syntax.JSON) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Names of at most {@code most} files in the directory of the record that neither the binder nor a killed command left. */
    List<String> addedFiles(Path directory, int most) throws IOException {
        Set<String> own = new HashSet<>(OWN);
        own.addAll(files);
        if (staging != InputStaging.MANIFEST) {
            own.addAll(inputs);
        }
        return OutputTree.walk(directory).stream()
                .filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                .filter(path -> !AtomicFile.isLeft(path))
                .map(path -> directory.relativize(path).toString())
                .filter(name -> !own.contains(name))
                .limit(most)
                .toList();
    }

    /** Names of the DAG files and submit descriptions of the binding that were changed after it, of which the record was written last. */
    Stream<String> changedFiles(Path directory) {
        long end = directory.resolve(FILE).toFile().lastModified();
        return files.stream().filter(name -> directory.resolve(name).toFile().lastModified() > end);
    }

    private static List<String> entries(Map<String, String> map) {
        return map.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    private static Value listOf(List<String> texts) {
        return Value.ListOf.of(texts.stream().map(Value.Text::of).toList());
    }

    private static List<String> list(ClassAd ad, String name) {
        List<Value> items = ad.evaluate(name) instanceof Value.ListOf ? ad.getList(name) : List.of();
        return items.stream()
                .map(item -> item instanceof Value.Text text ? text.text() : "")
                .toList();
    }

    private static Map<String, String> map(ClassAd ad, String name) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String entry : list(ad, name)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                map.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return map;
    }
}
