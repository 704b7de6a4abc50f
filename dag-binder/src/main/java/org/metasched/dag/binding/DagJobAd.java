package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitStatement;

/**
 * The job ad by which a DAG as a whole is matched with sites. It is made from the submit description of the condor_dagman job (that
 * of condor_submit_dag or one written by hand like the recipe of 2003), or from an ad; attributes that it lacks have defaults.
 *
 * @param ad the job ad
 * @param source the file of the ad, if it has one
 * @param description the submit description of the condor_dagman job, which is bound too
 * @param warnings sentences for its author
 */
public record DagJobAd(ClassAd ad, Optional<Path> source, Optional<Path> description, List<String> warnings) {

    /** Suffix that condor_submit_dag adds to the name of a DAG file. */
    static final String SUBMIT_SUFFIX = ".condor.sub";

    /** Names that a submit description sets and a job ad does not. */
    private static final Set<String> OF_DESCRIPTIONS = Set.of("universe", "executable", "arguments");

    private static final Set<String> EXECUTABLE = Set.of("executable");
    private static final Set<String> RANK = Set.of("rank", "preferences");
    private static final String OWN_REQUIREMENTS = "MetaschedOwnRequirements";
    private static final long MOST_BYTES = 16L << 20;

    public DagJobAd {
        warnings = List.copyOf(warnings);
    }

    /**
     * The job ad of a DAG.
     *
     * @param dagFile path of the DAG file, whose {@code .condor.sub} is used if it is there
     * @param given an ad in the old or new syntax, or a submit description, to be used instead of that file
     * @param attributes assignments of SET_JOB_ATTR
     * @param environment variables for {@code $ENV}
     * @throws IllegalArgumentException if the file is neither an ad nor a submit description
     */
    public static DagJobAd of(
            Path dagFile, Optional<Path> given, List<String> attributes, Map<String, String> environment)
            throws IOException {
        Path beside = dagFile.resolveSibling(dagFile.getFileName() + SUBMIT_SUFFIX);
        Optional<Path> file = given.isPresent() || !Files.isRegularFile(beside) ? given : Optional.of(beside);
        ClassAd ad = ClassAd.EMPTY;
        boolean isDescription = false;
        if (file.isPresent()) {
            String text = text(file.get());
            ParsedDescription description = ParsedDescription.of(
                    text.stripLeading().startsWith("[") ? "" : text, file.get().toString());
            isDescription = description.statements().stream().anyMatch(DagJobAd::isOfDescription);
            ad = isDescription ? ofDescription(file.get(), description, environment) : ofAd(file.get(), text);
        }
        for (String attribute : attributes) {
            ad = withAttribute(ad, attribute);
        }
        return new DagJobAd(withDefaults(ad), file, isDescription ? file : Optional.empty(), warnings(ad));
    }

    /** The job ad of a DAG. {@code jobAd} names the file to be used instead of the one beside the DAG; it may be empty. */
    public static DagJobAd of(NestedDag dag, String jobAd, Map<String, String> environment) throws IOException {
        Optional<Path> given = jobAd.isEmpty() ? Optional.empty() : Optional.of(Path.of(jobAd));
        return of(dag.file(), given, dag.root().dag().jobAttributes(), environment);
    }

    private static String text(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IllegalArgumentException("The job ad (" + file + ") is longer than " + MOST_BYTES + " bytes.");
        }
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replaceFirst("^\uFEFF", "");
    }

    private static ClassAd ofAd(Path file, String text) {
        try {
            return text.stripLeading().startsWith("[") ? ClassAd.parse(text) : ClassAd.parseOld(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException(
                    file + ":" + e.line() + ":" + e.column() + ": " + e.getMessage()
                            + "\nMaybe it is meant as a submit description; that has a queue statement.",
                    e);
        }
    }

    private static boolean isOfDescription(SubmitStatement statement) {
        return statement.kind() == SubmitStatement.Kind.QUEUE
                || statement.sets(OF_DESCRIPTIONS)
                || statement.name().startsWith("+");
    }

    private static ClassAd ofDescription(Path file, ParsedDescription description, Map<String, String> environment)
            throws IOException {
        // condor_dagman runs, whatever universe the recipe names (condor no longer knows globus). Its environment is
        // bound apart, because condor misreads one that begins with a dollar sign.
        // What condor adds to Requirements for machines (Arch, Disk and so on) is not asked of a site.
        List<String> settings = new ArrayList<>(List.of(
                "universe = scheduler",
                "environment =",
                "getenv = false",
                "+" + OWN_REQUIREMENTS + " = $(requirements:true)"));
        if (!description.sets(EXECUTABLE)) {
            settings.add("executable = condor_dagman");
        }
        List<ClassAd> ads = new ArrayList<>();
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = absolute.getParent();
        SubmitContext context = SubmitContext.of(directory == null ? Path.of("/") : directory, environment)
                .withoutFileChecks();
        try {
            SubmitDescription.expand(
                    absolute, context, settings, job -> ads.add(ad(job.ad().attributes())));
        } catch (SubmitException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (ads.size() != 1) {
            throw new IllegalArgumentException(
                    "The submit description of the DAG (" + file + ") must make one job; it makes " + ads.size() + ".");
        }
        ClassAd ad = ads.get(0);
        Expr requirements = ad.lookup(OWN_REQUIREMENTS).orElse(Literal.of(true));
        ClassAd own = ad.with("Requirements", requirements).without(OWN_REQUIREMENTS);
        // condor's default rank is the constant 0; ours prefers sites with room.
        return description.sets(RANK) ? own : own.without("Rank");
    }

    private static ClassAd ad(Map<String, String> attributes) {
        var ad = new ClassAd.Builder();
        attributes.forEach((name, text) -> {
            try {
                ad.set(name, Expr.parse(text, ReadOptions.OLD));
            } catch (ClassAdSyntaxException e) {
                throw new IllegalArgumentException(
                        "The attribute " + name + " (" + text + ") is not an expression.", e);
            }
        });
        return ad.build();
    }

    private static ClassAd withAttribute(ClassAd ad, String assignment) {
        int equals = assignment.indexOf('=');
        String name = equals < 0 ? "" : assignment.substring(0, equals).strip();
        try {
            return name.isEmpty() ? ad : ad.with(name, Expr.parse(assignment.substring(equals + 1), ReadOptions.OLD));
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException("SET_JOB_ATTR " + assignment + ": " + e.getMessage(), e);
        }
    }

    private static ClassAd withDefaults(ClassAd ad) {
        ClassAd defaults = ClassAd.EMPTY
                .with("MyType", "Job")
                .with("TargetType", "Machine")
                .with("WANT_USCMS_MATCHMAKER", true)
                .with("Requirements", true);
        try {
            defaults =
                    defaults.with("Rank", Expr.parse("-1.0 * TARGET.CurMatches / TARGET.MaxMatches", ReadOptions.OLD));
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException(e);
        }
        return defaults.with(ad);
    }

    private static List<String> warnings(ClassAd ad) {
        return ranksByIntegers(ad)
                ? List.of(
                        "Rank divides the integers CurMatches and MaxMatches, so it is 0 for every site that is not full."
                                + " Write -1.0 * CurMatches / MaxMatches.")
                : List.of();
    }

    /** Whether the rank tells only full sites from the rest. It is evaluated, so its form does not matter. */
    private static boolean ranksByIntegers(ClassAd ad) {
        return ad.lookup("Rank").filter(rank -> rank.print().contains("/")).isPresent()
                && rank(ad, 0).equals(rank(ad, 1))
                && rank(ad, 0).equals(rank(ad, 2))
                && !rank(ad, 0).equals(rank(ad, 3));
    }

    /** The rank of a site that has given so many of its three matches. */
    private static Value rank(ClassAd ad, long given) {
        ClassAd site = ClassAd.EMPTY.with("CurMatches", given).with("MaxMatches", 3L);
        return ad.evaluate("Rank", Scope.matching(ad, site, LookupMode.OLD));
    }
}
