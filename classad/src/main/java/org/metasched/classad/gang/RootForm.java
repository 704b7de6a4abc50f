package org.metasched.classad.gang;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Grouping;

/**
 * Roots whose ports are of the same {@linkplain PortForm forms}: whoever of them is served, the same offers come into question. So
 * what a search for one of them has shown to be in vain is in vain for the others, too, as long as offers are only taken. Belongs to
 * a pool; not thread-safe.
 */
final class RootForm {

    private final GangPool pool;
    private final PortForm[] ports;
    private final boolean told;
    private boolean simple;
    private int roots;
    private int era;
    private boolean exhausted;
    private final int[] cursors;
    private final BitSet[] spent;

    RootForm(GangPool pool, List<PortForm> ports, boolean simple) {
        this.pool = pool;
        this.ports = ports.toArray(PortForm[]::new);
        this.told = ports.stream().allMatch(PortForm::isTold);
        this.simple = simple && told && ports.stream().noneMatch(PortForm::isChoosy);
        this.era = pool.stock().era();
        this.cursors = new int[ports.size()];
        this.spent = new BitSet[ports.size()];
    }

    /** Whether numbers of offers say who may come, as far as the ports themselves go. */
    boolean isTold() {
        return told;
    }

    /** Whether gangs can be sought by numbers of offers, without putting them together. */
    boolean isSimple() {
        return simple;
    }

    /** Says that only evaluation tells, after all. */
    void becomeDifficult() {
        simple = false;
    }

    /** Says that so many more roots are of this form. */
    void expect(int moreRoots) {
        roots += moreRoots;
        for (PortForm port : ports) {
            port.expect(moreRoots);
        }
    }

    boolean isShared() {
        return roots > 1;
    }

    int size() {
        return ports.length;
    }

    PortForm port(int port) {
        return ports[port];
    }

    /** Whether there is no gang for such roots any more. */
    boolean isExhausted() {
        keepUp();
        return exhausted;
    }

    void exhaust() {
        keepUp();
        exhausted = true;
    }

    /** Neighbours of a port that the rest of a gang cannot tell apart; null if it may tell apart any two. */
    @Nullable
    Grouping alike(int port) {
        Question question = ports[port].first();
        var attributes = new HashSet<>(question.attributes());
        for (int other = 0; other < ports.length; other++) {
            if (other != port) {
                attributes.addAll(ports[other].looksAt(port));
            }
        }
        return pool.index().grouping(attributes, question.demanded());
    }

    /** Groups of neighbours of a port with which no gang is possible any more, if it is the first to be filled; null if none is known. */
    @Nullable
    BitSet spent(int port) {
        keepUp();
        return spent[port];
    }

    BitSet spend(int port, int group) {
        keepUp();
        BitSet groups = spent[port];
        if (groups == null) {
            groups = new BitSet();
            spent[port] = groups;
        }
        groups.set(group);
        return groups;
    }

    /** The place in the port's order of the first entry that may still come to a port if it is the first to be filled. */
    int cursor(int port) {
        keepUp();
        return cursors[port];
    }

    void moveCursor(int port, int place) {
        cursors[port] = place;
    }

    private void keepUp() {
        if (era != pool.stock().era()) {
            era = pool.stock().era();
            exhausted = false;
            java.util.Arrays.fill(cursors, 0);
            java.util.Arrays.fill(spent, null);
        }
    }
}
