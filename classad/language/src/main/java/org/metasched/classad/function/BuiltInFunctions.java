package org.metasched.classad.function;

import org.metasched.classad.FunctionLibrary;
import org.metasched.classad.FunctionTable;

/** The functions of the language, a class for each family. Made by the service loader. */
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
