-- How many of its site's matches a claim counts for: one, or the nodes of its DAG where the site's ad says so.
ALTER TABLE claim ADD COLUMN matches INTEGER DEFAULT 1 NOT NULL;
