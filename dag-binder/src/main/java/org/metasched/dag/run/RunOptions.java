package org.metasched.dag.run;

/**
 * Options of a run beside those in the DAG's files; the names are those of condor_dagman.
 *
 * @param alwaysRunPost whether a POST script runs even if the PRE script failed
 * @param tolerance number of procs of a node that may fail, unless the node sets it
 * @param maxJobs number of nodes that may have jobs at once; 0 for any number
 * @param depthFirst whether nodes that become ready go in front
 * @param retryNodeFirst whether retries go in front
 * @param resetRetries whether retries begin anew after a rescue
 */
public record RunOptions(
        boolean alwaysRunPost,
        int tolerance,
        int maxJobs,
        boolean depthFirst,
        boolean retryNodeFirst,
        boolean resetRetries) {

    /** condor_dagman's defaults. */
    public static final RunOptions DEFAULT = new RunOptions(false, 0, 0, false, false, true);

    /** Reads the text of {@link #toString}; that of an older version has only {@code maxJobs}. */
    public static RunOptions parse(String text) {
        String[] words = (text.contains(" ") ? text : text + " 0 false false false true").split(" ");
        return new RunOptions(
                Boolean.parseBoolean(words[2]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[0]),
                Boolean.parseBoolean(words[3]),
                Boolean.parseBoolean(words[4]),
                Boolean.parseBoolean(words[5]));
    }

    @Override
    public String toString() {
        return maxJobs + " " + tolerance + " " + alwaysRunPost + " " + depthFirst + " " + retryNodeFirst + " "
                + resetRetries;
    }
}
