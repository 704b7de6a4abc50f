package org.metasched.submit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.classad.Binary;
import org.metasched.classad.Conditional;
import org.metasched.classad.Expr;

/** What becomes of the job: hold, retries, removal, notification, signals, rank. */
final class PolicyAttributes extends AttributeGroup {

    private static final List<String> SIGNALS = List.of(
            "",
            "SIGHUP",
            "SIGINT",
            "SIGQUIT",
            "SIGILL",
            "SIGTRAP",
            "SIGABRT",
            "SIGBUS",
            "SIGFPE",
            "SIGKILL",
            "SIGUSR1",
            "SIGSEGV",
            "SIGUSR2",
            "SIGPIPE",
            "SIGALRM",
            "SIGTERM",
            "SIGSTKFLT",
            "SIGCHLD",
            "SIGCONT",
            "SIGSTOP",
            "SIGTSTP",
            "SIGTTIN",
            "SIGTTOU",
            "SIGURG",
            "SIGXCPU",
            "SIGXFSZ",
            "SIGVTALRM",
            "SIGPROF",
            "SIGWINCH",
            "SIGIO",
            "SIGPWR",
            "SIGSYS");

    PolicyAttributes(AdMaker maker) {
        super(maker);
    }

    void status() throws SubmitException {
        boolean hold = settings.truth(false, "hold");
        ad.put("JobStatus", hold ? 5 : 1);
        if (hold) {
            ad.put("HoldReasonCode", 15);
            ad.putString("HoldReason", "submitted on hold at user's request");
        }
    }

    void notification() throws SubmitException {
        String how = settings.get("notification", "JobNotification").orElse("never");
        switch (how.toLowerCase(Locale.ROOT)) {
            case "never" -> ad.put("JobNotification", 0);
            case "always" -> ad.put("JobNotification", 1);
            case "complete" -> ad.put("JobNotification", 2);
            case "error" -> ad.put("JobNotification", 3);
            default ->
                throw settings.error("notification", "Notification must be 'Never', 'Always', 'Complete', or 'Error'");
        }
    }

    void rank() throws SubmitException {
        Optional<String> rank = settings.get("rank", "preferences");
        if (rank.isPresent()) {
            maker.expression("Rank", "rank", rank.get());
        } else {
            ad.put("Rank", "0.0");
        }
    }

    void periodic() throws SubmitException {
        maker.expressionIf("PeriodicHold", "periodic_hold", "PeriodicHold");
        maker.expressionIf("PeriodicHoldReason", "periodic_hold_reason", "PeriodicHoldReason");
        maker.expressionIf("PeriodicHoldSubCode", "periodic_hold_subcode", "PeriodicHoldSubCode");
        maker.expressionIf("PeriodicRelease", "periodic_release", "PeriodicRelease");
        maker.expressionIf("PeriodicRemove", "periodic_remove", "PeriodicRemove");
        maker.expressionIf("PeriodicVacate", "periodic_vacate", "PeriodicVacate");
        maker.expressionIf("OnExitHoldReason", "on_exit_hold_reason", "OnExitHoldReason");
        maker.expressionIf("OnExitHoldSubCode", "on_exit_hold_subcode", "OnExitHoldSubCode");
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
        if (success.isPresent()) {
            ad.put("JobSuccessExitCode", success.get());
            remove.append("JobSuccessExitCode");
        } else {
            remove.append('0');
        }
        if (until.isPresent()) {
            remove.append(" || ").append(futility(until.get()));
        }
        Optional<String> own = settings.get("on_exit_remove", "OnExitRemove");
        if (own.isPresent()) {
            Expr expr = Expressions.parse(own.get())
                    .orElseThrow(() -> settings.error(
                            "on_exit_remove",
                            "on_exit_remove=" + own.get() + " is invalid, it must be a boolean expression."));
            remove.append(" || ").append(wrappedForOr(expr));
        }
        maker.expression("OnExitRemove", "retry_until", remove.toString());
    }

    /** {@code retry_until} is an exit code that makes further attempts pointless, or an expression that says so. */
    private String futility(String until) throws SubmitException {
        Optional<Expr> expr = Expressions.parse(until);
        if (expr.isEmpty()) {
            throw settings.error(
                    "retry_until",
                    "retry_until=" + until + " is invalid, it must be an integer or boolean expression.");
        }
        boolean constant = Expressions.machineReferences(expr.get()).isEmpty();
        Optional<Long> code = constant ? Numbers.integer(until) : Optional.empty();
        return code.map(c -> "ExitCode =?= " + c).orElseGet(() -> wrappedForOr(expr.get()));
    }

    /** Only a conditional binds less than {@code ||}. */
    private static String wrappedForOr(Expr expr) {
        return expr instanceof Conditional ? "(" + Expressions.print(expr) + ")" : Expressions.print(expr);
    }

    /** Conditionals and {@code ||} bind less than {@code &&}. */
    static String wrappedForAnd(Expr expr) {
        boolean loose = expr instanceof Conditional
                || (expr instanceof Binary binary
                        && binary.operator().toString().equals("||"));
        return loose ? "(" + Expressions.print(expr) + ")" : Expressions.print(expr);
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
        Optional<String> timeout = settings.get("kill_sig_timeout", "KillSigTimeout");
        if (timeout.isPresent()) {
            ad.put("KillSigTimeout", Numbers.integer(timeout.get()).orElse(0L));
        }
    }

    private Optional<String> signal(String key, String attribute) throws SubmitException {
        Optional<String> given = settings.get(key, attribute);
        if (given.isEmpty()) {
            return given;
        }
        String text = given.get().strip();
        if (text.matches("\\d{1,2}")) {
            int number = Integer.parseInt(text);
            if (number > 0 && number < SIGNALS.size()) {
                return Optional.of(SIGNALS.get(number));
            }
        } else if (SIGNALS.contains(text.toUpperCase(Locale.ROOT))) {
            return Optional.of(text.toUpperCase(Locale.ROOT));
        }
        throw settings.error(key, "invalid signal " + text);
    }
}
