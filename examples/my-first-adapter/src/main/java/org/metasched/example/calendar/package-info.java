/** A first adapter: a laboratory whose "scheduler" is a calendar in a text file. */
@org.jspecify.annotations.NullMarked
package org.metasched.example.calendar;
