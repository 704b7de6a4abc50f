-- What a look needs of an agreement that waits for its slot, with the version it is about; nothing where the whole is to be read.
ALTER TABLE agreement ADD COLUMN watch VARCHAR;
