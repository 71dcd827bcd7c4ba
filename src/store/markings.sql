-- Marks that people give for written answers, and the rubrics by which they give them. Rows are added and never changed: an
-- item of a rubric is changed by a new version, and a mark is taken back by a row of its own.

CREATE TABLE rubric_versions (
    id         INTEGER PRIMARY KEY,
    item       INTEGER NOT NULL,  -- id of the first version of the item
    given_at   TEXT NOT NULL,
    given_by   TEXT NOT NULL,
    assignment TEXT NOT NULL,
    question   TEXT NOT NULL,
    text       TEXT NOT NULL,
    points     INTEGER NOT NULL,  -- in hundredths; may be negative
    is_retired INTEGER NOT NULL CHECK (is_retired IN (0, 1))
) STRICT;

CREATE INDEX rubric_versions_by_item ON rubric_versions (item);

CREATE TABLE markings (
    id            INTEGER PRIMARY KEY,
    after_record  INTEGER NOT NULL,  -- id of the newest record at that time; 0 if there was none
    given_at      TEXT NOT NULL,
    given_by      TEXT NOT NULL,
    assignment    TEXT NOT NULL,
    submission    TEXT NOT NULL,
    question      TEXT NOT NULL,
    role          TEXT NOT NULL CHECK (role IN ('first', 'second', 'agreed')),
    seen          INTEGER NOT NULL,  -- id of the newest row about the same answer and role that the marker saw; 0 if none
    withdraws     INTEGER,           -- id of the marking that this row takes back; NULL if the row is a marking
    free_points   INTEGER NOT NULL,  -- in hundredths, in addition to the items; may be negative
    comment       TEXT NOT NULL,
    answer_digest TEXT NOT NULL      -- of the answer that was marked
) STRICT;

CREATE INDEX markings_by_answer ON markings (submission, assignment, question, role);

-- Items of the rubric that were chosen in a marking.
CREATE TABLE marking_items (
    marking_id INTEGER NOT NULL REFERENCES markings (id),
    item       INTEGER NOT NULL,
    PRIMARY KEY (marking_id, item)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER rubric_versions_stay BEFORE UPDATE ON rubric_versions
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never changed'); END;
CREATE TRIGGER rubric_versions_are_kept BEFORE DELETE ON rubric_versions
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never removed'); END;
CREATE TRIGGER markings_stay BEFORE UPDATE ON markings
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never changed'); END;
CREATE TRIGGER markings_are_kept BEFORE DELETE ON markings
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never removed'); END;
CREATE TRIGGER marking_items_stay BEFORE UPDATE ON marking_items
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never changed'); END;
CREATE TRIGGER marking_items_are_kept BEFORE DELETE ON marking_items
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never removed'); END;
