package org.metasched.classad.function;

import org.metasched.classad.FunctionLibrary;
import org.metasched.classad.FunctionTable;

/**
 * The library of the built-in functions. Their meaning is that of the HTCondor manual ("Predefined Functions" of ClassAds), and of
 * libclassad where the two differ. Made by the service loader; each family of functions has a class.
 */
public final class BuiltInFunctions implements FunctionLibrary {

    @Override
    public void addTo(FunctionTable table) {
        TypeFunctions.addTo(table);
        NumberFunctions.addTo(table);
        StringFunctions.addTo(table);
        VersionFunctions.addTo(table);
        PatternFunctions.addTo(table);
        ListFunctions.addTo(table);
        StringListFunctions.addTo(table);
        TimeFunctions.addTo(table);
        ScopeFunctions.addTo(table);
    }
}
