package org.metasched.agreement.making;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.RequestedPart;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/** Asks sites whether they would run the program of a part, before anything is reserved. Thread-safe. */
record ProgramAdmission(SiteCalls calls) {

    /** The reasons of sites that would not run the program of a part, by site. A site that does not answer counts as willing. */
    Map<SiteId, String> objections(RequestedPart part, Collection<SiteId> sites) throws InterruptedException {
        var objections = new LinkedHashMap<SiteId, String>();
        if (part.program().isEmpty()) {
            return objections;
        }
        var asked = sites.stream()
                .filter(site -> calls.directory().find(site).isPresent())
                .distinct()
                .toList();
        var answers = calls.askAll(asked.stream()
                .map(site -> new Call<>(site, scheduler -> check(scheduler, part)))
                .toList());
        for (int i = 0; i < asked.size(); i++) {
            var site = asked.get(i);
            answers.get(i)
                    .<Optional<String>>fold(
                            fine -> Optional.empty(),
                            problem -> problem.isUnanswered()
                                    ? Optional.empty()
                                    : Optional.ofNullable(problem.getMessage()))
                    .ifPresent(why -> objections.put(site, "Term " + part.term() + ": " + why));
        }
        return objections;
    }

    private static boolean check(LocalScheduler site, RequestedPart part) throws LocalSchedulerException {
        var starter = site.jobStarter()
                .orElseThrow(() -> new Refused("Site " + site.site()
                        + " runs no programs: it only reserves.\nMaybe its configuration lacks 'programs:'."));
        starter.check(part.program().orElseThrow(), part.request().requester());
        return true;
    }
}
