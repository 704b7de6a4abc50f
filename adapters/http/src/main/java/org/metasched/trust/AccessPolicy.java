package org.metasched.trust;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.ResourceText;
import org.metasched.adapter.SubjectName;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.trust.Subject.Action;
import org.metasched.trust.Subject.Kind;

/**
 * The access policy: which subjects may do which operations. The first rule that denies decides, else the first that allows;
 * without one the operation is denied. A subject is the same in either written form ({@link SubjectName#canonical}). Thread-safe; a
 * decision takes microseconds.
 */
public final class AccessPolicy {

    /**
     * Roles of subjects, and their virtual organisations.
     *
     * @param roles full subjects, or {@code group:/vo/group} of a token, by role; without an entry for users, all known
     *     subjects except auditors and sites are users
     * @param vos virtual organisations; a subject belongs to the first that has it as a member
     * @param isOpen whether a caller without a credential may do every operation
     */
    public record People(Map<Role, Set<String>> roles, List<Vo> vos, boolean isOpen) {

        public static final People CLOSED = new People(Map.of(), List.of(), false);

        public People {
            roles = roles.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> canonical(entry.getValue())));
            vos = List.copyOf(vos);
        }
    }

    /**
     * A virtual organisation.
     *
     * @param members full subjects, or beginnings of subjects that end in {@code *}
     */
    public record Vo(String name, List<String> members, Set<String> managers, Set<String> productionManagers) {

        public Vo {
            members = members.stream().map(SubjectName::canonical).toList();
            managers = canonical(managers);
            productionManagers = canonical(productionManagers);
        }

        boolean has(String subject) {
            String name = SubjectName.canonical(subject);
            return members.stream()
                    .anyMatch(m -> m.endsWith("*") ? name.startsWith(m.substring(0, m.length() - 1)) : name.equals(m));
        }
    }

    private static Set<String> canonical(Set<String> names) {
        return names.stream().map(SubjectName::canonical).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * A decision.
     *
     * @param rule name of the rule that decided, or the reason in words
     */
    public record Decision(boolean isAllowed, String rule) {}

    private static final List<AccessRule> DEFAULT = defaults();

    /** The policy of an open listener: every caller may do everything. Must stand after {@link #DEFAULT}, which it needs. */
    public static final AccessPolicy OPEN = new AccessPolicy(new People(Map.of(), List.of(), true), List.of());

    private final People people;
    private final List<AccessRule.Compiled> denying;
    private final List<AccessRule.Compiled> allowing;

    /**
     * @param own the site's rules, which stand before the default rules
     * @throws IllegalArgumentException when a rule cannot be read
     */
    public AccessPolicy(People people, List<AccessRule> own) {
        this.people = people;
        var all = Stream.concat(own.stream(), DEFAULT.stream())
                .map(AccessRule.Compiled::new)
                .toList();
        denying = all.stream().filter(r -> !r.isAllowing()).toList();
        allowing = all.stream().filter(AccessRule.Compiled::isAllowing).toList();
    }

    /** The default rules: auditors change nothing, and {@code default-rules.txt} has the rules of others, one a line. */
    private static List<AccessRule> defaults() {
        var changes = Operation.all().stream()
                .filter(operation -> operation.action() != Action.READ)
                .map(Operation::id)
                .toList();
        var auditors =
                new AccessRule("auditors change nothing", false, Set.of(Role.AUDITOR), changes, Optional.empty());
        var lines = ResourceText.of(AccessPolicy.class, "default-rules.txt").lines();
        return Stream.concat(
                        Stream.of(auditors),
                        lines.filter(line -> !line.startsWith("#")).map(AccessPolicy::allowing))
                .toList();
    }

    private static AccessRule allowing(String line) {
        String[] parts = line.split(" \\| ", -1);
        var roles = Arrays.stream(parts[1].split(" ")).map(word -> Role.of(word).orElseThrow());
        var condition = Optional.of(parts[2]).filter(text -> !text.equals("true"));
        return new AccessRule(
                parts[0], true, roles.collect(Collectors.toSet()), List.of(parts[3].split(", ")), condition);
    }

    /**
     * Decides whether a subject may do an operation.
     *
     * @param object object of the operation; without it, an operation on an object is decided as far as possible before the object is looked
     *     up
     */
    public Decision decide(Subject subject, String operation, Optional<ProtectedResource> object) {
        if (people.isOpen() && !subject.isKnown()) {
            return new Decision(true, "the listener is open, and who can connect is the local admin");
        }
        var known = Operation.find(operation);
        if (known.isEmpty()) {
            return new Decision(false, "there is no rule for this operation");
        }
        var roles = rolesOf(subject);
        boolean open = operation.startsWith("GET /health")
                || Set.of("GET /calendars/*", "GET ?wsdl", "GET /api").contains(operation)
                || Operation.isLogIn(operation);
        if (!open && !carries(subject, known.get().action())) {
            return new Decision(
                    false, "the credential does not carry " + known.get().action());
        }
        boolean beforeLookUp = object.isEmpty() && known.get().hasObject();
        var context = context(subject, roles, operation, object);
        return find(denying, roles, operation, context, beforeLookUp)
                .map(rule -> new Decision(false, rule))
                .or(() ->
                        find(allowing, roles, operation, context, beforeLookUp).map(rule -> new Decision(true, rule)))
                .orElse(new Decision(false, "no rule allows it to " + words(roles)));
    }

    private static Optional<String> find(
            List<AccessRule.Compiled> rules, Set<Role> roles, String operation, ClassAd context, boolean beforeLookUp) {
        return rules.stream()
                .filter(r -> r.isAbout(roles, operation) && r.holds(context, beforeLookUp))
                .findFirst()
                .map(AccessRule.Compiled::name);
    }

    private static String words(Set<Role> roles) {
        return String.join(", ", roles.stream().map(Role::word).toList());
    }

    /** Roles of a subject; every subject has at least one. */
    public Set<Role> rolesOf(Subject subject) {
        if (!subject.isKnown()) {
            return people.isOpen() ? Set.of(Role.ANONYMOUS, Role.OPERATOR) : Set.of(Role.ANONYMOUS);
        }
        var roles = EnumSet.noneOf(Role.class);
        String name = SubjectName.canonical(subject.name());
        people.roles().forEach((role, names) -> {
            if (names.contains(name) || subject.groups().stream().anyMatch(g -> names.contains("group:" + g))) {
                roles.add(role);
            }
        });
        boolean isAuditorOrSite = roles.contains(Role.AUDITOR) || roles.contains(Role.SITE);
        if (!isAuditorOrSite
                && !people.roles().containsKey(Role.USER)
                && (subject.kind() != Kind.TOKEN || !subject.actions().isEmpty())) {
            roles.add(Role.USER);
        }
        if (!vosOf(subject, Vo::managers).isEmpty()) {
            roles.add(Role.VO_MANAGER);
        }
        if (!vosOf(subject, Vo::productionManagers).isEmpty()) {
            roles.add(Role.PRODUCTION_MANAGER);
        }
        return roles.isEmpty() ? Set.of(Role.ANONYMOUS) : roles;
    }

    /**
     * Whether the credential allows the action. A token with capabilities does by them alone; one without them allows all, so that its
     * roles decide.
     */
    private static boolean carries(Subject subject, Action action) {
        return subject.may(action) || subject.kind() == Kind.TOKEN && !subject.byCapability();
    }

    /** Names of the VOs in which a subject has a function, such as that of a manager. */
    private List<String> vosOf(Subject subject, Function<Vo, Set<String>> holders) {
        String name = SubjectName.canonical(subject.name());
        return people.vos().stream()
                .filter(vo -> holders.apply(vo).contains(name))
                .map(Vo::name)
                .toList();
    }

    /** The first VO that has a subject of this name as a member. */
    Optional<Vo> voOf(String subject) {
        return people.vos().stream().filter(v -> v.has(subject)).findFirst();
    }

    private ClassAd context(Subject subject, Set<Role> roles, String operation, Optional<ProtectedResource> object) {
        ClassAd who = ClassAd.EMPTY
                .with("Name", subject.name())
                .with("Kind", subject.kind().name().toLowerCase(Locale.ROOT))
                .with("Roles", list(roles.stream().map(Role::word).toList()))
                .with("Groups", list(subject.groups()))
                .with("Manages", list(vosOf(subject, Vo::managers)))
                .with("Produces", list(vosOf(subject, Vo::productionManagers)))
                .with("Limited", subject.limited());
        var vo = voOf(subject.name());
        ClassAd context = ClassAd.EMPTY
                .with("Subject", record(vo.isPresent() ? who.with("Vo", vo.get().name()) : who))
                .with("Operation", operation);
        return object.isEmpty() ? context : context.with("Object", record(described(object.get(), subject)));
    }

    /** The ad of an object. A rule may compare its owner, as texts, with the subject or with a name in the slash form. */
    private ClassAd described(ProtectedResource object, Subject subject) {
        String owner = object.owner().startsWith("/") ? object.owner() : SubjectName.canonical(object.owner());
        ClassAd ad = ClassAd.EMPTY
                .with("Type", object.type())
                .with("Name", object.name())
                .with("Owner", SubjectName.isSame(owner, subject.name()) ? subject.name() : owner);
        var vo = voOf(object.owner());
        return vo.isPresent() ? ad.with("Vo", vo.get().name()) : ad;
    }

    private static Value record(ClassAd ad) {
        return new Value.Record(Scope.of(ad));
    }

    private static Value list(Collection<String> texts) {
        return Value.ListOf.of(texts.stream().map(Value.Text::of).toList());
    }
}
