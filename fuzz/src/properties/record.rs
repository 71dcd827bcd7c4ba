//! Records, as they are kept and as they are reported.

use softmark::model::{RecordOutcome, Run};
use softmark::report::{self, Answers, Audience, Format, Layout};
use softmark::store::document;
use softmark::suite::Catalog;

/// What reads as a record is written as one that reads the same, and every report of it is text
/// that moves no cursor.
pub fn record(data: &[u8]) {
    let Some((grader, record)) =
        std::str::from_utf8(data).ok().and_then(|text| document::read_record(text).ok())
    else {
        return;
    };
    let written = write(document::write_record(&grader, &record));
    let (same_grader, same_record) = match document::read_record(&written) {
        Ok(read) => read,
        Err(error) => panic!("what was written cannot be read: {error}\n{written}"),
    };
    assert_eq!(write(document::write_record(&same_grader, &same_record)), written);
    let is_ungraded = record.outcome == RecordOutcome::NoGrade;
    let run = Run { grader, records: vec![record] };
    let audiences = [Audience::Staff, Audience::Students(Answers::NONE)];
    for (format, audience) in
        Format::ALL.into_iter().flat_map(|format| audiences.iter().map(move |it| (format, it)))
    {
        let mut bytes = Vec::new();
        let view = audience.view(&run);
        let written =
            report::write(&view, Catalog::default(), (format, Layout::default()), &mut bytes);
        // GitHub Classroom has no form for a missing grade.
        let has_form = format != Format::Classroom || !is_ungraded;
        assert_eq!(written.is_ok(), has_form, "{format}");
        let Ok(text) = String::from_utf8(bytes) else {
            panic!("the {format} report is not UTF-8");
        };
        // A comma-separated file may end its lines as spreadsheets do, and keeps lines in quotes.
        let fine = |c: char| c == '\n' || (c == '\r' && format == Format::Csv) || !c.is_control();
        let moves = text.chars().find(|c| !fine(*c));
        assert_eq!(moves, None, "the {format} report would move a cursor");
    }
}

fn write<E: std::fmt::Display>(written: Result<String, E>) -> String {
    match written {
        Ok(text) => text,
        Err(error) => panic!("a record cannot be written: {error}"),
    }
}
