-- From when until when an agreement holds something; nothing once it has ended. Of those that servers before made, it is not known until they change.
ALTER TABLE agreement ADD COLUMN begins TIMESTAMP WITH TIME ZONE;
ALTER TABLE agreement ADD COLUMN ends TIMESTAMP WITH TIME ZONE;
UPDATE agreement SET begins = created, ends = TIMESTAMP WITH TIME ZONE '9999-01-01 00:00:00+00' WHERE state IN ('OBSERVED', 'OBSERVED_AND_TERMINATING');
CREATE INDEX agreement_begins ON agreement (begins DESC, ends);
