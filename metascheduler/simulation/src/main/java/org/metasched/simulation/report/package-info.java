/** Comparison of runs: tables, plots, one page. */
@org.jspecify.annotations.NullMarked
package org.metasched.simulation.report;
