import org.metasched.classad.CompiledLanguage;
import org.metasched.classad.FunctionLibrary;
import org.metasched.classad.LanguageServices;
import org.metasched.classad.WrittenForms;
import org.metasched.classad.form.AllForms;
import org.metasched.classad.function.BuiltInFunctions;

/** The ClassAd language. Grammar, functions, written forms and texts are found as services and not exported. */
module org.metasched.classad {
    requires static org.jspecify;

    exports org.metasched.classad;

    uses FunctionLibrary;
    uses LanguageServices;
    uses WrittenForms;

    provides FunctionLibrary with
            BuiltInFunctions;
    provides LanguageServices with
            CompiledLanguage;
    provides WrittenForms with
            AllForms;
}
