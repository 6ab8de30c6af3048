use tessera::codec::{Codec, RunLength};
use tessera::{Archive, Builder, Error, TileId};

#[test]
fn writes_what_it_reads() {
    let archive = Builder::new(RunLength::default()).push(TileId::ROOT, &[7; 600]).finish();
    let mut bytes = Vec::new();
    archive.write(&mut bytes).unwrap();
    let again = Archive::open(bytes.as_slice(), RunLength::default()).unwrap();
    assert_eq!(again.get(TileId::ROOT).unwrap().unwrap().len(), 600);
}

#[test]
fn refuses_other_files() {
    assert!(matches!(Archive::open(&b"PNG!"[..], RunLength::default()), Err(Error::BadMagic(_))));
}

#[test]
fn run_length_packs_long_runs() {
    assert_eq!(RunLength::default().pack(&[1; 300]), [255, 1, 45, 1]);
}
