package org.metasched.agreement.guarantee;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.ServiceTermState;

/**
 * The language in which offers state qualifying conditions, service level objectives and the values of compensations.
 * Evaluation is bounded, has no effects and never throws. Thread-safe.
 */
public interface ServiceLevels {

    /** Facts that expressions may use: counts over the parts in the term's scope, and times in seconds since 1970. */
    Set<String> FACTS = Set.of(("Now Start End Parts HeldParts ActiveParts EndedParts LostParts SilentParts AgreedNodes"
                    + " Nodes LostNodes RunningPrograms EndedPrograms FailedPrograms")
            .split(" "));

    /** Reference of an expression to the state of a service term, by the term's name as a text. */
    Pattern SERVICE_STATE = Pattern.compile("(?i)ServiceState\\s*\\(\\s*\"((?:[^\"\\\\]|\\\\.)*+)\"\\s*\\)");

    /** An expression in which each {@link #SERVICE_STATE} is replaced by the word of that state, as a text. */
    static String withStates(String expression, Function<String, ServiceTermState> states) {
        return SERVICE_STATE
                .matcher(expression)
                .replaceAll(named -> "\"" + states.apply(termIn(named)).term() + "\"");
    }

    /** The name of the term in a match of {@link #SERVICE_STATE}, without its escapes. */
    static String termIn(MatchResult named) {
        return named.group(1).replaceAll("\\\\(.)", "$1");
    }

    /**
     * Checks the expressions of a term.
     *
     * @throws IllegalArgumentException when one of them cannot be evaluated, with its place and the reason
     */
    void check(GuaranteeTerm term);

    /** Whether an expression holds; empty if its value is neither true nor false for these facts. */
    Optional<Boolean> holds(String expression, Map<String, Long> facts);

    /** Value of an expression; 0 if it is no finite number. */
    double value(String expression, Map<String, Long> facts);
}
