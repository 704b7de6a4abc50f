package org.metasched.classad.match;

import org.metasched.classad.ClassAd;

/**
 * An introduction of a customer to an offer: both constraints were true when it was made. It allocates nothing; the two
 * still have to agree on a claim.
 *
 * @param number number of the offer in its pool
 * @param rank the customer's rank of the offer
 * @param offerRank the offer's rank of the customer
 * @param preempts whether another customer, which the offer ranks lower, has the offer now
 */
public record Match(ClassAd customer, ClassAd offer, int number, double rank, double offerRank, boolean preempts) {}
