-- The initiators of pending offers who are still to be told what was decided. Written in the transaction of the decision.
CREATE TABLE decision_outbox (
    agreement_id VARCHAR(64)              NOT NULL PRIMARY KEY,
    accepted     BOOLEAN                  NOT NULL,
    initiator    TEXT                     NOT NULL,
    decided      TIMESTAMP WITH TIME ZONE NOT NULL,
    attempts     INTEGER                  NOT NULL,
    due          TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX decision_outbox_due ON decision_outbox (due);
