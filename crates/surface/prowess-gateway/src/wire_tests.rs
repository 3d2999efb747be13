use proptest::prelude::*;

use super::*;

/// A frame of a client, masked with zeros.
fn frame(opcode: u8, fin: bool, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![if fin { 0x80 | opcode } else { opcode }];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).unwrap()),
        medium @ 126..=0xffff => {
            bytes.push(0xfe);
            bytes.extend(u16::try_from(medium).unwrap().to_be_bytes());
        }
        long => {
            bytes.push(0xff);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// Everything that comes out when these bytes go in.
fn read(wire: &mut Wire, bytes: &[u8]) -> Result<Vec<Incoming>, Close> {
    wire.receive(bytes);
    let mut all = Vec::new();
    while let Some(incoming) = wire.next()? {
        let is_over = incoming == Incoming::Closed;
        all.push(incoming);
        if is_over {
            break;
        }
    }
    Ok(all)
}

fn text(text: &str) -> Incoming {
    Incoming::Text(text.into())
}

#[test]
fn messages_come_out_whole_however_they_went_in() {
    let mut wire = Wire::new(1024);
    let mut bytes = frame(1, false, b"he");
    bytes.extend(frame(9, true, b"ping"));
    bytes.extend(frame(0, true, b"llo"));
    bytes.extend(frame(1, true, b"again"));
    let mut all = Vec::new();
    for byte in &bytes {
        all.extend(read(&mut wire, &[*byte]).unwrap());
    }
    assert_eq!(all, [Incoming::Control, text("hello"), text("again")]);
    assert_eq!(wire.outgoing(), [&[0x8a, 4][..], b"ping"].concat(), "the ping was answered");
}

#[test]
fn what_breaks_the_rules_is_told_apart() {
    let code = |bytes: &[u8]| read(&mut Wire::new(100), bytes).unwrap_err().code;
    assert_eq!(code(&frame(1, true, &[b'a'; 101])), Close::TOO_LONG);
    assert_eq!(code(&[frame(1, false, &[b'a'; 60]), frame(0, true, &[b'a'; 60])].concat()), Close::TOO_LONG);
    assert_eq!(code(&frame(1, true, &[0xff])), Close::NOT_TEXT);
    assert_eq!(code(&frame(2, true, b"x")), Close::UNSUPPORTED);
    assert_eq!(code(&frame(3, true, b"x")), Close::PROTOCOL, "a reserved kind");
    assert_eq!(code(&frame(0, true, b"x")), Close::PROTOCOL, "nothing to continue");
    assert_eq!(code(&frame(9, false, b"x")), Close::PROTOCOL, "a ping in parts");
    assert_eq!(code(&[0x81, 1, b'x']), Close::PROTOCOL, "not masked");
    assert_eq!(code(&[0xc1, 0x80, 0, 0, 0, 0]), Close::PROTOCOL, "a reserved bit");
}

#[test]
fn a_long_message_is_refused_by_its_header_alone_until_it_is_allowed() {
    let header = &frame(1, true, &vec![b'a'; 70_000])[..14];
    assert_eq!(read(&mut Wire::new(65_536), header).unwrap_err().code, Close::TOO_LONG);
    let mut wire = Wire::new(65_536);
    wire.allow(1 << 20);
    assert_eq!(read(&mut wire, &frame(1, true, &vec![b'a'; 70_000])).unwrap().len(), 1);
}

#[test]
fn the_end_is_answered_and_nothing_follows_it() {
    let mut wire = Wire::new(100);
    assert_eq!(read(&mut wire, &frame(8, true, &1000_u16.to_be_bytes())).unwrap(), [Incoming::Closed]);
    assert_eq!(wire.outgoing(), [0x88, 2, 3, 0xe8]);
    wire.send("too late".to_owned());
    assert_eq!(wire.outgoing().len(), 4);
}

#[test]
fn a_reason_fits_into_its_frame_and_is_cut_between_letters() {
    let close = Close::policy("ä".repeat(100));
    assert_eq!((close.reason.len(), close.reason.chars().count()), (122, 61));
    let mut wire = Wire::new(100);
    wire.close(&close);
    assert_eq!(wire.outgoing().len(), 2 + 2 + 122);
}

proptest! {
    #[test]
    fn no_bytes_break_anything(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..20)) {
        let mut wire = Wire::new(256);
        for chunk in chunks {
            match read(&mut wire, &chunk) {
                Ok(all) if all.last() == Some(&Incoming::Closed) => break,
                Ok(_) => {}
                Err(close) => {
                    prop_assert!(close.reason.len() <= 123);
                    break;
                }
            }
        }
    }
}

#[test]
fn texts_of_every_length_go_out_in_one_frame_and_leave_no_buffer_behind() {
    for length in [0, 125, 126, 0xffff, 0x1_0000] {
        let mut wire = Wire::new(1024);
        let text = "x".repeat(length);
        wire.send(text.clone());
        // What a client sends is the same but for the mask.
        let mut expected = frame(1, true, text.as_bytes());
        expected[1] &= 0x7f;
        let mask = expected.len() - length - 4;
        expected.drain(mask..mask + 4);
        assert_eq!(wire.outgoing(), expected, "{length}");
        wire.sent(expected.len());
        assert_eq!((wire.outgoing().len(), wire.pipe.outgoing.capacity()), (0, 0));
    }
}

#[test]
fn a_text_waits_for_the_answer_to_a_ping_and_never_follows_a_close() {
    let mut wire = Wire::new(1024);
    read(&mut wire, &frame(9, true, b"p")).unwrap();
    wire.send("a".to_owned());
    wire.close(&Close::policy("enough"));
    wire.send("b".to_owned());
    assert_eq!(wire.outgoing(), [&[0x8a, 1, b'p', 0x81, 1, b'a', 0x88, 8, 3, 0xf0][..], b"enough"].concat());
}
