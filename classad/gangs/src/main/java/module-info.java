/** Gang matching with ClassAds, and claiming what was matched. */
module org.metasched.classad.gangs {
    requires transitive org.metasched.classad.matching;
    requires static org.jspecify;

    exports org.metasched.classad.claim;
    exports org.metasched.classad.gang;
}
