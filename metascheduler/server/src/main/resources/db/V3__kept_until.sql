-- When an agreement that has ended may be forgotten, where somebody asked for a time of its own.
ALTER TABLE agreement ADD COLUMN kept_until TIMESTAMP WITH TIME ZONE;
