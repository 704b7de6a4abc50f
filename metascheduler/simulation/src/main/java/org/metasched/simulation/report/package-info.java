/** Comparison of runs: tables, plots, one page. */
@NullMarked
package org.metasched.simulation.report;

import org.jspecify.annotations.NullMarked;
