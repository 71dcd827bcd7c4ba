-- What the grader has ever decided. Rows are added and never changed: a regrade adds a run.

CREATE TABLE runs (
    id             INTEGER PRIMARY KEY,
    started_at     TEXT NOT NULL,
    grader_version TEXT NOT NULL,
    seed           TEXT NOT NULL,  -- decimal: an unsigned 64-bit number need not fit an INTEGER
    device         TEXT NOT NULL,
    sandbox        TEXT NOT NULL
) STRICT;

CREATE TABLE records (
    id         INTEGER PRIMARY KEY,
    run_id     INTEGER NOT NULL REFERENCES runs (id),
    cache_key  TEXT NOT NULL,
    submission TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    assignment TEXT NOT NULL,
    outcome    TEXT NOT NULL CHECK (outcome IN ('graded', 'rejected', 'build_failed', 'no_grade')),
    points     INTEGER NOT NULL,  -- in hundredths
    max_points INTEGER NOT NULL,
    document   TEXT NOT NULL,     -- as in records/ID.json
    cpu_ms     INTEGER,           -- what it cost; NULL where the record came from the cache
    wall_ms    INTEGER,
    peak_bytes INTEGER,
    UNIQUE (run_id, submission)
) STRICT;

CREATE INDEX records_by_key ON records (cache_key);
CREATE INDEX records_by_submission ON records (submission);

-- A row a check, so that a question about the class is one query.
CREATE TABLE checks (
    record_id  INTEGER NOT NULL REFERENCES records (id),
    position   INTEGER NOT NULL,  -- in the record, from 0
    task       TEXT NOT NULL,
    id         TEXT NOT NULL,
    visibility TEXT NOT NULL,
    status     TEXT NOT NULL,
    points     INTEGER NOT NULL,
    max_points INTEGER NOT NULL,
    mistake    TEXT,
    PRIMARY KEY (record_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX checks_by_mistake ON checks (mistake) WHERE mistake IS NOT NULL;

CREATE TRIGGER runs_stay BEFORE UPDATE ON runs
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER runs_are_kept BEFORE DELETE ON runs
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
CREATE TRIGGER records_stay BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER records_are_kept BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
CREATE TRIGGER checks_stay BEFORE UPDATE ON checks
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER checks_are_kept BEFORE DELETE ON checks
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
