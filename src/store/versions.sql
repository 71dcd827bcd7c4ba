-- Earlier versions that one download has of a submission, which are graded where one of them may count. They are in runs of their
-- own, one for each number of a version, which are begun before the run of the latest versions and are part of no history but that of
-- what a student has handed in.

ALTER TABLE runs ADD COLUMN is_of_earlier INTEGER NOT NULL DEFAULT 0 CHECK (is_of_earlier IN (0, 1));
CREATE INDEX runs_of_earlier ON runs (id) WHERE is_of_earlier = 1;

DROP VIEW records;

-- Records of all versions, as if each grading had its own document.
CREATE VIEW all_records AS
SELECT id, run_id, cache_key, submission, sha256, assignment, outcome, points, max_points,
    (SELECT document FROM saved_records AS source
     WHERE source.id = ifnull(saved_records.same_as, saved_records.id)) AS document,
    cpu_ms, wall_ms, peak_bytes, same_as
FROM saved_records;

-- Records of the latest versions.
CREATE VIEW records AS
SELECT id, run_id, cache_key, submission, sha256, assignment, outcome, points, max_points, document, cpu_ms, wall_ms, peak_bytes
FROM all_records
WHERE run_id NOT IN (SELECT id FROM runs WHERE is_of_earlier = 1);

CREATE TRIGGER shown_records_stay INSTEAD OF UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER shown_records_are_kept INSTEAD OF DELETE ON records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
CREATE TRIGGER all_records_stay INSTEAD OF UPDATE ON all_records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER all_records_are_kept INSTEAD OF DELETE ON all_records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
