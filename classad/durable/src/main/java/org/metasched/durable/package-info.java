/**
 * Small files that survive a crash of the process or of the machine, and a full disk: {@link org.metasched.durable.AppendLog} for
 * what grows, {@link org.metasched.durable.AtomicFile} for what is replaced as a whole. Tests inject faults through the file system
 * of the path.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.durable;
