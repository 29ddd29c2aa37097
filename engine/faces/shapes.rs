//! Finds the named shapes of a drawing and their bounding boxes. Calculates with integers: lengths are in thousandths of the drawing's
//! unit.

use super::complexity::{attributes, tags};

/// Maximum number of named shapes.
const MAX_SHAPES: usize = 8_000;

/// Maximum number of digits in the integer part of a number. A longer integer part is read as 0.
const MAX_DIGITS: usize = 6;

/// Fixed-point factors of lengths, and of the coefficients of a transformation that scale or rotate.
const UNIT: i64 = 1_000;
const SCALE: i64 = 1_000_000;

/// Largest coordinate, so that sums and products of lengths do not overflow.
const FARTHEST: i64 = 1_000_000_000_000;

/// Rectangle in a drawing, in thousandths of the drawing's unit unless it is relative to the drawing's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// Shape with a name, and its bounding box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedShape {
    pub(super) name: String,
    /// Whether the name comes from `data-place`. Other names come from ids, which drawing programs also generate.
    pub(super) is_place: bool,
    pub(super) area: Area,
}

impl Area {
    /// Returns the area relative to a drawing of the given size, in ten-thousandths of the drawing's width and height.
    pub(super) fn relative_to(self, (width, height): (i64, i64)) -> Self {
        let part = |length: i64, of: i64| (length * 10_000 / of.max(1)).clamp(-100_000, 100_000);
        Self {
            left: part(self.left, width),
            top: part(self.top, height),
            width: part(self.width, width),
            height: part(self.height, height),
        }
    }

    /// Divides the area into `number` equal parts in rows of `columns`.
    pub(super) fn split_into_rows(self, columns: usize, number: usize) -> impl Iterator<Item = Self> {
        let rows = number.div_ceil(columns.max(1));
        let (width, height) = (self.width / columns.max(1) as i64, self.height / rows.max(1) as i64);
        (0..number).map(move |at| Self {
            left: self.left + (at % columns.max(1)) as i64 * width,
            top: self.top + (at / columns.max(1)) as i64 * height,
            width,
            height,
        })
    }
}

/// Bounding box of the points added so far.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: (i64, i64),
    high: (i64, i64),
}

impl Bounds {
    const EMPTY: Self = Self { low: (i64::MAX, i64::MAX), high: (i64::MIN, i64::MIN) };

    fn add(&mut self, (x, y): (i64, i64)) {
        self.low = (self.low.0.min(x), self.low.1.min(y));
        self.high = (self.high.0.max(x), self.high.1.max(y));
    }

    fn join(&mut self, other: Self) {
        if other.low.0 <= other.high.0 {
            self.add(other.low);
            self.add(other.high);
        }
    }

    fn area(self, (left, top): (i64, i64)) -> Option<Area> {
        let (width, height) = (self.high.0.checked_sub(self.low.0)?, self.high.1.checked_sub(self.low.1)?);
        let area = Area { left: self.low.0 - left, top: self.low.1 - top, width, height };
        (width > 0 && height > 0).then_some(area)
    }
}

/// An affine transformation: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy)]
struct Transform {
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
}

impl Transform {
    const NONE: Self = Self { a: SCALE, b: 0, c: 0, d: SCALE, e: 0, f: 0 };

    fn apply(self, (x, y): (i64, i64)) -> (i64, i64) {
        let sum = |p: i64, q: i64, r: i64| {
            let scaled = (i128::from(p) * i128::from(x) + i128::from(q) * i128::from(y)) / i128::from(SCALE);
            i64::try_from(scaled).unwrap_or_default().saturating_add(r).clamp(-FARTHEST, FARTHEST)
        };
        (sum(self.a, self.c, self.e), sum(self.b, self.d, self.f))
    }

    /// Returns the transformation that applies first `inner` and then `self`.
    fn after(self, inner: Self) -> Self {
        let part = |p: i64, q: i64, r: i64, s: i64| {
            let product = (i128::from(p) * i128::from(q) + i128::from(r) * i128::from(s)) / i128::from(SCALE);
            i64::try_from(product).unwrap_or_default()
        };
        let (e, f) = self.apply((inner.e, inner.f));
        Self {
            a: part(self.a, inner.a, self.c, inner.b),
            b: part(self.b, inner.a, self.d, inner.b),
            c: part(self.a, inner.c, self.c, inner.d),
            d: part(self.b, inner.c, self.d, inner.d),
            e,
            f,
        }
    }

    /// Parses a `transform` attribute. Ignores skews, and rotations by angles other than multiples of 90°. Fractions of a degree are
    /// dropped.
    fn parse(text: &str) -> Self {
        let mut all = Self::NONE;
        for part in text.split(')') {
            let Some((name, arguments)) = part.split_once('(') else { continue };
            let numbers = numbers(arguments);
            let length = |at: usize| numbers.get(at).copied().unwrap_or_default();
            let factor = |at: usize, other: i64| numbers.get(at).map_or(other, |number| number * (SCALE / UNIT));
            let next = match name.trim().trim_start_matches(',').trim() {
                "translate" => Self { e: length(0), f: length(1), ..Self::NONE },
                "scale" => Self { a: factor(0, SCALE), d: factor(1, factor(0, SCALE)), ..Self::NONE },
                "matrix" => Self {
                    a: factor(0, SCALE),
                    b: factor(1, 0),
                    c: factor(2, 0),
                    d: factor(3, SCALE),
                    e: length(4),
                    f: length(5),
                },
                "rotate" => quarter_turn(length(0), (length(1), length(2))),
                _ => Self::NONE,
            };
            all = all.after(next);
        }
        all
    }
}

fn quarter_turn(angle: i64, (x, y): (i64, i64)) -> Transform {
    const QUARTER: i64 = 90 * UNIT;
    let (cos, sin) = match angle.rem_euclid(4 * QUARTER) {
        QUARTER => (0, SCALE),
        angle if angle == 2 * QUARTER => (-SCALE, 0),
        angle if angle == 3 * QUARTER => (0, -SCALE),
        _ => return Transform::NONE,
    };
    let turn = Transform { a: cos, b: sin, c: -sin, d: cos, e: 0, f: 0 };
    let there = Transform { e: x, f: y, ..Transform::NONE };
    let back = Transform { e: -x, f: -y, ..Transform::NONE };
    there.after(turn).after(back)
}

/// Parses all numbers in `text`, in thousandths. Everything else is treated as a separator.
fn numbers(text: &str) -> Vec<i64> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '.') {
        let is_negative = rest[..start].ends_with('-');
        rest = &rest[start..];
        let whole_ends = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (whole, after) = rest.split_at(whole_ends);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len())),
            None => ("", after),
        };
        let whole = if whole.len() > MAX_DIGITS { 0 } else { whole.parse::<i64>().unwrap_or_default() };
        let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
        let number = whole * UNIT + thousandths.parse::<i64>().unwrap_or_default();
        let (exponent, after) = exponent(after).unwrap_or((0, after));
        let number = scale(number, exponent);
        found.push(if is_negative { -number } else { number });
        rest = after;
    }
    found
}

/// Parses an exponent such as `e-3` at the start of `text`. Returns the exponent and the text after it.
fn exponent(text: &str) -> Option<(i32, &str)> {
    let signed = text.strip_prefix(['e', 'E'])?;
    let digits = signed.strip_prefix(['-', '+']).unwrap_or(signed);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, after) = digits.split_at(end);
    let size = if digits.is_empty() { return None } else { digits.parse().unwrap_or(i32::MAX) };
    Some((if signed.starts_with('-') { -size } else { size }, after))
}

/// Multiplies a number by a power of ten. Returns 0 if the product has too many digits, like a number with too many digits.
fn scale(number: i64, exponent: i32) -> i64 {
    let factor = 10_i64.checked_pow(exponent.unsigned_abs());
    match factor {
        Some(factor) if exponent < 0 => number / factor,
        Some(factor) => {
            number.checked_mul(factor).filter(|scaled| *scaled < 10_i64.pow(MAX_DIGITS as u32) * UNIT).unwrap_or(0)
        }
        None => 0,
    }
}

/// Size and named shapes of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shapes {
    /// Width and height, in thousandths of the drawing's unit.
    pub(super) size: (i64, i64),
    /// Width on paper in tenths of a millimeter, if the drawing states it.
    pub(super) paper_width: Option<u32>,
    /// Named shapes, relative to the top left corner of the drawing.
    pub(super) named: Vec<NamedShape>,
}

/// Parses a length with a unit of paper. Returns tenths of a millimeter; `None` for lengths without such a unit.
fn paper_length(text: &str) -> Option<u32> {
    const UNITS: [(&str, i64); 5] = [("mm", 10_000), ("cm", 100_000), ("in", 254_000), ("pt", 3_528), ("pc", 42_333)];
    let text = text.trim();
    let (number, factor) = UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))?;
    let length = numbers(number).first()? * factor / (UNIT * UNIT);
    u32::try_from(length).ok().filter(|length| *length > 0)
}

/// Parses the size and the named shapes of a drawing. Returns `None` if the drawing has no size.
pub(super) fn parse_shapes(svg: &str) -> Option<Shapes> {
    let mut view: Option<[i64; 4]> = None;
    let mut paper_width = None;
    let mut found: Vec<NamedShape> = Vec::new();
    // For each open element: its transformation, its name, and the bounds of its content.
    let mut open: Vec<(Transform, Option<(String, bool)>, Bounds)> = Vec::new();
    let mut outside = 0_usize;
    for tag in tags(svg) {
        let is_outside = matches!(tag.name, "defs" | "clipPath" | "mask" | "pattern" | "marker" | "symbol");
        if tag.is_closing {
            if is_outside {
                outside = outside.saturating_sub(1);
            }
            let Some((_, name, bounds)) = open.pop() else { continue };
            if let Some((_, _, outer)) = open.last_mut() {
                outer.join(bounds);
            }
            let [left, top, ..] = view.unwrap_or_default();
            if let (Some((name, is_place)), Some(area)) = (name, bounds.area((left, top))) {
                found.push(NamedShape { name, is_place, area });
            }
            continue;
        }
        let all: Vec<(&str, &str)> = attributes(&tag).collect();
        let attribute = |wanted: &str| all.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        if tag.name == "svg" && view.is_none() {
            paper_width = attribute("width").and_then(paper_length);
            let side = |name: &str| attribute(name).and_then(|text| numbers(text).first().copied());
            let declared = attribute("viewBox").map(numbers).filter(|view| view.len() == 4);
            view = match declared {
                Some(numbers) => Some([numbers[0], numbers[1], numbers[2], numbers[3]]),
                None => Some([0, 0, side("width")?, side("height")?]),
            };
        }
        let outer = open.last().map_or(Transform::NONE, |(transform, ..)| *transform);
        let transform = attribute("transform").map_or(outer, |text| outer.after(Transform::parse(text)));
        let place = attribute("data-place").map(|name| (name.to_owned(), true));
        let name = place.or_else(|| attribute("id").map(|name| (name.to_owned(), false)));
        let name = name.filter(|_| tag.name != "svg" && outside == 0 && found.len() < MAX_SHAPES);
        let mut bounds = Bounds::EMPTY;
        if outside == 0 && !is_outside {
            for point in points(tag.name, &attribute) {
                bounds.add(transform.apply(point));
            }
        }
        if tag.is_empty {
            if let Some((_, _, outer)) = open.last_mut() {
                outer.join(bounds);
            }
            let [left, top, ..] = view.unwrap_or_default();
            if let (Some((name, is_place)), Some(area)) = (name, bounds.area((left, top))) {
                found.push(NamedShape { name, is_place, area });
            }
        } else {
            outside += usize::from(is_outside);
            open.push((transform, name, bounds));
        }
    }
    let [_, _, width, height] = view.filter(|view| view[2] > 0 && view[3] > 0)?;
    Some(Shapes { size: (width, height), paper_width, named: found })
}

/// Returns points whose bounding box approximates that of the shape. Control points of curves are included, so the box may be larger. Arcs
/// count only with their end points, so the box may be smaller.
fn points<'t>(name: &str, attribute: &dyn Fn(&str) -> Option<&'t str>) -> Vec<(i64, i64)> {
    let number = |name: &str| attribute(name).and_then(|text| numbers(text).first().copied()).unwrap_or_default();
    let corners = |x: i64, y: i64, width: i64, height: i64| {
        vec![(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    };
    match name {
        "rect" | "image" | "use" => corners(number("x"), number("y"), number("width"), number("height")),
        "circle" => {
            let radius = number("r");
            corners(number("cx") - radius, number("cy") - radius, 2 * radius, 2 * radius)
        }
        "ellipse" => {
            let (rx, ry) = (number("rx"), number("ry"));
            corners(number("cx") - rx, number("cy") - ry, 2 * rx, 2 * ry)
        }
        "polygon" | "polyline" => {
            let all = numbers(attribute("points").unwrap_or_default());
            all.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
        }
        "path" => path_points(attribute("d").unwrap_or_default()),
        _ => Vec::new(),
    }
}

/// Returns the end points and control points of a path.
fn path_points(text: &str) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    let ((mut x, mut y), mut start) = ((0_i64, 0_i64), (0_i64, 0_i64));
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| "MLHVCSQTAZmlhvcsqtaz".contains(c)) {
        let command = rest[at..].chars().next().unwrap_or('Z');
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| "MLHVCSQTAZmlhvcsqtaz".contains(c)).unwrap_or(rest.len());
        let numbers = numbers(&rest[..end]);
        rest = &rest[end..];
        let is_relative = command.is_ascii_lowercase();
        let from = |base: i64, offset: i64| if is_relative { base + offset } else { offset };
        match command.to_ascii_uppercase() {
            'H' => numbers.iter().for_each(|number| {
                x = from(x, *number);
                found.push((x, y));
            }),
            'V' => numbers.iter().for_each(|number| {
                y = from(y, *number);
                found.push((x, y));
            }),
            'Z' => (x, y) = start,
            'A' => {
                for arc in numbers.chunks_exact(7) {
                    (x, y) = (from(x, arc[5]), from(y, arc[6]));
                    found.push((x, y));
                }
            }
            command => {
                let pairs = match command {
                    'C' => 3,
                    'S' | 'Q' => 2,
                    _ => 1,
                };
                for group in numbers.chunks_exact(2 * pairs) {
                    let (base_x, base_y) = (x, y);
                    for pair in group.chunks_exact(2) {
                        (x, y) = (from(base_x, pair[0]), from(base_y, pair[1]));
                        found.push((x, y));
                    }
                }
                if command == 'M' {
                    start = found.last().copied().unwrap_or(start);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Area, Shapes, numbers, paper_length, parse_shapes};

    #[test]
    fn shapes_have_the_rectangles_around_them() {
        let svg = "<svg viewBox=\"10 0 200 100\"><defs><rect id=\"a\" width=\"9\" height=\"9\"/></defs>\
                   <g transform=\"translate(10,5) scale(2)\"><rect id=\"deck\" x=\"1\" y=\"2\" width=\"10\" height=\"5\"/></g>\
                   <g id=\"group\"><circle cx=\"50\" cy=\"50\" r=\"10\"/><path d=\"m100 20h10v-5.5z\"/></g>\
                   <rect data-place=\"bag\" transform=\"rotate(90 100 50)\" x=\"90\" y=\"45\" width=\"20\" height=\"10\"></rect></svg>";
        let Shapes { size, paper_width, named: found } = parse_shapes(svg).unwrap();
        assert_eq!((size, paper_width), ((200_000, 100_000), None));
        let named = |name: &str| found.iter().find(|shape| shape.name == name).map(|shape| shape.area);
        assert_eq!(named("deck"), Some(Area { left: 2_000, top: 9_000, width: 20_000, height: 10_000 }));
        assert_eq!(named("group"), Some(Area { left: 30_000, top: 14_500, width: 70_000, height: 45_500 }));
        assert_eq!(named("bag"), Some(Area { left: 85_000, top: 40_000, width: 10_000, height: 20_000 }));
        assert_eq!(named("a"), None);
        assert!(found.iter().all(|shape| shape.is_place == (shape.name == "bag")));
        assert_eq!(parse_shapes("<svg></svg>"), None);
    }

    #[test]
    fn lengths_on_paper_have_units() {
        let lengths =
            ["420mm", " 42 cm ", "1.5in", "72pt", "6pc", "640", "640px", "100%", "0mm", "mm"].map(paper_length);
        let [millimeters, points] = [Some(4_200), Some(254)];
        let wanted = [millimeters, millimeters, Some(381), points, Some(253), None, None, None, None, None];
        assert_eq!(lengths, wanted);
    }

    #[test]
    fn lengths_of_any_size_do_not_overflow() {
        let far = "<g transform=\"scale(999999)\">".repeat(4);
        let svg = format!(
            "<svg viewBox=\"0 0 1 1\">{far}<rect id=\"a\" x=\"-999999\" width=\"999999\" height=\"999999\"/><rect id=\"b\" x=\"999999\" \
             width=\"999999\" height=\"999999\"/>{}</svg>",
            "</g>".repeat(4)
        );
        let shapes = parse_shapes(&svg).unwrap();
        for shape in &shapes.named {
            let area = shape.area.relative_to(shapes.size);
            assert!(area.left.abs() <= 100_000 && area.width <= 100_000, "{area:?}");
        }
    }

    #[test]
    fn numbers_may_touch_each_other() {
        assert_eq!(numbers("1.5-2,.25 3"), [1_500, -2_000, 250, 3_000]);
        assert_eq!(numbers("12px 99999999"), [12_000, 0]);
        assert_eq!(numbers("15e-1 1e-9 2.5E+2 4e99 3em 4"), [1_500, 0, 250_000, 0, 3_000, 4_000]);
    }

    #[test]
    fn an_area_is_divided_in_rows() {
        let area = Area { left: 0, top: 0, width: 90, height: 40 };
        let parts: Vec<Area> = area.split_into_rows(3, 6).collect();
        assert_eq!(parts.len(), 6);
        assert_eq!(parts[4], Area { left: 30, top: 20, width: 30, height: 20 });
    }
}
