-- The language that a person has chosen for their account, as a BCP 47 tag; null until they choose one.
ALTER TABLE users ADD COLUMN language text;
