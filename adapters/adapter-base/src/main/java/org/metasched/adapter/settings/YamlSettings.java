package org.metasched.adapter.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.ResourceText;
import org.metasched.adapter.Settings;
import org.metasched.adapter.text.DurationText;
import org.metasched.adapter.text.NearestKey;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of a YAML 1.2 file, with the place of every key. Files are bounded (1 MiB, 20 collection aliases), a key that occurs twice is
 * an error, and tags construct no types. Thread-safe.
 */
public final class YamlSettings implements Settings {

    private static final int LONGEST_FILE = 1 << 20;

    private static final String NOT_UTF_8 = ":1:1: the file is UTF-16, or no text; UTF-8 is expected";
    private static final int MOST_ALIASES = 20;
    /** Most levels of nesting. */
    private static final int DEEPEST = 30;

    private static final String DURATION = "a duration such as 30s, 2h or PT30S";

    private final String file;
    private final MappingNode mapping;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    /** One set for all mappings of the file. */
    private final Set<Path> secretFiles;

    private YamlSettings(String file, MappingNode mapping, Set<Path> secretFiles) {
        this.file = file;
        this.mapping = mapping;
        this.secretFiles = secretFiles;
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw problem(entry.getKeyNode(), "a key must be a plain text");
            }
            if (entries.put(key.getValue(), entry) != null) {
                throw problem(key, "the key '" + DisplayText.of(key.getValue()) + "' stands here a second time");
            }
        }
    }

    /**
     * Reads a file.
     *
     * @throws InvalidSettingException when the file is missing, too long or not a YAML mapping
     */
    public static YamlSettings read(Path file) {
        try {
            if (Files.size(file) > LONGEST_FILE) {
                throw new InvalidSettingException(file + ":1:1: the file is longer than " + LONGEST_FILE + " bytes");
            }
            return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (java.nio.file.NoSuchFileException e) {
            throw new InvalidSettingException(file + ":1:1: there is no such file");
        } catch (CharacterCodingException e) {
            throw new InvalidSettingException(file + NOT_UTF_8);
        } catch (IOException | UncheckedIOException e) {
            throw new InvalidSettingException(file + ":1:1: the file cannot be read: " + e.getMessage());
        }
    }

    /** Settings from a resource beside a class. */
    public static YamlSettings resource(Class<?> beside, String name) {
        return parse(name, ResourceText.of(beside, name));
    }

    /**
     * Reads settings from a text.
     *
     * @param name name in messages, in place of a file name
     */
    public static YamlSettings parse(String name, String yaml) {
        if (yaml.length() > LONGEST_FILE) {
            throw new InvalidSettingException(name + ":1:1: the text is longer than " + LONGEST_FILE + " characters");
        }
        if (yaml.indexOf('\0') >= 0) {
            throw new InvalidSettingException(name + NOT_UTF_8);
        }
        var settings = LoadSettings.builder()
                .setLabel(name)
                .setAllowDuplicateKeys(false)
                .setAllowRecursiveKeys(false)
                .setMaxAliasesForCollections(MOST_ALIASES)
                .setCodePointLimit(LONGEST_FILE)
                .build();
        try {
            Node root = new Compose(settings)
                    .composeString(yaml)
                    .orElseThrow(() -> new InvalidSettingException(name + ":1:1: the file is empty"));
            if (!(root instanceof MappingNode mapping)) {
                throw new InvalidSettingException(place(name, root) + ": expected a mapping of settings");
            }
            checkDepth(name, root, 0);
            return new YamlSettings(name, mapping, new ConcurrentSkipListSet<>());
        } catch (MarkedYamlEngineException e) {
            String where = e.getProblemMark()
                    .map(mark -> name + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                    .orElse(name + ":1:1");
            throw new InvalidSettingException(
                    where + ": this is not YAML: " + DisplayText.lines(String.valueOf(e.getProblem())));
        } catch (YamlEngineException e) {
            throw new InvalidSettingException(
                    name + ":1:1: this is not YAML: " + DisplayText.lines(String.valueOf(e.getMessage())));
        }
    }

    private static void checkDepth(String name, Node node, int depth) {
        if (depth > DEEPEST) {
            throw new InvalidSettingException(place(name, node) + ": nested deeper than " + DEEPEST + " levels");
        }
        if (node instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                checkDepth(name, entry.getValueNode(), depth + 1);
            }
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> checkDepth(name, item, depth + 1));
        }
    }

    @Override
    public String where() {
        return place(file, mapping);
    }

    @Override
    public Set<String> keys() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    @Override
    public Optional<String> text(String key) {
        return value(key).map(node -> scalar(key, node, "a text"));
    }

    @Override
    public Optional<Path> secretFile(String key) {
        Optional<Path> named = Settings.super.secretFile(key);
        named.ifPresent(secretFiles::add);
        return named;
    }

    /** The files of secrets that were read as such so far, from any mapping of the same file. */
    public Set<Path> secretFiles() {
        return Collections.unmodifiableSet(secretFiles);
    }

    @Override
    public Optional<Integer> number(String key) {
        return value(key).map(node -> {
            String text = scalar(key, node, "a whole number").replace("_", "");
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException e) {
                throw wrongType(key, node, "a whole number");
            }
        });
    }

    @Override
    public Optional<Boolean> flag(String key) {
        return value(key).map(node -> switch (scalar(key, node, "true or false").toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrongType(key, node, "true or false");
        });
    }

    @Override
    public Optional<Duration> duration(String key) {
        return value(key)
                .map(node -> DurationText.read(scalar(key, node, DURATION))
                        .orElseThrow(() -> wrongType(key, node, DURATION)));
    }

    @Override
    public List<String> texts(String key) {
        return value(key)
                .map(node -> node instanceof SequenceNode sequence
                        ? sequence.getValue().stream()
                                .map(item -> scalar(key, item, "a list of texts"))
                                .toList()
                        : List.of(scalar(key, node, "a text or a list of texts")))
                .orElse(List.of());
    }

    @Override
    public Optional<Settings> section(String key) {
        return value(key).map(node -> mapping(key, node, "a mapping"));
    }

    @Override
    public List<Settings> sections(String key) {
        String expected = "a list of mappings";
        return value(key)
                .map(node -> {
                    if (node instanceof SequenceNode sequence) {
                        return sequence.getValue().stream()
                                .map(item -> mapping(key, item, expected))
                                .toList();
                    }
                    throw wrongType(key, node, expected);
                })
                .orElse(List.of());
    }

    private Settings mapping(String key, Node node, String expected) {
        if (node instanceof MappingNode inner) {
            return new YamlSettings(file, inner, secretFiles);
        }
        throw wrongType(key, node, expected);
    }

    @Override
    public void allowOnly(Set<String> known) {
        for (Map.Entry<String, NodeTuple> entry : entries.entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw problem(
                        entry.getValue().getKeyNode(),
                        "there is no setting '" + DisplayText.of(entry.getKey()) + "' here; known are "
                                + new TreeSet<>(known).stream().collect(Collectors.joining(", "))
                                + NearestKey.hint(entry.getKey(), known));
            }
        }
    }

    /**
     * The content of the mapping without some keys, in maps and lists; equal for mappings that differ in these keys alone.
     *
     * @param keys paths of keys, such as {@code security.rules}; the items of a list have the path of the list
     */
    public Object without(Set<String> keys) {
        return plain(mapping, "", keys);
    }

    private static Object plain(Node node, String path, Set<String> keys) {
        if (node instanceof MappingNode mapping) {
            var plain = new HashMap<Object, Object>();
            for (NodeTuple entry : mapping.getValue()) {
                Object key = plain(entry.getKeyNode(), "", Set.of());
                String below = path.isEmpty() ? key.toString() : path + "." + key;
                if (!keys.contains(below)) {
                    plain.put(key, plain(entry.getValueNode(), below, keys));
                }
            }
            return plain;
        }
        return node instanceof SequenceNode sequence
                ? sequence.getValue().stream()
                        .map(item -> plain(item, path, keys))
                        .toList()
                : ((ScalarNode) node).getValue();
    }

    @Override
    public InvalidSettingException invalid(String key, String problem) {
        String where = value(key).map(node -> place(file, node)).orElse(where());
        return new InvalidSettingException(where + ": " + key + ": " + problem);
    }

    private Optional<Node> value(String key) {
        NodeTuple entry = entries.get(key);
        return entry == null ? Optional.empty() : Optional.of(entry.getValueNode());
    }

    private String scalar(String key, Node node, String expected) {
        if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        throw wrongType(key, node, expected);
    }

    private InvalidSettingException wrongType(String key, Node node, String expected) {
        String shown = switch (node.getNodeType()) {
            case SCALAR -> "(" + DisplayText.of(((ScalarNode) node).getValue()) + ")";
            case SEQUENCE -> "a list";
            case MAPPING -> "a mapping";
            case ANCHOR -> "an anchor";
        };
        return new InvalidSettingException(
                place(file, node) + ": the setting '" + key + "' must be " + expected + ", not " + shown);
    }

    private InvalidSettingException problem(Node node, String problem) {
        return new InvalidSettingException(place(file, node) + ": " + problem);
    }

    private static String place(String file, Node node) {
        return node.getStartMark()
                .map(mark -> file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse(file);
    }
}
