-- Written now and then, to know whether the database takes writes.
CREATE TABLE heartbeat (
    beat BIGINT NOT NULL
);

INSERT INTO heartbeat (beat) VALUES (0);
