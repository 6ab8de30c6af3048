use std::fs::File;
use std::process::ExitCode;

use tessera::codec::RunLength;
use tessera::{Archive, TileId};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(id)) = (args.next(), args.next()) else {
        eprintln!("usage: tessera <archive> <zoom/x/y>");
        return ExitCode::FAILURE;
    };
    match show(&path, &id) {
        Ok(length) => {
            println!("{length} bytes");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("tessera: {error}");
            ExitCode::FAILURE
        }
    }
}

fn show(path: &str, id: &str) -> tessera::Result<usize> {
    let archive = Archive::open(File::open(path)?, RunLength::default())?;
    let id: TileId = id.parse()?;
    Ok(archive.get(id)?.map_or(0, |bytes| bytes.len()))
}
