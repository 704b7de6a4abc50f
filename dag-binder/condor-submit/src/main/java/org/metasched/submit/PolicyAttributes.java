package org.metasched.submit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.classad.Binary;
import org.metasched.classad.Conditional;
import org.metasched.classad.Expr;

/** Policy of the job: hold, retries, removal, notification, signals, rank. */
final class PolicyAttributes extends AttributeGroup {

    /** Notifications by number. */
    private static final List<String> NOTIFICATIONS = List.of("never", "always", "complete", "error");

    /** Signals by number, without the SIG that each begins with. */
    private static final List<String> SIGNALS = List.of(
            "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
            "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM",
            "PROF", "WINCH", "IO", "PWR", "SYS");

    PolicyAttributes(AdMaker maker) {
        super(maker);
    }

    void status() throws SubmitException {
        boolean hold = settings.truth(false, "hold");
        // Status 5 is held, 1 is idle; reason 15 is a hold at submission.
        ad.put("JobStatus", hold ? 5 : 1);
        if (hold) {
            ad.put("HoldReasonCode", 15);
            ad.putString("HoldReason", "submitted on hold at user's request");
        }
    }

    void notification() throws SubmitException {
        String how = settings.get("notification", "JobNotification").orElse("never");
        int code = NOTIFICATIONS.indexOf(how.toLowerCase(Locale.ROOT));
        settings.refuseIf(code < 0, "notification", "Notification must be 'Never', 'Always', 'Complete', or 'Error'");
        ad.put("JobNotification", code);
    }

    void rank() throws SubmitException {
        ad.put("Rank", "0.0");
        maker.expressionIf("Rank", "rank", "preferences");
    }

    void periodic() throws SubmitException {
        SimpleCommands.PERIODIC.apply(maker);
        ad.put("LeaveJobInQueue", false);
        maker.expressionIf("LeaveJobInQueue", "leave_in_queue", "LeaveJobInQueue");
    }

    void retries() throws SubmitException {
        Optional<Long> most = settings.integer("max_retries", "JobMaxRetries");
        Optional<Long> success = settings.integer("success_exit_code", "JobSuccessExitCode");
        Optional<String> until = settings.get("retry_until");
        if (most.isEmpty() && success.isEmpty() && until.isEmpty()) {
            maker.expressionIf("OnExitRemove", "on_exit_remove", "OnExitRemove");
            maker.expressionIf("OnExitHold", "on_exit_hold", "OnExitHold");
            return;
        }
        ad.put("JobMaxRetries", most.orElse(2L));
        ad.put("OnExitHold", false);
        maker.expressionIf("OnExitHold", "on_exit_hold", "OnExitHold");
        StringBuilder remove = new StringBuilder("NumJobCompletions > JobMaxRetries || ExitCode =?= ");
        success.ifPresent(code -> ad.put("JobSuccessExitCode", code));
        remove.append(success.isPresent() ? "JobSuccessExitCode" : "0");
        if (until.isPresent()) {
            remove.append(" || ").append(futility(until.get()));
        }
        Optional<String> own = settings.get("on_exit_remove", "OnExitRemove");
        if (own.isPresent()) {
            Expr expr = SubmitExpressions.parse(own.get())
                    .orElseThrow(() -> settings.error(
                            "on_exit_remove",
                            "on_exit_remove=" + own.get() + " is invalid, it must be a boolean expression."));
            remove.append(" || ").append(wrappedForOr(expr));
        }
        maker.expression("OnExitRemove", "retry_until", remove.toString());
    }

    /** The clause of {@code retry_until}: an exit code after which attempts are pointless, or an expression that is true then. */
    private String futility(String until) throws SubmitException {
        Optional<Expr> expr = SubmitExpressions.parse(until);
        if (expr.isEmpty()) {
            throw settings.error(
                    "retry_until",
                    "retry_until=" + until + " is invalid, it must be an integer or boolean expression.");
        }
        boolean constant = SubmitExpressions.machineReferences(expr.get()).isEmpty();
        Optional<Long> code = constant ? SubmitNumbers.integer(until) : Optional.empty();
        return code.map(c -> "ExitCode =?= " + c).orElseGet(() -> wrappedForOr(expr.get()));
    }

    /** The text of an operand of {@code ||}; only a conditional binds less and needs parentheses. */
    private static String wrappedForOr(Expr expr) {
        return expr instanceof Conditional ? "(" + SubmitExpressions.print(expr) + ")" : SubmitExpressions.print(expr);
    }

    /** The text of an operand of {@code &&}; conditionals and {@code ||} bind less and need parentheses. */
    static String wrappedForAnd(Expr expr) {
        boolean loose = expr instanceof Conditional
                || (expr instanceof Binary binary
                        && binary.operator().toString().equals("||"));
        return loose ? "(" + SubmitExpressions.print(expr) + ")" : SubmitExpressions.print(expr);
    }

    void signals() throws SubmitException {
        Optional<String> kill = signal("kill_sig", "KillSig");
        if (kill.isPresent()) {
            ad.putString("KillSig", kill.get());
        } else if (!maker.universe.is(Universe.VANILLA)) {
            ad.putString("KillSig", "SIGTERM");
        }
        signal("remove_kill_sig", "RemoveKillSig").ifPresent(name -> ad.putString("RemoveKillSig", name));
        signal("hold_kill_sig", "HoldKillSig").ifPresent(name -> ad.putString("HoldKillSig", name));
        settings.get("kill_sig_timeout", "KillSigTimeout")
                .ifPresent(seconds ->
                        ad.put("KillSigTimeout", SubmitNumbers.integer(seconds).orElse(0L)));
    }

    private Optional<String> signal(String key, String attribute) throws SubmitException {
        Optional<String> given = settings.get(key, attribute);
        if (given.isEmpty()) {
            return given;
        }
        String text = given.get().strip().toUpperCase(Locale.ROOT);
        boolean named = text.startsWith("SIG");
        int number = text.matches("\\d{1,2}") ? Integer.parseInt(text) : named ? SIGNALS.indexOf(text.substring(3)) : 0;
        if (number > 0 && number < SIGNALS.size()) {
            return Optional.of("SIG" + SIGNALS.get(number));
        }
        throw settings.error(key, "invalid signal " + given.get().strip());
    }
}
