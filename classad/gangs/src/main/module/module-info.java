/** Gang matching of ClassAds, and claims of gangs in two phases. */
module org.metasched.classad.gangs {
    requires static org.jspecify;
    requires transitive org.metasched.classad.matching;

    exports org.metasched.classad.claim;
    exports org.metasched.classad.gang;
}
