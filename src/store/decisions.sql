-- Decisions of people about grades. Rows are added and never changed: a withdrawal is a row of its own.

CREATE TABLE overrides (
    id           INTEGER PRIMARY KEY,
    after_record INTEGER NOT NULL,  -- id of the newest record at that time; 0 if there was none
    given_at     TEXT NOT NULL,
    given_by     TEXT NOT NULL,
    submission   TEXT NOT NULL,
    assignment   TEXT NOT NULL,
    check_id     TEXT NOT NULL,
    points       INTEGER,           -- in hundredths; NULL withdraws the override before it
    reason       TEXT NOT NULL,
    sha256       TEXT NOT NULL      -- files that the person judged
) STRICT;

CREATE INDEX overrides_by_submission ON overrides (submission);

CREATE TABLE appeals (
    id           INTEGER PRIMARY KEY,
    after_record INTEGER NOT NULL,
    given_at     TEXT NOT NULL,
    given_by     TEXT NOT NULL,
    submission   TEXT NOT NULL,
    assignment   TEXT NOT NULL,
    check_id     TEXT NOT NULL,     -- empty if the appeal is about the whole grade
    step         TEXT NOT NULL CHECK (step IN ('open', 'answer', 'close')),
    text         TEXT NOT NULL
) STRICT;

CREATE INDEX appeals_by_submission ON appeals (submission);
CREATE INDEX records_by_assignment ON records (assignment);

CREATE TRIGGER overrides_stay BEFORE UPDATE ON overrides
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never changed'); END;
CREATE TRIGGER overrides_are_kept BEFORE DELETE ON overrides
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never removed'); END;
CREATE TRIGGER appeals_stay BEFORE UPDATE ON appeals
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never changed'); END;
CREATE TRIGGER appeals_are_kept BEFORE DELETE ON appeals
BEGIN SELECT RAISE(ABORT, 'decisions are only added, never removed'); END;
