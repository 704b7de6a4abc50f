-- The number that the chore has counted last, for the chore that counts the living agreements for all servers.
ALTER TABLE chore ADD COLUMN counted BIGINT;
