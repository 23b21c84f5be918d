//! Encodes four chunks with two redundant ones, loses two, and recovers them.

fn main() -> Result<(), xorloom::Error> {
    let codec = xorloom::Codec::new("isa-cauchy:k=4,m=2")?;
    let bytes = codec.round_up(1000);
    let mut chunks: Vec<Vec<u8>> = (0..6).map(|i| vec![i as u8; bytes]).collect();
    codec.encode(&mut chunks)?;
    chunks[1].fill(0);
    chunks[5].fill(0);
    codec.decode(&mut chunks, &[1, 5])?;
    println!("recovered: {}", chunks[1].iter().all(|&byte| byte == 1));
    Ok(())
}
