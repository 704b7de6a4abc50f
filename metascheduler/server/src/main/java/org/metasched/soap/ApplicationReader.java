package org.metasched.soap;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Limit;
import org.metasched.adapter.Program.Transfer;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * Reader of the program in a term's job description: a POSIX, HPC profile or SPMD application, and the files it needs. An element that would not
 * be carried out is refused by its name; none is passed over.
 */
final class ApplicationReader {

    private static final Map<String, Limit> LIMITS = Map.of(
            "CPUTimeLimit", Limit.CPU_TIME,
            "FileSizeLimit", Limit.FILE_SIZE,
            "CoreDumpLimit", Limit.CORE_DUMP,
            "DataSegmentLimit", Limit.DATA_SEGMENT,
            "StackSizeLimit", Limit.STACK_SIZE,
            "LockedMemoryLimit", Limit.LOCKED_MEMORY,
            "MemoryLimit", Limit.MEMORY,
            "VirtualMemoryLimit", Limit.VIRTUAL_MEMORY,
            "OpenDescriptorsLimit", Limit.OPEN_DESCRIPTORS,
            "ProcessCountLimit", Limit.PROCESS_COUNT);

    /** Elements that are read with the resources and the length of the term. */
    private static final Set<String> READ_ELSEWHERE =
            Set.of("WallTimeLimit", "NumberOfProcesses", "ProcessesPerHost", "SPMDVariation");

    private static final Set<String> WORDS_FOR_PEOPLE = Set.of("ApplicationName", "ApplicationVersion", "Description");
    private static final String REFUSED = ", which no site here does";

    private final Element description;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<Limit, Long> limits = new EnumMap<>(Limit.class);
    private Optional<Duration> together = Optional.empty();
    private int processes = 1;
    private int processesPerNode;

    private ApplicationReader(Element description) {
        this.description = description;
    }

    /**
     * @param description {@code jsdl:JobDescription}, or another element without an application
     * @throws InvalidOfferException when it has an element that no site carries out, or contradicts itself
     */
    static Optional<Program> read(Element description) {
        return new ApplicationReader(description).read();
    }

    private Optional<Program> read() {
        if (description.getLocalName().equals("Resources")) {
            return Optional.empty();
        }
        refuseOthers(description, Set.of("JobIdentification", "Application", "Resources", "DataStaging"));
        XmlTrees.child(description, XmlNames.JSDL, "Application").ifPresent(this::readApplication);
        var transfers = transfers();
        if (!texts.containsKey("Executable")) {
            refuseWithoutProgram(transfers);
            return Optional.empty();
        }
        return Optional.of(new Program(
                texts.get("Executable"),
                arguments,
                environment,
                text("WorkingDirectory"),
                text("Input"),
                text("Output"),
                text("Error"),
                processes,
                processesPerNode,
                limits,
                transfers,
                together,
                List.of()));
    }

    private void refuseWithoutProgram(List<Transfer> transfers) {
        boolean describesJob = !texts.isEmpty() || !arguments.isEmpty() || !environment.isEmpty() || !limits.isEmpty();
        if (describesJob || !transfers.isEmpty()) {
            throw new InvalidOfferException(
                    "it describes a job without a program: Executable is missing, and no site here knows applications"
                            + " by their names.");
        }
    }

    private Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name)).filter(text -> !text.isEmpty());
    }

    private void readApplication(Element application) {
        boolean isRead = false;
        for (var element : XmlTrees.children(application)) {
            boolean isPosix = XmlTrees.is(element, XmlNames.JSDL_POSIX, "POSIXApplication");
            boolean isSpmd = XmlTrees.is(element, XmlNames.JSDL_SPMD, "SPMDApplication");
            boolean isHpc = element.getLocalName().equals("HPCProfileApplication")
                    && XmlNames.JSDL_HPC.contains(String.valueOf(element.getNamespaceURI()));
            if (isPosix || isSpmd || isHpc) {
                if (isRead) {
                    throw new InvalidOfferException("it describes its program twice.");
                }
                isRead = true;
                XmlTrees.children(element).forEach(this::readProperty);
            } else if (XmlTrees.is(element, XmlNames.METASCHED, "Together")) {
                together = Optional.of(Duration.ofSeconds(ResourceTerm.positive(XmlTrees.text(element))));
            } else if (!XmlNames.JSDL.equals(element.getNamespaceURI())
                    || !WORDS_FOR_PEOPLE.contains(element.getLocalName())) {
                throw refused("asks for", element);
            }
            if (isSpmd) {
                readProcesses(element);
            }
        }
    }

    private void readProperty(Element element) {
        String name = element.getLocalName();
        if (element.hasAttribute("filesystemName")) {
            throw new InvalidOfferException("its " + name + " names a file system ("
                    + element.getAttribute("filesystemName") + "), and no site here names any.");
        }
        switch (name) {
            case "Argument" -> arguments.add(element.getTextContent());
            case "Environment" -> environment.put(element.getAttribute("name"), element.getTextContent());
            case "Executable", "WorkingDirectory", "Input", "Output", "Error" ->
                texts.put(name, XmlTrees.text(element));
            default -> {
                if (LIMITS.containsKey(name)) {
                    limits.put(LIMITS.get(name), (long) ResourceTerm.positive(XmlTrees.text(element)));
                } else if (!READ_ELSEWHERE.contains(name) && !isUnset(element)) {
                    throw refused("asks for", element);
                }
            }
        }
    }

    /** Whether an element asks for nothing: the number of threads is the program's own affair, within the cores of its nodes. */
    private static boolean isUnset(Element element) {
        return element.getLocalName().equals("ThreadsPerProcess")
                && (XmlTrees.text(element).isEmpty()
                        || element.getAttribute("actualIndividualCPUCount").equals("true"));
    }

    private void readProcesses(Element spmd) {
        processes = number(spmd, "NumberOfProcesses").orElse(1);
        processesPerNode = number(spmd, "ProcessesPerHost").orElse(0);
    }

    /** The number in an element of a parallel application; empty where the element is missing or empty. */
    static Optional<Integer> number(Element spmd, String name) {
        return XmlTrees.childText(spmd, XmlNames.JSDL_SPMD, name)
                .filter(number -> !number.isEmpty())
                .map(ResourceTerm::positive);
    }

    private List<Transfer> transfers() {
        return XmlTrees.children(description, XmlNames.JSDL, "DataStaging")
                .map(ApplicationReader::transfer)
                .toList();
    }

    private static Transfer transfer(Element staging) {
        refuseOthers(staging, Set.of("FileName", "CreationFlag", "DeleteOnTermination", "Source", "Target"));
        String name = XmlTrees.childText(staging, XmlNames.JSDL, "FileName").orElse("");
        String flag = XmlTrees.childText(staging, XmlNames.JSDL, "CreationFlag").orElse("");
        return new Transfer(
                name,
                place(staging, "Source"),
                place(staging, "Target"),
                flag.equals("append"),
                flag.equals("dontOverwrite"),
                XmlTrees.childText(staging, XmlNames.JSDL, "DeleteOnTermination")
                        .filter(word -> word.equals("true") || word.equals("1"))
                        .isPresent());
    }

    /** @param end Source or Target */
    private static Optional<URI> place(Element staging, String end) {
        var element = XmlTrees.child(staging, XmlNames.JSDL, end);
        if (element.isEmpty()) {
            return Optional.empty();
        }
        refuseOthers(element.get(), Set.of("URI"));
        String text = XmlTrees.childText(element.get(), XmlNames.JSDL, "URI").orElse("");
        try {
            return Optional.of(URI.create(text)).filter(URI::isAbsolute).or(() -> {
                throw new InvalidOfferException("its " + end + " (" + text + ") must be a URI with a scheme.");
            });
        } catch (IllegalArgumentException e) {
            throw new InvalidOfferException("its " + end + " (" + text + ") is not a URI.");
        }
    }

    private static void refuseOthers(Element parent, Set<String> understood) {
        for (var element : XmlTrees.children(parent)) {
            if (!XmlNames.JSDL.equals(element.getNamespaceURI()) || !understood.contains(element.getLocalName())) {
                throw refused("says", element);
            }
        }
    }

    private static InvalidOfferException refused(String how, Element element) {
        return new InvalidOfferException("it " + how + " " + element.getLocalName() + REFUSED + ".");
    }
}
