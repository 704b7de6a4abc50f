package org.metasched.adapter.testkit;

/**
 * The rules an adapter keeps, in the order in which the kit checks them. {@code docs/adapter-guide.md} explains each under
 * the same number.
 */
public enum AdapterRule {
    A1(
            "An answer is never before the time asked",
            "Look at how notBefore is brought into the scheduler's own time: a cut-off second or a wrong zone moves it back."),
    A2(
            "Asking again at the answer gives the same answer",
            "Look for rounding: an answer that is rounded up must be a fixed point, or the search creeps on by one step"
                    + " each round. Book the interval of the grid that covers the request; do not round starts."),
    A3(
            "Later questions never get earlier answers",
            "Look at what is searched from: the search must begin at notBefore, and nothing that ends before it may count."),
    A4(
            "More than the site has is never available",
            "Look at whether the request's size, cores and properties are compared with the whole site before its free slots."),
    R1(
            "What was granted is reported, not what was asked",
            "Look at what reserve returns: it must be read back from the scheduler, not copied from the request."),
    R2(
            "One key, one reservation",
            "Look at how the key reaches the scheduler: as the reservation's name, or in a ledger written before the"
                    + " reservation is made; and at what happens when the name is already there."),
    R3(
            "A start that was answered can be reserved",
            "Look at what earliestStart does not count: reservations of others, limits of a queue, rights of the user."),
    R4(
            "What is reserved is not offered again",
            "Look at whether earliestStart and the free windows count reservations, and not only jobs."),
    R5(
            "A refusal leaves nothing behind",
            "Look at the order of things in reserve: checks come before the scheduler is asked, and what it made is taken back"
                    + " before Refused is thrown."),
    R6(
            "All that was asked is granted, or nothing",
            "Look at what reserve compares after the scheduler said yes: nodes, cores of each, properties, start and end. What is"
                    + " less is given back, and refused."),
    C1(
            "Cancelling twice is not an error",
            "Look at how the scheduler says that a reservation is gone, and take that for done."),
    C2(
            "What is cancelled is not held any more",
            "Look at whether cancel waits until the scheduler has done it, and at how state reads what is gone."),
    S1(
            "An unknown id is an error, not FINISHED",
            "Look at how state reads an empty listing: it means UnknownReservation unless the id was seen before."),
    S2(
            "A new reservation is RESERVED until its slot begins",
            "Look at the table from the scheduler's words to ReservationState, and at the zone of the printed times."),
    S3(
            "A reservation becomes ACTIVE and then FINISHED",
            "Look at how state decides when the scheduler has forgotten a reservation whose end has passed."),
    F1("A reservation is found by its key", "Look at find: after a lost answer the key is all that is left."),
    F2(
            "An unknown key finds nothing",
            "Look at find: nothing is an empty Optional, neither an exception nor the reservation of another user."),
    W1(
            "The free windows agree with earliestStart",
            "Look at both: they must come from one profile, with the same end of the look-ahead."),
    W2("The free windows stay within the span asked", "Look at how the first and the last window are cut."),
    B1("Binding nodes can be repeated", "Look at bind: the same nodes again are not an error."),
    P1(
            "Publishing is accepted, and replaces what had the same name",
            "Look at where publish writes, and whether it may overwrite."),
    P2(
            "A published name is a plain file name",
            "Look at publish: '..', '/' and an empty name must be refused before anything is written."),
    M1(
            "A changed reservation holds what was asked, under its id and key",
            "Look at change: what the scheduler made of it must be read back, and the reservation must not be made anew."),
    M2(
            "A change that is refused leaves the reservation as it was",
            "Look at change: what is more than the site has is refused before the old is given up."),
    J1(
            "A job handed over twice is one job",
            "Look at how a job is found before it is handed over: by its name at the scheduler, and by what its directory"
                    + " says; and at two calls at the same time."),
    J2(
            "A job ends with its reservation",
            "Look at what cancel does with jobs that wait in the reservation, and at how the state of one that is gone is read."),
    J3(
            "A program whose files cannot be brought is refused with the offer",
            "Look at check: every transfer must be one that the site's settings allow."),
    J4(
            "Each process of a program runs once, on several nodes and several on a node",
            "Look at the launcher: found on the job's path, started on hosts and not on virtual nodes, once for each rank."),
    J5(
            "A program's files are apart from the adapter's",
            "Look at the directory in which it runs, and at how an output with an absolute path is opened."),
    J6(
            "A program gets the environment that it was given",
            "Look at how variables reach the process: quoting, lengths, and a TZ that the adapter or the scheduler sets."),
    J7(
            "A program runs in its slot, in a directory of its own and in the site's zone",
            "Look at when a job may begin, as whom its directory is made, and at the zone, also as TZ spells it."),
    J8(
            "What becomes its user leaves a program's words alone, and nothing of the adapter's behind",
            "Look at become: runuser and wrappers keep HOME and LOGNAME, sudo drops variables, and a login shell (sudo -i) reads"
                    + " the words again."),
    L1(
            "The load adds up",
            "Look at which nodes are counted: the free ones are among the total, and nothing is negative."),
    Y1(
            "What a policy forbids is neither offered nor granted",
            "Look at where the policy is asked: by earliestStart, the free windows and reserve alike, and the refusal says why."),
    O1(
            "What others have is not offered",
            "Look at which of the scheduler's records take nodes: jobs without a limit, arrays, reservations of cores, of others and"
                    + " recurring ones; and whether one that is odd blocks its own nodes only."),
    O2(
            "A lost node shows in its reservation, which can still be cancelled",
            "Look at how state compares the nodes of a reservation with those that work, and whether cancel needs to understand it."),
    Z1(
            "Questions share the processes that answer them",
            "Look at what is read for each question and each state: one listing an interval serves all of them.");

    private final String title;
    private final String lookAt;

    AdapterRule(String title, String lookAt) {
        this.title = title;
        this.lookAt = lookAt;
    }

    /** The rule's number in the guide, such as {@code A2}. */
    public String id() {
        return name();
    }

    public String title() {
        return title;
    }

    /** Hint for the author of an adapter when the rule fails. */
    public String lookAt() {
        return lookAt;
    }
}
