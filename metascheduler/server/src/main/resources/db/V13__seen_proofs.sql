-- Digests of messages that were taken, so that none is taken twice, and until when (seconds since 1970) a message may come again.
CREATE TABLE seen_proof (
    digest     VARCHAR(64) NOT NULL PRIMARY KEY,
    kept_until BIGINT      NOT NULL
);
CREATE INDEX seen_proof_kept_until ON seen_proof (kept_until);
