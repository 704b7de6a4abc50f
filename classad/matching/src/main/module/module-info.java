/** Matchmaking of ClassAds: collector, matches, cycles and leases of matches. Indexes are for gang matching only, which is built later. */
@SuppressWarnings("module")
module org.metasched.classad.matching {
    requires static org.jspecify;
    requires transitive org.metasched.classad;
    requires org.metasched.durable;

    exports org.metasched.classad.collector;
    exports org.metasched.classad.cycle;
    exports org.metasched.classad.index to
            org.metasched.classad.gangs;
    exports org.metasched.classad.match;
    exports org.metasched.leases;
}
