-- Kept reservations that a site may hold more under than is to stand; target is JSON. Undecided rows have an owner, or are those of a hold.
CREATE TABLE reservation_change (
    request_key      VARCHAR(40)              NOT NULL PRIMARY KEY,
    target           TEXT                     NOT NULL,
    standing         VARCHAR(16)              NOT NULL,
    may_arrive_until TIMESTAMP WITH TIME ZONE NOT NULL,
    owner            BIGINT
);
