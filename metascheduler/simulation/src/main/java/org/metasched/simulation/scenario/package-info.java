/** Scenario of a simulation: sites, streams of meta-jobs, policy, as a YAML file with the place of every key. */
@org.jspecify.annotations.NullMarked
package org.metasched.simulation.scenario;
