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
 * @param next key after which more may come; nothing with the last page
 */
public record ListPage<T, K>(List<T> shown, Optional<K> next) {

    /**
     * Reads on where what is others' fills a page.
     *
     * @param after the key of the last one of the page before
     * @param most on a page
     * @param looks pages that are read at most: then the page may be short, or empty, and not the last
     * @param read a page that begins after a key, of so many
     */
    public static <T, K> ListPage<T, K> of(
            Optional<K> after,
            int most,
            int looks,
            BiFunction<Optional<K>, Integer, List<T>> read,
            Function<T, K> key,
            Predicate<T> sees) {
        List<T> shown = new ArrayList<>();
        Optional<K> last = after;
        for (int i = 0; i < looks; i++) {
            var some = read.apply(last, most);
            for (var one : some) {
                last = Optional.of(key.apply(one));
                if (sees.test(one)) {
                    shown.add(one);
                }
                if (shown.size() == most) {
                    return new ListPage<>(shown, last);
                }
            }
            if (some.size() < most) {
                return new ListPage<>(shown, Optional.empty());
            }
        }
        return new ListPage<>(shown, last);
    }
}
