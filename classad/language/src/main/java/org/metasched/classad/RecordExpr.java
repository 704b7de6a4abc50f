package org.metasched.classad;

import java.util.List;

/** An ad that is written inside an expression: {@code [ a = 1 ]}. */
public final class RecordExpr extends Expr.Evaluated {

    private final ClassAd ad;

    /** @param ad the nested ad */
    public RecordExpr(ClassAd ad) {
        super(heightAbove(ad.expressions()));
        this.ad = ad;
    }

    /** The nested ad. */
    public ClassAd ad() {
        return ad;
    }

    @Override
    public List<Expr> children() {
        return ad.expressions();
    }

    /** Unlike equal ads, equal expressions also agree in the case of names, which their value shows. */
    @Override
    boolean sameAs(Expr other) {
        return other instanceof RecordExpr that
                && ad.equals(that.ad)
                && ad.printedNames().equals(that.ad.printedNames());
    }

    @Override
    public int hashCode() {
        return ad.hashCode();
    }

    @Override
    boolean isAd() {
        return true;
    }
}
