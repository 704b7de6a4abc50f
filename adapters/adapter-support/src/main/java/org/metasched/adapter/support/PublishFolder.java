package org.metasched.adapter.support;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.RuntimeSupport;

/**
 * Run-time information for a compute site, as files in a folder that its jobs can read:
 * {@code FOLDER/RESERVATION/NAME}. Written where the site's commands run, so also over ssh, and complete before it has its
 * name. {@code bind} leaves the addresses of the nodes, one a line, in {@code bound-nodes}. Thread-safe.
 */
public final class PublishFolder implements RuntimeSupport {

    private static final int LONGEST = 1 << 20;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:%-]{0,252}");

    private final CommandRunner runner;
    private final String folder;

    /** @param folder an absolute path at the site */
    public PublishFolder(CommandRunner runner, String folder) {
        if (!folder.startsWith("/")) {
            throw new IllegalArgumentException("The folder (" + Shown.of(folder) + ") must be an absolute path.");
        }
        this.runner = runner;
        this.folder = folder;
    }

    @Override
    public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
        for (String address : nodeAddresses) {
            if (!ADDRESS.matcher(address).matches()) {
                throw new Refused("The node address (" + Shown.of(address) + ") is not a host name or IP address.");
            }
        }
        publish(id, "bound-nodes", String.join("\n", nodeAddresses) + "\n");
    }

    @Override
    public void publish(ReservationId id, String name, String content) throws LocalSchedulerException {
        if (!NAME.matcher(name).matches()) {
            throw new Refused("The file name (" + Shown.of(name)
                    + ") must be 1 to 100 letters, digits, '_', '.' or '-', and not begin with a dot or hyphen.");
        }
        if (content.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new Refused("The file " + name + " is longer than " + LONGEST + " bytes.");
        }
        String into = folder + "/" + folderName(id);
        must(runner.run(List.of("mkdir", "-p", into)));
        String unfinished = into + "/." + name + ".unfinished";
        must(runner.run(List.of("tee", unfinished), content));
        must(runner.run(List.of("mv", "-f", unfinished, into + "/" + name)));
    }

    /** An id that is no safe file name is written with its odd characters in hexadecimal. */
    static String folderName(ReservationId id) {
        var name = new StringBuilder();
        for (byte b : id.value().getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-' || (c == '.' && !name.isEmpty()));
            name.append(plain ? String.valueOf(c) : String.format("_%02x", (int) c));
        }
        return name.charAt(0) == '-' ? "_2d" + name.substring(1) : name.toString();
    }

    private void must(CommandResult result) throws Misconfigured {
        if (!result.ok()) {
            throw new Misconfigured("Site " + runner.site() + " cannot publish into " + folder + ": " + result.words()
                    + ".\nMaybe the adapter's account may not write there.");
        }
    }
}
