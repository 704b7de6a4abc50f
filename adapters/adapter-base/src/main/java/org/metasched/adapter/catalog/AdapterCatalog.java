package org.metasched.adapter.catalog;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;

/**
 * The adapters on the class path and in the jars of one folder. All jars of the folder share one class loader, so that an adapter
 * may bring a library. A jar that cannot be used is a {@link #problems problem} and does not hide the others. Close it when no
 * scheduler made from it is in use any more.
 */
public final class AdapterCatalog implements AutoCloseable {

    /** Number of failures after which loading ends, since an iterator may repeat its error forever. */
    private static final int MOST_BROKEN = 1000;

    private final Map<String, LocalSchedulerFactory> factories = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Optional<URLClassLoader> jars;

    private AdapterCatalog(Optional<URLClassLoader> jars) {
        this.jars = jars;
    }

    /** The adapters on the class path alone. */
    public static AdapterCatalog ofClassPath() {
        return open(Optional.empty());
    }

    /**
     * The adapters on the class path and in a folder.
     *
     * @param folder folder of jars
     * @throws InvalidSettingException if the folder cannot be read
     */
    public static AdapterCatalog open(Optional<Path> folder) {
        ClassLoader here = AdapterCatalog.class.getClassLoader();
        List<URL> urls = folder.map(AdapterCatalog::jarsIn).orElse(List.of());
        Optional<URLClassLoader> loader = urls.isEmpty()
                ? Optional.empty()
                : Optional.of(new URLClassLoader("adapters", urls.toArray(URL[]::new), here));
        var catalog = new AdapterCatalog(loader);
        catalog.load(loader.<ClassLoader>map(jars -> jars).orElse(here));
        return catalog;
    }

    /**
     * The folder under the key {@code adapters} of a file; empty if the key is missing.
     *
     * @throws InvalidSettingException with the place in the file, if there is no such folder
     */
    public static Optional<Path> folderIn(Settings file) {
        var folder = file.path("adapters");
        folder.ifPresent(named ->
                file.refuseIf(!Files.isDirectory(named), "adapters", "expected a folder that exists, not (%s)", named));
        return folder;
    }

    private static List<URL> jarsIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            var urls = new ArrayList<URL>();
            for (Path jar :
                    files.filter(f -> f.toString().endsWith(".jar")).sorted().toList()) {
                urls.add(jar.toUri().toURL());
            }
            return urls;
        } catch (IOException e) {
            throw new InvalidSettingException(folder + ": the folder of adapters cannot be read: " + e.getMessage());
        }
    }

    private void load(ClassLoader loader) {
        var providers = ServiceLoader.load(LocalSchedulerFactory.class, loader).iterator();
        int broken = 0;
        while (broken < MOST_BROKEN) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                add(providers.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken++;
                problems.add("An adapter cannot be used: " + DisplayText.of(String.valueOf(e.getMessage()), 300));
            }
        }
    }

    private void add(LocalSchedulerFactory factory) {
        LocalSchedulerFactory known = factories.putIfAbsent(factory.type(), factory);
        if (known != null && known.getClass() != factory.getClass()) {
            problems.add("Two adapters are called '" + factory.type() + "': " + origin(known) + " is used and "
                    + origin(factory) + " is not.");
        }
    }

    private static String origin(LocalSchedulerFactory factory) {
        var source = factory.getClass().getProtectionDomain().getCodeSource();
        return factory.getClass().getName() + (source == null ? "" : " from " + source.getLocation());
    }

    /** The types of the adapters, in alphabetical order. */
    public List<String> types() {
        return List.copyOf(factories.keySet());
    }

    /** Problems of the adapters that were found, a sentence each. */
    public List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    /** The adapter of a type; empty if there is none. */
    public Optional<LocalSchedulerFactory> find(String type) {
        return Optional.ofNullable(factories.get(type));
    }

    @Override
    public void close() {
        jars.ifPresent(loader -> {
            try {
                loader.close();
            } catch (IOException e) {
                problems.add("The folder of adapters cannot be closed: " + e.getMessage());
            }
        });
    }
}
