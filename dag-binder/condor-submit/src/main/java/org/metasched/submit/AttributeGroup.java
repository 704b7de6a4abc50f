package org.metasched.submit;

/** Makes some of the attributes of a job ad from the settings. A method named after a subject puts its attributes into the ad. */
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
