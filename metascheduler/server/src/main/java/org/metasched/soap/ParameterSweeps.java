package org.metasched.soap;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Program;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The sweeps of a job definition (JSDL Parameter Sweep 1.0, GFD.149). The assignments of a sweep advance together; the sweeps in it run for each
 * of their values, one after another. The definition is copied, and the number of instances and the length of their text are bounded before the
 * first instance is made. Targets are named by simple location paths of XPath, each of which is followed once, in time linear in the document.
 */
final class ParameterSweeps {

    private static final String SWEEP = "http://schemas.ogf.org/jsdl/2009/03/sweep";
    private static final String FUNCTIONS = SWEEP + "/functions";
    /** Characters of the descriptions of all instances. */
    private static final long MOST_TEXT = 2L << 20;
    /** Values of all assignments. */
    private static final int MOST_VALUES = 100 * Program.MOST;

    private static final Pattern STEP = Pattern.compile("\\G(?:^|(//?))(?:([\\w.-]+):)?([\\w.-]+|\\*)"
            + "(?:\\[(?:([1-9]\\d{0,8})|@([\\w.-]+)\\s*=\\s*(?:'([^']*)'|\"([^\"]*)\"))])?");
    /** Elements that are the same for all instances of a program: the reservation, and properties of all its processes. */
    private static final Set<String> SHARED =
            Set.of("WallTimeLimit", "NumberOfProcesses", "ProcessesPerHost", "Together");

    private final Document document = XmlTrees.newDocument();
    private final List<Sweep> sweeps;
    private int valueCount;

    /** The values of one assignment, and the elements whose text they become. */
    private record Assignment(List<Element> targets, List<String> values) {}

    private record Sweep(List<Assignment> assignments, List<Sweep> inner) {

        long instances() {
            long each = inner.isEmpty() ? 1 : sum(inner);
            return Math.min(Integer.MAX_VALUE, each * assignments.get(0).values.size());
        }

        static long sum(List<Sweep> sweeps) {
            return sweeps.stream().mapToLong(Sweep::instances).sum();
        }

        /** Runs the instance with each value in its targets, and puts back their text at the end. */
        void run(Runnable instance) {
            var before = new LinkedHashMap<Element, String>();
            assignments.forEach(a -> a.targets.forEach(target -> before.put(target, target.getTextContent())));
            for (int i = 0; i < assignments.get(0).values.size(); i++) {
                for (var assignment : assignments) {
                    String value = assignment.values.get(i);
                    assignment.targets.forEach(target -> target.setTextContent(value));
                }
                if (inner.isEmpty()) {
                    instance.run();
                }
                inner.forEach(sweep -> sweep.run(instance));
            }
            before.forEach(Element::setTextContent);
        }
    }

    private ParameterSweeps(Element definition) {
        XmlTrees.adopt(document, definition);
        this.sweeps = sweepsIn(definition);
        long instances = Sweep.sum(sweeps);
        long length = instances * XmlTrees.print(description()).length();
        if (instances > Program.MOST || length > MOST_TEXT) {
            throw new InvalidOfferException("its Sweep comes to " + instances + " instances and " + length
                    + " characters; at most " + Program.MOST + " instances and " + MOST_TEXT + " characters are run.");
        }
    }

    static boolean isSweep(Element element) {
        return XmlTrees.is(element, SWEEP, "Sweep");
    }

    /**
     * Hands the job description of each instance to a consumer, which must read it at once: it is the same element each time.
     *
     * @param definition {@code jsdl:JobDefinition}, which stays as it is
     * @throws InvalidOfferException when a sweep cannot be read, or would change more than a program
     */
    static void expand(Element definition, Consumer<Element> instance) {
        var all = new ParameterSweeps(definition);
        all.sweeps.forEach(sweep -> sweep.run(() -> instance.accept(all.description())));
    }

    private Element description() {
        return XmlTrees.child(document.getDocumentElement(), XmlNames.JSDL, "JobDescription")
                .orElseThrow(() -> new InvalidOfferException("it has no JobDescription."));
    }

    private List<Sweep> sweepsIn(Element parent) {
        return XmlTrees.children(parent, SWEEP, "Sweep").map(this::sweep).toList();
    }

    private Sweep sweep(Element sweep) {
        var assignments = XmlTrees.children(sweep).stream()
                .filter(child -> !isSweep(child))
                .map(this::assignment)
                .toList();
        var sizes = assignments.stream().map(a -> a.values.size()).distinct().toList();
        if (sizes.size() != 1) {
            throw new InvalidOfferException(
                    "the assignments of a Sweep must have the same number of values, not " + sizes + ".");
        }
        return new Sweep(assignments, sweepsIn(sweep));
    }

    private Assignment assignment(Element assignment) {
        if (!XmlTrees.is(assignment, SWEEP, "Assignment")) {
            throw notDone(assignment);
        }
        var targets = new ArrayList<Element>();
        var values = new ArrayList<String>();
        for (var child : XmlTrees.children(assignment)) {
            if (XmlTrees.is(child, SWEEP, "DocumentNode")) {
                targets.addAll(targets(child));
            } else {
                values.addAll(values(child));
                if (valueCount + values.size() > MOST_VALUES) {
                    throw new InvalidOfferException(
                            "the assignments of its Sweep have more than " + MOST_VALUES + " values together.");
                }
            }
        }
        valueCount += values.size();
        if (targets.isEmpty() || values.isEmpty()) {
            throw new InvalidOfferException(
                    "an Assignment of its Sweep must have a DocumentNode and values, such as LoopInteger.");
        }
        return new Assignment(targets, values);
    }

    private static InvalidOfferException notDone(Element element) {
        return new InvalidOfferException("its Sweep says " + element.getLocalName()
                + ", which is not done; understood are Assignment, DocumentNode, Values, LoopInteger and LoopDouble.");
    }

    private static List<String> values(Element function) {
        if (XmlTrees.is(function, FUNCTIONS, "Values")) {
            return XmlTrees.children(function, FUNCTIONS, "Value")
                    .map(Element::getTextContent)
                    .toList();
        } else if (!XmlTrees.is(function, FUNCTIONS, "LoopInteger")
                && !XmlTrees.is(function, FUNCTIONS, "LoopDouble")) {
            throw notDone(function);
        }
        var step = attribute(function, "step").map(ParameterSweeps::number).orElse(BigDecimal.ONE);
        var start = number(attribute(function, "start").orElse(""));
        var end = number(attribute(function, "end").orElse(""));
        if (step.signum() == 0) {
            throw new InvalidOfferException("the step of its " + function.getLocalName() + " must not be 0.");
        }
        var exceptions = XmlTrees.children(function, FUNCTIONS, "Exception")
                .map(exception -> number(attribute(exception, "value").orElseGet(() -> XmlTrees.text(exception))))
                .map(BigDecimal::stripTrailingZeros)
                .collect(Collectors.toSet());
        return Stream.iterate(start, at -> at.subtract(end).signum() * step.signum() <= 0, at -> at.add(step))
                .limit(Program.MOST + exceptions.size() + 1L)
                .filter(at -> !exceptions.contains(at.stripTrailingZeros()))
                .map(BigDecimal::toPlainString)
                .toList();
    }

    /** The value of an attribute, which is written with or without the prefix of its namespace. */
    private static Optional<String> attribute(Element element, String name) {
        return Stream.of(element.getAttribute(name), element.getAttributeNS(FUNCTIONS, name))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    private static BigDecimal number(String text) {
        if (!text.matches("[+-]?\\d{1,18}(\\.\\d{1,18})?")) {
            throw new InvalidOfferException(
                    "a number of its Sweep (" + DisplayText.of(text) + ") must be a decimal, without an exponent.");
        }
        return new BigDecimal(text);
    }

    private List<Element> targets(Element parameter) {
        String path = XmlTrees.childText(parameter, SWEEP, "Match").orElse("");
        Collection<Node> selected = List.of(path.startsWith("/") ? document : document.getDocumentElement());
        var step = STEP.matcher(path.replaceFirst("/text\\(\\)$", ""));
        int end = 0;
        for (; step.find(); end = step.end()) {
            selected = "//".equals(step.group(1)) ? descendants(selected) : selected;
            var next = new LinkedHashSet<Node>();
            for (Node node : selected) {
                next.addAll(matching(node, step.toMatchResult(), parameter));
            }
            selected = next;
        }
        if (end < step.regionEnd() || selected.isEmpty()) {
            throw new InvalidOfferException(
                    "the Match of its Sweep (" + DisplayText.of(path)
                            + ") must be a path of element names with prefixes, [n] and [@name='...'], that selects a node of the offer.");
        }
        return selected.stream().map(this::changeable).toList();
    }

    private static Collection<Node> descendants(Collection<Node> nodes) {
        var all = new LinkedHashSet<Node>();
        nodes.forEach(node -> addTree(node, all));
        return all;
    }

    private static void addTree(Node node, Set<Node> all) {
        if (all.add(node)) {
            XmlTrees.children(node).forEach(child -> addTree(child, all));
        }
    }

    private static List<Element> matching(Node node, MatchResult step, Element parameter) {
        String namespace = step.group(2) == null ? null : namespace(parameter, step.group(2));
        String wanted = step.group(6) == null ? step.group(7) : step.group(6);
        var named = XmlTrees.children(node).stream()
                .filter(child -> step.group(3).equals("*")
                        || (step.group(3).equals(child.getLocalName())
                                && Objects.equals(namespace, child.getNamespaceURI())))
                .filter(child -> step.group(5) == null
                        || child.getAttribute(step.group(5)).equals(wanted))
                .toList();
        if (step.group(4) == null) {
            return named;
        }
        int number = Integer.parseInt(step.group(4));
        return number > named.size() ? List.of() : List.of(named.get(number - 1));
    }

    private static String namespace(Element parameter, String prefix) {
        return XmlTrees.children(parameter, SWEEP, "NamespaceBinding")
                .filter(binding -> binding.getAttribute("prefix").equals(prefix))
                .map(binding -> binding.getAttribute("ns"))
                .findFirst()
                .or(() -> Optional.ofNullable(parameter.lookupNamespaceURI(prefix)))
                .orElseThrow(() -> new InvalidOfferException("the prefix (" + DisplayText.of(prefix)
                        + ") in the Match of its Sweep has no NamespaceBinding."));
    }

    private Element changeable(Node target) {
        var ancestors = new HashSet<String>();
        for (Node node = target.getParentNode(); node instanceof Element parent; node = parent.getParentNode()) {
            ancestors.add(parent.getLocalName());
        }
        if (!(target instanceof Element element)
                || !XmlTrees.children(target).isEmpty()
                || SHARED.contains(target.getLocalName())
                || (!ancestors.contains("Application") && !ancestors.contains("DataStaging"))) {
            throw new InvalidOfferException("its Sweep changes " + target.getLocalName()
                    + "; what can be swept is the text of elements in Application and DataStaging, but " + SHARED
                    + ".");
        }
        return element;
    }
}
