-- The newest ad of each type and name, shared between servers. Soft state: what is lost is advertised again. One that was withdrawn has
-- no body, until it would have expired. seq grows in the order of commits: see ad_clock.
CREATE ${unlogged} TABLE ad (
    digest   VARCHAR(64)              NOT NULL PRIMARY KEY,
    seq      BIGINT                   NOT NULL,
    type     TEXT                     NOT NULL,
    name     TEXT                     NOT NULL,
    received TIMESTAMP WITH TIME ZONE NOT NULL,
    expires  TIMESTAMP WITH TIME ZONE NOT NULL,
    body     TEXT
);

CREATE INDEX ad_seq ON ad (seq);
CREATE INDEX ad_expires ON ad (expires);

-- Its one row is locked by a server that writes ads, to the end of its transaction.
CREATE TABLE ad_clock (seq BIGINT NOT NULL);
INSERT INTO ad_clock (seq) VALUES (0);

-- Books of which there is one for all servers, such as the accountant's.
CREATE TABLE book (
    name    VARCHAR(64) NOT NULL PRIMARY KEY,
    content TEXT        NOT NULL
);
