-- When an agreement is to be looked at next; nothing once it has ended. Servers before do not write it: what they make is due at once.
ALTER TABLE agreement ADD COLUMN due TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP;
UPDATE agreement SET due = NULL WHERE state IN ('REJECTED', 'COMPLETE', 'TERMINATED');
CREATE INDEX agreement_due ON agreement (due);
-- What may be forgotten is found without a look at all that has ended.
CREATE INDEX agreement_changed ON agreement (changed);
CREATE INDEX agreement_kept ON agreement (kept_until);
