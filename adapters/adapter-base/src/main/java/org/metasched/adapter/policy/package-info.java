/**
 * Policy of a site, enforced at the site for every caller: rules of {@code policy:} in {@code site.yaml}, decided before the local
 * scheduler is asked. {@link org.metasched.adapter.policy.PolicedScheduler} is the entry point.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.policy;
