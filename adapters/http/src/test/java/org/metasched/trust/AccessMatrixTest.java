package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AccessPolicy.Vo;

/** Roles by operations, by the usual rules; drawn into docs/access.md. */
class AccessMatrixTest {

    private static final String MEMBER = "/CN=a member of the VO";
    private static final String OTHER = "/CN=another";

    private final AccessPolicy policy = new AccessPolicy(
            new People(
                    EnumSet.complementOf(EnumSet.of(Role.ANONYMOUS, Role.VO_MANAGER, Role.PRODUCTION_MANAGER)).stream()
                            .collect(Collectors.toMap(Function.identity(), r -> Set.of(name(r)))),
                    List.of(new Vo(
                            "vo",
                            List.of(MEMBER),
                            Set.of(name(Role.VO_MANAGER)),
                            Set.of(name(Role.PRODUCTION_MANAGER)))),
                    false),
            List.of());

    @Test
    void thePictureInTheDocumentsIsTheRules() throws Exception {
        Path document = Path.of(System.getProperty("metasched.root"), "docs", "access.md");
        String begin = "<!-- generated: AccessMatrixTest -->\n";
        String text = Files.readString(document);
        int at = text.indexOf(begin) + begin.length();
        String drawn = text.substring(0, at) + picture() + text.substring(text.indexOf("<!-- end -->"));
        if (Boolean.getBoolean("metasched.write")) {
            Files.writeString(document, drawn);
        }

        assertThat(text)
                .as("docs/access.md; -Dmetasched.write=true draws it anew")
                .isEqualTo(drawn);
    }

    @Test
    void whoProvedNothingSeesHealthServiceDescriptionsPrivateCalendarsAndTheLogInOnly() {
        assertThat(allowedTo(Role.ANONYMOUS))
                .containsOnlyKeys(
                        "GET /health",
                        "GET /health/live",
                        "GET /calendars/*",
                        "GET ?wsdl",
                        "GET /api",
                        "GET /console/login",
                        "POST /console/login");
    }

    @Test
    void onlyOperatorsAndServersTouchWhatIsAnothers() {
        for (var role : Role.values()) {
            var foreign = allowedTo(role).entrySet().stream()
                    .filter(e -> e.getValue().equals("all"))
                    .map(Map.Entry::getKey)
                    .filter(id -> Operation.find(id).orElseThrow().hasObject())
                    .collect(Collectors.toSet());
            switch (role) {
                case OPERATOR -> assertThat(foreign).contains("Agreement/Terminate", "Collector/Advertise");
                case AUDITOR -> assertThat(foreign).allMatch(id -> id.contains("/Get") || id.contains("/Query"));
                case SERVER -> assertThat(foreign).noneMatch(id -> id.startsWith("Collector/"));
                default -> assertThat(foreign).as(role.word()).isEmpty();
            }
        }
    }

    private String picture() {
        var picture = new StringBuilder("| operation |");
        Arrays.stream(Role.values())
                .forEach(r -> picture.append(' ').append(r.word()).append(" |"));
        picture.append("\n|---|").append("---|".repeat(Role.values().length)).append('\n');
        for (var operation : Operation.all()) {
            picture.append("| `").append(operation.id()).append("` |");
            for (var role : Role.values()) {
                picture.append(' ')
                        .append(allowedTo(role).getOrDefault(operation.id(), ""))
                        .append(" |");
            }
            picture.append('\n');
        }
        return picture.toString();
    }

    private Map<String, String> allowedTo(Role role) {
        var subject = role == Role.ANONYMOUS ? Subject.ANONYMOUS : Subject.ofCertificate(name(role));
        var allowed = new LinkedHashMap<String, String>();
        for (var operation : Operation.all()) {
            var on = operation.hasObject() ? List.of(OTHER, MEMBER, subject.name()) : List.of(OTHER);
            for (String owner : on) {
                if (policy.decide(subject, operation.id(), Optional.of(ProtectedResource.agreement("x", owner)))
                        .isAllowed()) {
                    allowed.putIfAbsent(
                            operation.id(),
                            owner.equals(OTHER)
                                    ? operation.hasObject() ? "all" : "✓"
                                    : owner.equals(MEMBER) ? "VO" : "own");
                }
            }
        }
        return allowed;
    }

    private static String name(Role role) {
        return "/CN=" + role.word();
    }
}
