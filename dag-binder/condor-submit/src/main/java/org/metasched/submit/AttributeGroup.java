package org.metasched.submit;

/** Makes some of the attributes of a job ad out of the settings. */
abstract class AttributeGroup {

    final AdMaker maker;
    final SubmitSettings settings;
    final JobAd ad;

    AttributeGroup(AdMaker maker) {
        this.maker = maker;
        this.settings = maker.settings;
        this.ad = maker.ad;
    }
}
