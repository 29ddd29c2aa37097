//! Width and height of raster pictures, from their headers. A picture of few bytes can have so many pixels that a browser has no memory for
//! them.

/// Returns the number of pixels of a PNG, JPEG or WebP picture. If headers contradict each other, the largest number counts; a picture
/// without a readable header has no pixels, because no browser shows it.
pub(super) fn pixel_count(bytes: &[u8]) -> u64 {
    match bytes {
        [0x89, b'P', ..] => png(bytes),
        [0xff, 0xd8, ..] => jpeg(bytes),
        _ => webp(bytes),
    }
}

/// Returns the number of pixels of a PNG file. An animation has a header for each frame; the largest product of width and height in any
/// header counts.
fn png(bytes: &[u8]) -> u64 {
    let side = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u64::from(u32::from_be_bytes([four[0], four[1], four[2], four[3]])))
    };
    let chunk = |at: usize| {
        let start = match &bytes[at..at + 4] {
            b"IHDR" => at + 4,
            // The sequence number of the frame precedes the width.
            b"fcTL" => at + 8,
            _ => return None,
        };
        Some(side(start)?.saturating_mul(side(start + 4)?))
    };
    (0..bytes.len().saturating_sub(3)).filter_map(chunk).max().unwrap_or_default()
}

/// Returns the largest product of width and height in the frame headers of a JPEG file.
fn jpeg(bytes: &[u8]) -> u64 {
    let is_frame = |marker: u8| (0xc0..=0xcf).contains(&marker) && ![0xc4, 0xc8, 0xcc].contains(&marker);
    let frames = bytes.windows(9).filter(|window| window[0] == 0xff && is_frame(window[1]));
    let pixels = frames.map(|frame| {
        let side = |at: usize| u64::from(u16::from_be_bytes([frame[at], frame[at + 1]]));
        side(5) * side(7)
    });
    pixels.max().unwrap_or_default()
}

/// Returns the largest product of width and height in the chunks of a WebP file.
fn webp(bytes: &[u8]) -> u64 {
    let number = |part: &[u8], at: usize, length: usize| {
        part.get(at..at + length)?.iter().rev().try_fold(0_u64, |sum, byte| Some(sum << 8 | u64::from(*byte)))
    };
    let chunk = |at: usize| {
        let (name, content) = (bytes.get(at..at + 4)?, bytes.get(at + 8..)?);
        let (width, height) = match name {
            b"VP8X" => (number(content, 4, 3)? + 1, number(content, 7, 3)? + 1),
            b"VP8L" => {
                let bits = number(content, 1, 4)?;
                ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
            }
            b"VP8 " => (number(content, 6, 2)? & 0x3fff, number(content, 8, 2)? & 0x3fff),
            _ => return None,
        };
        Some(width * height)
    };
    (0..bytes.len()).filter_map(chunk).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::pixel_count;

    #[test]
    fn the_size_of_a_picture_is_in_its_header() {
        let png = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[0, 0, 1, 0, 0, 0, 0, 16]].concat();
        assert_eq!(pixel_count(&png), 256 * 16);
        let frame = [b"\0\0\0\x1afcTL\0\0\0\0".as_slice(), &[0, 1, 0, 0, 0, 1, 0, 0]].concat();
        assert_eq!(pixel_count(&[&*png, &frame].concat()), 1 << 32);
        let jpeg = b"\xff\xd8\xff\xe0\0\x04\0\0\xff\xc2\0\x11\x08\x01\x00\x02\x00";
        assert_eq!(pixel_count(jpeg), 256 * 512);
        let webp = |name: &[u8], content: &[u8]| pixel_count(&[b"RIFF....WEBP", name, b"\0\0\0\0", content].concat());
        assert_eq!(webp(b"VP8X", &[0, 0, 0, 0, 255, 0, 0, 1, 0, 0]), 256 * 2);
        assert_eq!(webp(b"VP8L", &[0x2f, 0xff, 0xc0, 0, 0]), 256 * 4);
        assert_eq!(webp(b"VP8 ", &[0, 0, 0, 0x9d, 1, 0x2a, 64, 0, 32, 0]), 64 * 32);
        assert_eq!(pixel_count(b"\x89PNG\r\n\x1a\ncoin"), 0);
    }
}
