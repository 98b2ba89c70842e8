//! What is packed comes back; what is damaged does not.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use documents::{Dictionary, MAX_DOCUMENT_BYTES, Packer, UnpackFault, Unpacker, train};
use proptest::prelude::*;

/// Documents that share their keys and words, as those of a build do.
fn sample(number: usize) -> Vec<u8> {
    let title = [
        "director of operations",
        "software engineer",
        "head of sales",
    ][number % 3];
    let city = ["chicago", "boston", "lyon", "osaka"][number % 4];
    format!(
        r#"{{"full_name":"person {number}","job_title":"{title}","city":"{city}","experience":[{{"title":{{"cleaned":"{title}","raw":["{title}"]}},"current":{}}}],"num_sources":{}}}"#,
        number.is_multiple_of(2),
        number * 7919 % 13
    )
    .into_bytes()
}

fn trained() -> Dictionary {
    let samples: Vec<Vec<u8>> = (0..2_000).map(sample).collect();
    train(&samples)
}

#[test]
fn documents_come_back_and_are_smaller_with_a_dictionary() {
    let (with, without) = (trained(), Dictionary::default());
    assert!(!with.bytes().is_empty() && with.bytes().len() <= 110 * 1024);
    let mut lengths = Vec::new();
    for dictionary in [&with, &without] {
        let mut packer = Packer::new(dictionary).unwrap();
        let unpacker = Unpacker::new(dictionary.clone()).unwrap();
        let mut length = 0;
        for number in 5_000..5_100 {
            let packed = packer.pack(&sample(number)).unwrap();
            length += packed.len();
            assert_eq!(unpacker.unpack(&packed).unwrap(), sample(number));
        }
        lengths.push(length);
    }
    assert!(lengths[0] * 2 < lengths[1], "{lengths:?}");
}

#[test]
fn the_same_documents_give_the_same_dictionary() {
    assert_eq!(trained(), trained());
}

#[test]
fn too_few_documents_give_the_empty_dictionary() {
    let samples: Vec<Vec<u8>> = (0..99).map(sample).collect();
    assert_eq!(train(&samples), Dictionary::default());
    // Many, but with nothing in them.
    assert_eq!(
        train(std::iter::repeat_n(&b""[..], 1_000)),
        Dictionary::default()
    );
}

#[test]
fn a_document_of_another_dictionary_is_an_error() {
    let packed = Packer::new(&trained()).unwrap().pack(&sample(1)).unwrap();
    let samples: Vec<Vec<u8>> = (0..2_000).map(|number| sample(number * 31)).collect();
    let other = train(&samples);
    for dictionary in [other, Dictionary::default()] {
        assert!(Unpacker::new(dictionary).unwrap().unpack(&packed).is_err());
    }
}

#[test]
fn what_would_unpack_beyond_the_limit_is_refused_before_it_is() {
    // A frame whose header tells 4 GiB: magic, single segment with eight bytes of length, the length, a raw block.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    frame.extend_from_slice(&(1_u64 << 32).to_le_bytes());
    frame.extend_from_slice(&[1, 0, 0]);
    let unpacker = Unpacker::new(Dictionary::default()).unwrap();
    assert!(
        matches!(unpacker.unpack(&frame), Err(UnpackFault::TooLong(length)) if length == 1 << 32)
    );
    let long = vec![b' '; MAX_DOCUMENT_BYTES + 1];
    assert!(
        Packer::new(&Dictionary::default())
            .unwrap()
            .pack(&long)
            .is_err()
    );
}

#[test]
fn every_flipped_bit_and_every_cut_is_an_error() {
    let dictionary = trained();
    let unpacker = Unpacker::new(dictionary.clone()).unwrap();
    let packed = Packer::new(&dictionary).unwrap().pack(&sample(77)).unwrap();
    for bit in 0..packed.len() * 8 {
        let mut damaged = packed.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        // A bit that means nothing may be flipped; another document must never come of it.
        if let Ok(document) = unpacker.unpack(&damaged) {
            assert_eq!(document, sample(77), "bit {bit}");
        }
    }
    for length in 0..packed.len() {
        assert!(
            unpacker.unpack(&packed[..length]).is_err(),
            "cut to {length}"
        );
    }
    let mut longer = packed.clone();
    longer.extend_from_slice(&packed);
    assert!(unpacker.unpack(&longer).is_err());
    assert_eq!(
        unpacker.unpack(&packed).unwrap(),
        sample(77),
        "after so many faults"
    );
}

#[test]
fn threads_share_an_unpacker() {
    let dictionary = trained();
    let unpacker = Unpacker::new(dictionary.clone()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (unpacker, dictionary) = (&unpacker, &dictionary);
            scope.spawn(move || {
                let mut packer = Packer::new(dictionary).unwrap();
                for number in (thread * 200)..(thread * 200 + 200) {
                    let packed = packer.pack(&sample(number)).unwrap();
                    assert_eq!(unpacker.unpack(&packed).unwrap(), sample(number));
                }
            });
        }
    });
}

proptest! {
    #[test]
    fn any_bytes_are_packed_and_any_bytes_are_unpacked_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let unpacker = Unpacker::new(Dictionary::default()).unwrap();
        let packed = Packer::new(&Dictionary::default()).unwrap().pack(&bytes).unwrap();
        prop_assert_eq!(unpacker.unpack(&packed).unwrap(), bytes.clone());
        let _ = unpacker.unpack(&bytes);
    }
}
