/** Files that survive a crash: an append log, atomic replacement, locks. */
module org.metasched.durable {
    requires static org.jspecify;

    exports org.metasched.durable;
}
