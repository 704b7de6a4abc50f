package org.metasched.classad;

/** The operators of the language on values, for functions that apply them. */
public final class Operators {

    private Operators() {}

    /** The truth value of a comparison, {@code is} and {@code isnt} among them: one of the constants of {@link Code}. */
    public static int compare(BinaryOperator operator, Value a, Value b) {
        return Comparison.compare(operator, a, b);
    }

    /** {@code a is b}: never UNDEFINED; ERROR for two lists or two ads. */
    public static int identical(Value a, Value b) {
        return Comparison.identical(a, b);
    }

    /** {@code a + b}. */
    public static Value sum(Evaluation e, Value a, Value b) {
        Code sum = new Arithmetic(BinaryOperator.ADD, new Code.Constant(a), new Code.Constant(b));
        return sum.value(e, Scope.NOWHERE);
    }

    /** The code of {@code condition ? whenTrue : whenFalse}. */
    public static Code choice(Code condition, Code whenTrue, Code whenFalse) {
        return new Logic.Choice(condition, whenTrue, whenFalse);
    }
}
