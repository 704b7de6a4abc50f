package org.metasched.overview;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A page of a list of which a person may see a part.
 *
 * @param next key after which more may come; empty with the last page
 */
public record ListPage<T, K>(List<T> shown, Optional<K> next) {

    /** Least number of entries of a read, after a first one that did not fill the page. */
    private static final int STEP = 200;

    /**
     * Reads entries until a page is full of those that the person may see, or the list ends.
     *
     * @param after key of the last entry of the page before
     * @param most entries on a page, at most
     * @param mostReads reads, at most; after so many the page may be short, or empty, and not the last
     * @param read reader of at least so many entries after a key, or of all that are left
     */
    public static <T, K> ListPage<T, K> of(
            Optional<K> after,
            int most,
            int mostReads,
            BiFunction<Optional<K>, Integer, List<T>> read,
            Function<T, K> key,
            Predicate<T> mayBeSeen) {
        List<T> shown = new ArrayList<>();
        Optional<K> last = after;
        for (int i = 0; i < mostReads; i++) {
            int step = i == 0 ? most : Math.max(most, STEP);
            var entries = read.apply(last, step);
            for (var entry : entries) {
                last = Optional.of(key.apply(entry));
                if (mayBeSeen.test(entry)) {
                    shown.add(entry);
                }
                if (shown.size() == most) {
                    return new ListPage<>(shown, last);
                }
            }
            if (entries.size() < step) {
                return new ListPage<>(shown, Optional.empty());
            }
        }
        return new ListPage<>(shown, last);
    }
}
