/**
 * Runs the commands of a local scheduler, on this machine or over ssh, bounded in time and size, and reads what they print:
 * tables, blocks of fields, JSON, local times without a zone.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.command;
