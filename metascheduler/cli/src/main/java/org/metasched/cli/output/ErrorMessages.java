package org.metasched.cli.output;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.ConnectionFailure;

/** Errors in the user's words: never the name of a Java class. */
public final class ErrorMessages {

    private static final Map<Class<? extends Exception>, String> KNOWN = Map.of(
            NoSuchFileException.class, "there is no such file",
            AccessDeniedException.class, "the permission is missing",
            FileAlreadyExistsException.class, "it exists already",
            NotDirectoryException.class, "it is not a folder",
            FileSystemLoopException.class, "it is a link to a folder around it",
            DirectoryNotEmptyException.class, "the folder is not empty");
    /** Reason of an error that no message explains. */
    private static final String UNEXPECTED =
            "an unexpected fault of the program; METASCHED_OPTS=-Dmetasched.trace=true shows where";

    private static final String CLASS_NAME = "\\b(?:[a-z]\\w*\\.)+(?:\\w+\\$)?\\w*(?:Exception|Error)\\b(?:: )?";

    private ErrorMessages() {}

    /** The reason of a failure; for a failed access of a file a whole sentence. */
    public static String of(Throwable problem) {
        if (problem instanceof FileSystemException file && file.getReason() == null) {
            return "The file (" + file.getFile() + ") cannot be used: "
                    + known(problem).orElse(UNEXPECTED) + ".";
        }
        if (problem instanceof UnknownHostException) {
            return "the host's name (" + problem.getMessage() + ") is not known";
        }
        if (problem instanceof ConnectException
                || problem instanceof HttpTimeoutException
                || problem instanceof SSLException) {
            return ConnectionFailure.of(problem).reason();
        }
        String text = cleared(problem.getMessage());
        Throwable cause = problem.getCause();
        if (cause instanceof FileSystemException file && text.endsWith(": " + file.getFile())) {
            // The message of such a failure is only the name of the file.
            return text.substring(0, text.length() - file.getFile().length())
                    + known(file).orElse(UNEXPECTED) + ".";
        }
        boolean repeated = cause != null && cause.toString().equals(problem.getMessage());
        if (!text.isEmpty() && !repeated) {
            return text;
        }
        return known(problem).orElseGet(() -> cause == null ? UNEXPECTED : of(cause));
    }

    /** A failure of a file with its name, which that of a full disk lacks. */
    public static IOException named(Path file, IOException problem) {
        return problem instanceof FileSystemException
                ? problem
                : new FileSystemException(file.toString(), null, problem.getMessage());
    }

    /** The text without the names of classes that a library wrote into it. */
    static String cleared(@Nullable String message) {
        return message == null
                ? ""
                : message.replaceAll(" \\((?:" + CLASS_NAME + ")\\)", "")
                        .replaceAll(CLASS_NAME, "")
                        .strip();
    }

    private static Optional<String> known(Throwable problem) {
        return KNOWN.entrySet().stream()
                .filter(known -> known.getKey().isInstance(problem))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
