/** The ClassAd language: ads and expressions read, evaluated and written in four forms. Users' libraries of functions are services. */
module org.metasched.classad {
    requires static org.jspecify;

    exports org.metasched.classad;

    uses org.metasched.classad.FunctionLibrary;
    uses org.metasched.classad.LanguageServices;
    uses org.metasched.classad.WrittenForms;

    provides org.metasched.classad.FunctionLibrary with
            org.metasched.classad.function.BuiltInFunctions;
    provides org.metasched.classad.LanguageServices with
            org.metasched.classad.CompiledLanguage;
    provides org.metasched.classad.WrittenForms with
            org.metasched.classad.form.AllForms;
}
