/** A first adapter: a laboratory whose "scheduler" is a calendar in a text file. */
@NullMarked
package org.metasched.example.calendar;

import org.jspecify.annotations.NullMarked;
