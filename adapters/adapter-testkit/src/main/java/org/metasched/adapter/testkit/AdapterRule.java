package org.metasched.adapter.testkit;

import java.util.ResourceBundle;

/**
 * The rules an adapter keeps, in the order in which the kit checks them. {@code docs/adapter-guide.md} explains each under
 * the same number.
 */
public enum AdapterRule {
    A1(StartRules::neverBefore),
    A2(trial -> trial.stable(StartRules::fixedPoint)),
    A3(trial -> trial.stable(StartRules::neverEarlier)),
    A4(StartRules::neverTooMuch),
    R1(ReservationRules::granted),
    R2(ReservationRules::oneKey),
    R3(ReservationRules::answeredIsFree),
    R4(ReservationRules::notOfferedAgain),
    R5(ReservationRules::refusalLeavesNothing),
    R6(ReservationRules::allOrNothing),
    C1(ReservationRules::cancelTwice),
    C2(ReservationRules::cancelledIsNotHeld),
    S1(LookRules::unknownId),
    S2(LookRules::newIsReserved),
    S3(LookRules::livesItsLife),
    F1(LookRules::foundByKey),
    F2(LookRules::unknownKey),
    W1(trial -> trial.stable(AbilityRules::windowsAgree)),
    W2(AbilityRules::windowsWithin),
    B1(AbilityRules::bindTwice),
    P1(AbilityRules::publishTwice),
    P2(AbilityRules::plainNames),
    M1(AbilityRules::changed),
    M2(AbilityRules::refusedChange),
    J1(trial -> trial.stable(JobRules::oneJob)),
    J2(trial -> trial.stable(JobRules::endsWithItsReservation)),
    J3(JobRules::refusesWhatItCannotBring),
    J4(JobRules::eachProcessOnce),
    J5(JobRules::filesAreTheUsers),
    J6(JobRules::environmentArrives),
    J7(JobRules::runsInItsPlace),
    J8(JobRules::becomesItsUser),
    L1(AbilityRules::loadAddsUp),
    Y1(SiteRules::policyHolds),
    O1(OthersRules::theirsIsNotOffered),
    O2(OthersRules::lostNodesShow),
    Z1(trial -> trial.stable(SiteRules::questionsShareProcesses));

    private static final ResourceBundle TEXTS = ResourceBundle.getBundle(AdapterRule.class.getPackageName() + ".rules");

    final RuleCheck check;

    AdapterRule(RuleCheck check) {
        this.check = check;
    }

    /** The rule's number in the guide, such as {@code A2}. */
    public String id() {
        return name();
    }

    public String title() {
        return TEXTS.getString(name());
    }

    /** Hint for the author of an adapter when the rule fails. */
    public String lookAt() {
        return TEXTS.getString(name() + ".look-at");
    }
}
