-- What each result depends on, so that a later grader can reuse it, and where the submissions of a run were.

-- Hash of what decides the result of the check, apart from the submission's files; NULL if the result is not reused.
ALTER TABLE checks ADD COLUMN check_key TEXT;
-- Hash of what decides which mistake is named; NULL if none was looked for.
ALTER TABLE checks ADD COLUMN mistake_key TEXT;

CREATE INDEX records_by_files ON records (sha256, assignment);

CREATE TABLE inputs (
    run_id     INTEGER NOT NULL REFERENCES runs (id),
    position   INTEGER NOT NULL,  -- in the command, from 0
    path       TEXT NOT NULL,     -- absolute: of a submission, or of a folder of them
    assignment TEXT,              -- as it was named in the command; NULL if submissions say which it is
    names      TEXT,              -- pattern of the names of submissions; NULL if none was given
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER inputs_stay BEFORE UPDATE ON inputs
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER inputs_are_kept BEFORE DELETE ON inputs
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
