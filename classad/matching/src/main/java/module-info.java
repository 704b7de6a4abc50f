/** Matchmaking with ClassAds: explanations, collector, fair-share cycle, leases on matches. The indexes are for gang matching, too. */
module org.metasched.classad.matching {
    requires transitive org.metasched.classad;
    requires org.metasched.durable;
    requires static org.jspecify;

    exports org.metasched.classad.collector;
    exports org.metasched.classad.cycle;
    exports org.metasched.classad.index to
            org.metasched.classad.gangs;
    exports org.metasched.classad.match;
    exports org.metasched.leases;
}
