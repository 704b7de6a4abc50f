package org.metasched.classad.index;

import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Value;

/** A test of one attribute, looked up in its column as far as that can be done once: what is left is to pass over bits. Immutable. */
sealed interface CandidateFilter {

    /** Keeps of a set the offers that pass, and those without a known value. */
    void keep(OfferSet set);

    /** Few values: the offers of those that pass, a set that other filters share. */
    record Members(OfferSet members) implements CandidateFilter {
        @Override
        public void keep(OfferSet set) {
            set.retainAll(members);
        }
    }

    /** Many values, of which a range passes. */
    record Range(SortedValues values, BinaryOperator operator, Value value) implements CandidateFilter {
        @Override
        public void keep(OfferSet set) {
            values.retain(operator, value, set);
        }
    }

    /** Many values, of which some pass: a set is made, and remembered by the column while memory allows. */
    record Lookup(Column column, BinaryOperator operator, Value value) implements CandidateFilter {
        @Override
        public void keep(OfferSet set) {
            set.retainAll(column.where(operator, value));
        }
    }
}
