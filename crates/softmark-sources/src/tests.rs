use super::*;

#[test]
fn prints_exams() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for id in ["attention", "encoder", "debugging", "prefix-tuning", "modern"] {
        let folder = engine.parent().unwrap().join("solutions").join(id).join("exam");
        let it = slices(&folder, engine).unwrap();
        println!("{id}: {} checks, {:?} {:?} {:?}", it.checks.len(), it.diagnosis, it.training, it.whole);
    }
}
