-- The next poll of each living agreement: small rows of their own, as each poll writes one. The state and version are those of the agreement.
CREATE TABLE agreement_poll (
    agreement_id VARCHAR(64)              NOT NULL PRIMARY KEY,
    version      BIGINT                   NOT NULL,
    state        VARCHAR(32)              NOT NULL,
    due          TIMESTAMP WITH TIME ZONE NOT NULL,
    -- What a poll needs of an agreement that waits for its slot; NULL where the whole agreement is to be read.
    digest       VARCHAR
);

INSERT INTO agreement_poll (agreement_id, version, state, due)
    SELECT id, version, state, CURRENT_TIMESTAMP FROM agreement WHERE state IN ('OBSERVED', 'OBSERVED_AND_TERMINATING');

CREATE INDEX agreement_poll_due ON agreement_poll (due);

DROP INDEX agreement_due;
ALTER TABLE agreement DROP COLUMN due;
ALTER TABLE agreement DROP COLUMN watch;

-- Of no use since V2.
DROP TABLE heartbeat;
DROP TABLE qrtz_fired_triggers;
DROP TABLE qrtz_paused_trigger_grps;
DROP TABLE qrtz_scheduler_state;
DROP TABLE qrtz_locks;
DROP TABLE qrtz_simple_triggers;
DROP TABLE qrtz_simprop_triggers;
DROP TABLE qrtz_cron_triggers;
DROP TABLE qrtz_blob_triggers;
DROP TABLE qrtz_triggers;
DROP TABLE qrtz_job_details;
DROP TABLE qrtz_calendars;
