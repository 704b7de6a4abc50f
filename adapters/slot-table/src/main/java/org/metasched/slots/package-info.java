/**
 * The slot table of a planning-based scheduler: free capacity over time, by count ({@link org.metasched.slots.CountProfile})
 * and by node ({@link org.metasched.slots.NodeProfile}). Usable on its own: of the site interface it knows only
 * {@link org.metasched.adapter.TimeSlot} and {@link org.metasched.adapter.FreeWindows.StartInterval}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.slots;
