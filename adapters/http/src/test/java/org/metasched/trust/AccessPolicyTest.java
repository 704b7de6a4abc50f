package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AccessPolicy.Vo;
import org.metasched.trust.Subject.Action;
import org.metasched.trust.Subject.Kind;

class AccessPolicyTest {

    private static final String END = "Agreement/Terminate";
    private static final Subject ALICE = Subject.ofCertificate("/O=Grid/CN=Alice");
    private static final Subject BOB = Subject.ofCertificate("/O=Grid/CN=Bob");

    @Test
    void auditorsAndSitesAreNoUsersUnlessTheyAreNamed() {
        for (var role : List.of(Role.AUDITOR, Role.SITE)) {
            var policy = new AccessPolicy(
                    new AccessPolicy.People(Map.of(role, Set.of("/CN=other")), List.of(), false), List.of());

            assertThat(policy.rolesOf(Subject.ofCertificate("/CN=other"))).containsExactly(role);
            assertThat(policy.rolesOf(Subject.ofCertificate("/CN=anybody"))).containsExactly(Role.USER);
        }
    }

    @Test
    void anInitiatorEndsItsOwnAgreementsAndNoOthers() {
        var policy = policy();

        assertThat(policy.decide(ALICE, END, of(ALICE)).isAllowed()).isTrue();
        assertThat(policy.decide(ALICE, END, of(BOB)).isAllowed()).isFalse();
        assertThat(policy.decide(ALICE, END, of(Subject.ofCertificate("/O=GRID/CN=ALICE")))
                        .isAllowed())
                .as("ClassAd's == takes them for the same")
                .isFalse();
        assertThat(policy.decide(ALICE, END, Optional.empty()).isAllowed())
                .as("at the door nothing is known of the object")
                .isTrue();
        assertThat(policy.decide(Subject.ANONYMOUS, END, Optional.empty()).isAllowed())
                .isFalse();
    }

    @Test
    void aSubjectIsTheSameHoweverItIsWritten() {
        var people = new People(
                Map.of(Role.OPERATOR, Set.of("CN=Olga, O=Grid"), Role.AUDITOR, Set.of("https://issuer.example,CN=7")),
                List.of(new Vo("guests", List.of("*,O=Elsewhere"), Set.of("cn=Bob,o=Grid"), Set.of())),
                false);
        var own = new AccessRule(
                "out", false, Set.of(Role.USER), List.of("*"), Optional.of("Object.Owner =?= \"/O=Elsewhere/CN=Y\""));
        var policy = new AccessPolicy(people, List.of(own));

        assertThat(policy.rolesOf(Subject.ofCertificate("/O=Grid/CN=Olga"))).contains(Role.OPERATOR);
        assertThat(policy.rolesOf(BOB)).contains(Role.VO_MANAGER);
        assertThat(policy.rolesOf(Subject.ofCertificate("/CN=7/O=https://issuer.example")))
                .doesNotContain(Role.AUDITOR);
        assertThat(policy.decide(ALICE, END, of(Subject.ofPassword("CN=Alice,O=Grid")))
                        .isAllowed())
                .isTrue();
        var foreign = of(Subject.ofPassword("CN=X,O=Elsewhere"));
        assertThat(policy.decide(BOB, END, foreign).rule()).startsWith("managers of a VO");
        assertThat(policy.decide(BOB, END, of(Subject.ofPassword("CN=Y,O=Elsewhere")))
                        .rule())
                .isEqualTo("out");
    }

    @Test
    void managersOfAVoHaveRightsOnTheirMembersAgreementsOnly() {
        var vo = new Vo("cms", List.of("/O=Grid/CN=A*"), Set.of(BOB.name()), Set.of("/O=Grid/CN=Prod"));
        var policy = new AccessPolicy(new People(Map.of(), List.of(vo), false), List.of());
        var prod = Subject.ofCertificate("/O=Grid/CN=Prod");

        assertThat(policy.rolesOf(BOB)).contains(Role.VO_MANAGER);
        assertThat(policy.decide(BOB, END, of(ALICE)).isAllowed()).isTrue();
        assertThat(policy.decide(BOB, END, of(prod)).isAllowed()).isFalse();
        assertThat(policy.decide(prod, END, of(ALICE)).isAllowed()).isFalse();
        assertThat(policy.decide(prod, "Agreement/GetResourceProperty", of(ALICE))
                        .isAllowed())
                .isTrue();
    }

    @Test
    void aRuleThatDeniesGoesFirstAndHoldsUnlessItsConditionIsFalse() {
        var no = new AccessRule(
                "closed for Bob",
                false,
                Set.of(Role.USER),
                List.of("Agreement*"),
                Optional.of("Subject.Name =?= \"/O=Grid/CN=Bob\""));
        var slip = new AccessRule("slip", false, Set.of(Role.USER), List.of(END), Optional.of("Subject.Nmae == \"x\""));

        var policy = policy(no);
        assertThat(policy.decide(BOB, "Agreement/Destroy", of(BOB))).satisfies(d -> {
            assertThat(d.isAllowed()).isFalse();
            assertThat(d.rule()).isEqualTo("closed for Bob");
        });
        assertThat(policy.decide(ALICE, "Agreement/Destroy", of(ALICE)).isAllowed())
                .isTrue();
        assertThat(policy(slip).decide(ALICE, END, of(ALICE)).isAllowed()).isFalse();
    }

    @Test
    void aTokenDoesWhatItsCapabilitiesSayAndAGroupWhatItsRolesSay() {
        var operators = Map.of(Role.OPERATOR, Set.of("https://i,x", "group:/vo/ops"));
        var policy = new AccessPolicy(new People(operators, List.of(), false), List.of());

        assertThat(policy.decide(token(List.of(), EnumSet.of(Action.READ), true), END, of(ALICE))
                        .isAllowed())
                .as("an operator's token that may read only")
                .isFalse();
        assertThat(policy.decide(token(List.of(), Set.of(), true), "GET /metrics", Optional.empty())
                        .isAllowed())
                .as("a token for storage")
                .isFalse();
        var grouped = new Subject(Kind.TOKEN, "https://i,y", List.of("/vo/ops"), Set.of(), false, false);
        assertThat(policy.decide(grouped, END, of(ALICE)).isAllowed()).isTrue();
        var plain = new Subject(Kind.TOKEN, "https://i,y", List.of("/vo"), Set.of(), false, false);
        assertThat(policy.rolesOf(plain)).containsExactly(Role.ANONYMOUS);
    }

    @Test
    void aRuleThatCannotBeReadIsRefused() {
        assertThatThrownBy(
                        () -> policy(new AccessRule("r", true, Set.of(), List.of("Agreement/Ends"), Optional.empty())))
                .hasMessageContaining("Agreement/Ends");
        assertThatThrownBy(() -> policy(new AccessRule("r", true, Set.of(), List.of(END), Optional.of("Subject."))))
                .hasMessageContaining("no ClassAd expression");
        assertThat(policy().decide(ALICE, "Agreement/New", of(ALICE)).rule()).contains("no rule for this operation");
    }

    private static Subject token(List<String> groups, Set<Action> actions, boolean byCapability) {
        return new Subject(Kind.TOKEN, "https://i,x", groups, actions, byCapability, false);
    }

    private static AccessPolicy policy(AccessRule... rules) {
        return new AccessPolicy(People.CLOSED, List.of(rules));
    }

    private static Optional<ProtectedResource> of(Subject owner) {
        return Optional.of(ProtectedResource.agreement("a", owner.name()));
    }
}
