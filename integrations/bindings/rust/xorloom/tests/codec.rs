use xorloom::Codec;

fn stripe(codec: &Codec, bytes: usize) -> Vec<Vec<u8>> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    let mut chunks: Vec<Vec<u8>> = (0..codec.locations())
        .map(|_| (0..codec.round_up(bytes)).map(|_| next()).collect())
        .collect();
    codec.encode(&mut chunks).unwrap();
    chunks
}

#[test]
fn one_redundant_chunk_is_the_sum_of_the_data() {
    let codec = Codec::new("isa-cauchy:k=3,m=1").unwrap();
    let chunks = stripe(&codec, 1000);
    for at in 0..chunks[0].len() {
        assert_eq!(chunks[3][at], chunks[0][at] ^ chunks[1][at] ^ chunks[2][at]);
    }
}

#[test]
fn every_two_lost_chunks_are_rebuilt() {
    for spec in ["isa-cauchy:k=4,m=2", "cauchy-good:k=4,m=2,w=8"] {
        let codec = Codec::new(spec).unwrap();
        let whole = stripe(&codec, 5000);
        assert!(codec.verify(&whole).unwrap());
        for a in 0..6 {
            for b in 0..a {
                let mut chunks = whole.clone();
                chunks[a].fill(0xee);
                chunks[b].fill(0xee);
                assert!(!codec.verify(&chunks).unwrap());
                codec.decode(&mut chunks, &[a, b]).unwrap();
                assert!(chunks == whole, "{spec}: lost {a} and {b}");
            }
        }
    }
}

#[test]
fn wrong_use_is_refused() {
    let error = Codec::new("no-such-code:k=1").err().unwrap();
    assert!(error.status != 0 && error.text.contains("no-such-code"), "{error}");
    let codec = Codec::new("isa-cauchy:k=4,m=2").unwrap();
    let mut chunks = stripe(&codec, 1000);
    assert_eq!(codec.decode(&mut chunks, &[0, 1, 2]).unwrap_err().status, 5);
    assert_eq!(codec.decode(&mut chunks, &[6]).unwrap_err().status, 1);
    assert_eq!(codec.decode(&mut chunks, &[usize::MAX]).unwrap_err().status, 1);
    assert_eq!(codec.decode(&mut chunks, &[0; 7]).unwrap_err().status, 1);
    assert_eq!(codec.encode(&mut chunks[..5]).unwrap_err().text, "5 chunks for 6 locations");
    chunks[2].pop();
    assert!(codec.encode(&mut chunks).unwrap_err().text.starts_with("chunks have "));
}
