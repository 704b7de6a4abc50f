package org.metasched.classad;

import java.util.List;

/** An ad written inside an expression. */
public final class RecordExpr extends Expr.Evaluated {

    private final ClassAd ad;

    /** @param ad the ad that is written inside the other one */
    public RecordExpr(ClassAd ad) {
        super(above(ad.expressions()));
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

    @Override
    boolean sameAs(Expr other) {
        return other instanceof RecordExpr record && ad.equals(record.ad);
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
