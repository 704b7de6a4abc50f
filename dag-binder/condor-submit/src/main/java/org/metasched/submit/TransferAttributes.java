package org.metasched.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The files that are transferred with the job and back, and the time of the transfer. */
final class TransferAttributes extends AttributeGroup {

    TransferAttributes(AdMaker maker) {
        super(maker);
    }

    void sizes() throws SubmitException {
        if (!maker.universe.is(Universe.VM)) {
            String command = ad.string("Cmd").orElse("");
            boolean file = !command.isEmpty() && !maker.universe.executableIsOnlyAName();
            ad.put("ExecutableSize", file ? maker.kibibytes(maker.inJobDirectory(command)) : 0);
        }
        Optional<String> size = settings.get("image_size", "ImageSize");
        if (size.isPresent()) {
            long kibibytes = SubmitNumbers.bytes(size.get(), 1024).orElse(0L);
            settings.refuseIf(kibibytes < 1, "image_size", "Image Size must be positive");
            ad.put("ImageSize", kibibytes);
        } else {
            ad.put("ImageSize", ad.get("ExecutableSize").orElse("0"));
        }
    }

    void apply() throws SubmitException {
        List<String> inputs = files("transfer_input_files", "TransferInputFiles");
        boolean inputsNamed = !inputs.isEmpty();
        long kibibytes = 0;
        for (String input : inputs) {
            kibibytes += maker.kibibytes(maker.inJobDirectory(input));
        }
        if (maker.universe.container() && image(inputs)) {
            inputsNamed = true;
        }
        if (!ad.get("TransferIn").filter("false"::equals).isPresent()) {
            kibibytes += maker.kibibytes(maker.inJobDirectory(ad.string("In").orElse("")));
        }
        Optional<String> outputText = settings.get("transfer_output_files", "TransferOutputFiles");
        List<String> outputs = files("transfer_output_files", "TransferOutputFiles");
        boolean none = outputText.filter("\"\""::equals).isPresent();

        Modes modes = modes(inputsNamed, none || !outputs.isEmpty());
        ad.putString("ShouldTransferFiles", modes.should);
        boolean transfers = !modes.should.equals("NO");
        kibibytes += transfers ? toolFiles(inputs) : 0;
        checkExecutable(transfers);
        if (transfers) {
            ad.putString("WhenToTransferOutput", modes.when);
        }
        if (maker.universe.is(Universe.JAVA) && transfers) {
            javaFiles(inputs);
        }
        usage(kibibytes);
        if (transfers) {
            if (inputsNamed) {
                ad.putString("TransferInput", String.join(",", inputs));
            }
            if (none || !outputs.isEmpty()) {
                ad.putString("TransferOutput", String.join(",", outputs));
            }
        }
        remaps();
    }

    /** Adds a tool that runs beside the job, and its input, to the files to be transferred; returns their size in KiB. */
    private long toolFiles(List<String> inputs) {
        long kibibytes = 0;
        Optional<String> tool = ad.string("ToolDaemonCmd");
        Optional<String> input = tool.isEmpty() ? tool : ad.string("ToolDaemonInput");
        for (Optional<String> file : List.of(tool, input)) {
            if (file.isPresent() && !inputs.contains(file.get())) {
                inputs.add(file.get());
                kibibytes += maker.kibibytes(maker.inJobDirectory(file.get()));
            }
        }
        return kibibytes;
    }

    private void checkExecutable(boolean transfers) throws SubmitException {
        Universe universe = maker.universe;
        boolean concerns = !universe.is(Universe.GRID) && !universe.is(Universe.JAVA) && !universe.is(Universe.VM);
        settings.refuseIf(
                !transfers && concerns && settings.truth(false, "transfer_executable", "TransferExecutable"),
                "transfer_executable",
                "You explicitly requested that the executable be transfered, but for this to work, you must"
                        + " enable Condor's file transfer functionality.");
    }

    private List<String> files(String... names) throws SubmitException {
        return new ArrayList<>(
                settings.get(names).map(AdMaker::unquoted).map(AdMaker::list).orElse(List.of()));
    }

    /** Adds a container image to the input files unless every machine has it or fetches it; returns whether it did. */
    private boolean image(List<String> inputs) throws SubmitException {
        Optional<String> given =
                settings.get("container_image", "ContainerImage").map(AdMaker::unquoted);
        boolean isLocal = ad.get("TransferContainer").filter("false"::equals).isPresent();
        if (isLocal || given.filter(image -> image.startsWith("/cvmfs")).isPresent()) {
            ad.putString("ContainerImageSource", "local");
            return false;
        }
        if (given.isEmpty()) {
            return false;
        }
        String image = given.get();
        for (String fetched : List.of("docker", "oras")) {
            if (image.startsWith(fetched + "://")) {
                ad.putString("ContainerImageSource", fetched);
                return false;
            }
        }
        inputs.add(image);
        String name = image.endsWith("/") ? image.substring(0, image.length() - 1) : image;
        ad.putString("ContainerImage", name.substring(name.lastIndexOf('/') + 1));
        ad.putString("ContainerImageFullPath", AdMaker.isUrl(image) ? image : maker.inJobDirectory(image));
        int colon = name.indexOf(':');
        ad.putString("ContainerImageSource", colon < 0 ? "cedar" : name.substring(0, colon));
        return true;
    }

    private record Modes(String should, String when) {}

    private Modes modes(boolean inputsNamed, boolean outputsNamed) throws SubmitException {
        boolean vm = maker.universe.is(Universe.VM);
        Optional<String> shouldGiven =
                vm ? Optional.of("YES") : settings.get("ShouldTransferFiles", "should_transfer_files");
        // Files of virtual machines are always transferred, whatever the description says.
        Optional<String> whenGiven = vm
                ? Optional.of(ad.isTrue("JobVMCheckpoint") ? "ON_EXIT_OR_EVICT" : "ON_EXIT")
                : settings.get("WhenToTransferOutput", "when_to_transfer_output");
        String should = should(shouldGiven.orElse("IF_NEEDED"));
        String when = when(whenGiven.orElse("ON_EXIT"));
        if (should.equals("NO")) {
            refuseNamed(inputsNamed, outputsNamed);
        }
        if (whenGiven.isEmpty() && should.equals("NO")) {
            return new Modes("NO", "NEVER");
        }
        if (should.equals("NO") != when.equals("NEVER")) {
            throw settings.error(
                    "when_to_transfer_output",
                    "WhenToTransferOutput specified as " + when
                            + " yet ShouldTransferFiles defined as " + should
                            + ".  Please remove this contradiction from your submit file and try again.");
        }
        if (when.equals("ON_EXIT_OR_EVICT") && should.equals("IF_NEEDED")) {
            settings.refuseIf(
                    shouldGiven.isPresent(),
                    "when_to_transfer_output",
                    "\"when_to_transfer_output = ON_EXIT_OR_EVICT\" and"
                            + " \"should_transfer_files = IF_NEEDED\" are incompatible.");
            should = "YES";
        }
        return new Modes(should, when);
    }

    private void refuseNamed(boolean inputs, boolean outputs) throws SubmitException {
        if (inputs || outputs) {
            String named = inputs
                    ? "\"transfer_input_files\"" + (outputs ? " and \"transfer_output_files\"" : "")
                    : "\"transfer_output_files\"";
            throw settings.error(
                    "should_transfer_files",
                    "you specified files you want Condor to transfer via " + named
                            + ", but you disabled should_transfer_files.");
        }
    }

    private String should(String text) throws SubmitException {
        return switch (text.strip().toUpperCase(Locale.ROOT)) {
            case "YES", "TRUE", "ALWAYS" -> "YES";
            case "NO", "FALSE", "NEVER" -> "NO";
            case "IF_NEEDED", "AUTO", "AUTOMATIC" -> "IF_NEEDED";
            default ->
                throw settings.error(
                        "should_transfer_files",
                        "invalid value (" + text
                                + ") for ShouldTransferFiles.  Please either specify YES, NO, or IF_NEEDED and try again.");
        };
    }

    private String when(String text) throws SubmitException {
        String upper = text.strip().toUpperCase(Locale.ROOT);
        if (!List.of("ON_EXIT", "ON_EXIT_OR_EVICT", "ON_SUCCESS", "NEVER").contains(upper)) {
            throw settings.error(
                    "when_to_transfer_output",
                    "invalid value (" + text
                            + ") for WhenToTransferOutput.  Please either specify ON_EXIT, or ON_EXIT_OR_EVICT and try again.");
        }
        return upper;
    }

    /** Adds the class and its archives to the input files; like condor, the caller uses these only if the user named others. */
    private void javaFiles(List<String> inputs) {
        String command = ad.string("Cmd").orElse("java");
        if (!command.equals("java") && !inputs.contains(command)) {
            inputs.add(command);
        }
        inputs.addAll(AdMaker.list(ad.string("JarFiles").orElse("")));
        ad.putString("Cmd", "java");
        ad.put("TransferExecutable", false);
    }

    private void usage(long inputs) throws SubmitException {
        Optional<String> given = settings.get("disk_usage", "DiskUsage");
        if (given.isPresent()) {
            long kibibytes = SubmitNumbers.bytes(given.get(), 1024).orElse(0L);
            if (kibibytes < 1) {
                throw settings.error(
                        "disk_usage", "'" + given.get() + "' is not valid for disk_usage. It must be >= 1");
            }
            ad.put("DiskUsage", kibibytes);
            return;
        }
        long total = Long.parseLong(ad.get("ExecutableSize").orElse("0")) + inputs;
        ad.put("TransferInputSizeMB", (total + 1023) / 1024);
        ad.put("DiskUsage", total);
    }

    private void remaps() throws SubmitException {
        Optional<String> remaps = settings.get("transfer_output_remaps", "TransferOutputRemaps");
        if (remaps.isEmpty()) {
            return;
        }
        String text = remaps.get();
        if (text.length() < 2 || !text.startsWith("\"") || !text.endsWith("\"")) {
            throw settings.error(
                    "transfer_output_remaps", "transfer_output_remaps must be a quoted string, not: " + text);
        }
        if (text.length() > 2) {
            ad.putString("TransferOutputRemaps", text.substring(1, text.length() - 1));
        }
    }
}
