/** Runs beside each other: tables, plots, one page. */
@NullMarked
package org.metasched.simulation.report;

import org.jspecify.annotations.NullMarked;
