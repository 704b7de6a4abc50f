package org.metasched.classad.match;

import org.metasched.classad.ClassAd;

/**
 * An introduction of a customer to an offer: both constraints were true when it was made. It allocates nothing; the two still have
 * to agree on a claim.
 *
 * @param number of the offer in its pool
 * @param rank how much the customer likes the offer
 * @param offerRank how much the offer likes the customer
 * @param preempts whether somebody else has the offer now, whom it likes less
 */
public record Match(ClassAd customer, ClassAd offer, int number, double rank, double offerRank, boolean preempts) {}
