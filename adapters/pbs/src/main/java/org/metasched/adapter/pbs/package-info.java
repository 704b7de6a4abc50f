/**
 * PBS Professional and OpenPBS behind the site interface. {@link org.metasched.adapter.pbs.PbsScheduler} decides,
 * {@code PbsCommands} runs the commands, {@code PbsOutput} reads what they print. See {@code docs/adapters/pbs.md}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.pbs;
