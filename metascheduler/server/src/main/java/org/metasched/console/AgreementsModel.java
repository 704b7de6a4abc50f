package org.metasched.console;

import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.overview.ListPage;

/** Agreements page by page, the newest first: those of one state, or one by its id; both are empty for all. */
record AgreementsModel(String state, String id, ListPage<Agreement, AgreementId> page) {}
