-- Whose an agreement is, and what its reservations come to, for quotas. Those of before are not counted.
ALTER TABLE agreement ADD COLUMN initiator TEXT;
ALTER TABLE agreement ADD COLUMN node_hours DOUBLE PRECISION DEFAULT 0 NOT NULL;
