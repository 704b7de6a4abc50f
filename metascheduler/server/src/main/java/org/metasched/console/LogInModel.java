package org.metasched.console;

import java.util.Optional;

/**
 * The ways to sign in.
 *
 * @param problem fault of the attempt before, or empty
 * @param provider the name of the OpenID provider, if there is one
 */
record LogInModel(String problem, Optional<String> provider, boolean takesPasswords, boolean takesTokens) {}
