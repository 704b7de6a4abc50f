-- Since when the lease of a server has been renewed without a gap, and whether its clock is near enough to the database's for shared chores.
ALTER TABLE node ADD COLUMN steady TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL;
ALTER TABLE node ADD COLUMN fit BOOLEAN DEFAULT TRUE NOT NULL;

-- What is done by the clock, each time by one of the servers: who does it, and when next.
CREATE TABLE chore (
    name  VARCHAR(64)              NOT NULL PRIMARY KEY,
    due   TIMESTAMP WITH TIME ZONE NOT NULL,
    owner BIGINT
);
