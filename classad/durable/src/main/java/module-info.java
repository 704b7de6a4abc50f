/** Small files that survive a crash and a full disk: append log and atomic replace. */
module org.metasched.durable {
    requires static org.jspecify;

    exports org.metasched.durable;
}
