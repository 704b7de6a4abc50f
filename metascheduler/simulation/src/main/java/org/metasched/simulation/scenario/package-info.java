/** Scenario of a simulation: sites, streams of meta-jobs, policy, as a YAML file with the place of every key. */
@NullMarked
package org.metasched.simulation.scenario;

import org.jspecify.annotations.NullMarked;
