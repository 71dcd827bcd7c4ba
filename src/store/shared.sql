-- A grading that gave what the last one of the submission for the assignment gave, byte for byte, refers to that one's document and
-- checks. A class that is graded again without a change adds a row of 0.4 kB for each submission, and not 45 kB.

ALTER TABLE records RENAME TO saved_records;
ALTER TABLE checks RENAME TO saved_checks;
-- Record that has the document and the checks; NULL if this one has them. The document of a record that refers is empty.
ALTER TABLE saved_records ADD COLUMN same_as INTEGER REFERENCES saved_records (id);

-- Records and checks as if each grading had its own.
CREATE VIEW records AS
SELECT id, run_id, cache_key, submission, sha256, assignment, outcome, points, max_points,
    (SELECT document FROM saved_records AS source
     WHERE source.id = ifnull(saved_records.same_as, saved_records.id)) AS document,
    cpu_ms, wall_ms, peak_bytes
FROM saved_records;

CREATE VIEW checks AS
SELECT saved_records.id AS record_id, position, task, saved_checks.id AS id, visibility, status, saved_checks.points AS points,
    saved_checks.max_points AS max_points, mistake, check_key, mistake_key
FROM saved_records JOIN saved_checks ON saved_checks.record_id = ifnull(saved_records.same_as, saved_records.id);

CREATE TRIGGER shown_records_stay INSTEAD OF UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER shown_records_are_kept INSTEAD OF DELETE ON records
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
CREATE TRIGGER shown_checks_stay INSTEAD OF UPDATE ON checks
BEGIN SELECT RAISE(ABORT, 'grades are only added, never changed'); END;
CREATE TRIGGER shown_checks_are_kept INSTEAD OF DELETE ON checks
BEGIN SELECT RAISE(ABORT, 'grades are only added, never removed'); END;
