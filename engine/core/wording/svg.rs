//! Writes SVG.

use std::fmt::{self, Display, Write};

/// SVG under construction: elements in the order in which they are drawn.
///
/// Texts and the values of attributes are escaped. Names of elements and attributes are written as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// Starts an element without attributes. End it with [`Element::empty`], [`Element::text`], [`Element::titled`] or
    /// [`Element::content`].
    pub fn element(&mut self, name: &'static str) -> Element<'_> {
        self.text.push('<');
        self.text.push_str(name);
        Element { svg: self, name }
    }

    /// Starts an image within a page. `class` is its CSS class; `corner` and `size` are its view box.
    pub fn inline_image<N: Display>(&mut self, class: impl Display, corner: (N, N), size: (N, N)) -> Element<'_> {
        self.element("svg").set("class", class).set_view(corner, size)
    }

    /// Starts a whole image, which is complete outside of a page. `corner` and `size` are its view box.
    pub fn image<N: Display>(&mut self, corner: (N, N), size: (N, N)) -> Element<'_> {
        let image = self.element("svg").set("xmlns", "http://www.w3.org/2000/svg");
        image.set_view(corner, size)
    }

    /// Starts a rectangle with its left top corner and its size.
    pub fn rect<N: Display>(&mut self, corner: (N, N), size: (N, N)) -> Element<'_> {
        self.element("rect").set_place(corner, size)
    }

    /// Starts a rectangle that contains HTML.
    pub fn foreign_object<N: Display>(&mut self, corner: (N, N), size: (N, N)) -> Element<'_> {
        self.element("foreignObject").set_place(corner, size)
    }

    /// Starts a line.
    pub fn line<N: Display>(&mut self, (x1, y1): (N, N), (x2, y2): (N, N)) -> Element<'_> {
        self.element("line").set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
    }

    /// Starts a circle.
    pub fn circle<N: Display>(&mut self, (x, y): (N, N), radius: impl Display) -> Element<'_> {
        self.element("circle").set("cx", x).set("cy", y).set("r", radius)
    }

    /// Starts a polygon.
    pub fn polygon<N: Display>(&mut self, points: impl IntoIterator<Item = (N, N)>) -> Element<'_> {
        self.points("polygon", points)
    }

    /// Starts a line through several points.
    pub fn polyline<N: Display>(&mut self, points: impl IntoIterator<Item = (N, N)>) -> Element<'_> {
        self.points("polyline", points)
    }

    fn points<N: Display>(&mut self, name: &'static str, points: impl IntoIterator<Item = (N, N)>) -> Element<'_> {
        let mut list = String::new();
        for (x, y) in points {
            let space = if list.is_empty() { "" } else { " " };
            let _ = write!(list, "{space}{x},{y}");
        }
        self.element(name).set("points", list)
    }

    /// Starts a label at the position of its baseline.
    pub fn label<N: Display>(&mut self, (x, y): (N, N)) -> Element<'_> {
        self.element("text").set("x", x).set("y", y)
    }

    /// Appends other elements.
    pub fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
    }

    /// Appends complete markup, such as the face of a piece, as it is.
    pub fn append_markup(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// Starts a new line of the source, for drawings that people edit.
    pub fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Returns the source.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// An element whose attributes are being written.
#[derive(Debug)]
#[must_use = "an element has to be ended"]
pub struct Element<'a> {
    svg: &'a mut Svg,
    name: &'static str,
}

impl Element<'_> {
    /// Adds an attribute.
    pub fn set(self, name: &'static str, value: impl Display) -> Self {
        let text = &mut self.svg.text;
        text.push(' ');
        text.push_str(name);
        text.push_str("=\"");
        let _ = write!(Escaping(text), "{value}");
        text.push('"');
        self
    }

    /// Adds an attribute if there is a value.
    pub fn set_some(self, name: &'static str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }

    fn set_place<N: Display>(self, (x, y): (N, N), (width, height): (N, N)) -> Self {
        self.set("x", x).set("y", y).set("width", width).set("height", height)
    }

    /// Adds the view box of an image: the left top corner and the size of the visible part.
    fn set_view<N: Display>(self, (x, y): (N, N), (width, height): (N, N)) -> Self {
        self.set("viewBox", format_args!("{x} {y} {width} {height}"))
    }

    /// Ends the element without content.
    pub fn empty(self) {
        self.svg.text.push_str("/>");
    }

    /// Ends the element with a text as its content.
    pub fn text(self, content: impl Display) {
        self.content(|svg| {
            let _ = write!(Escaping(&mut svg.text), "{content}");
        });
    }

    /// Ends the element with a tooltip as its content.
    pub fn titled(self, tip: &str) {
        self.content(|svg| svg.element("title").text(tip));
    }

    /// Ends the element with the elements that `draw` appends as its content.
    pub fn content(self, draw: impl FnOnce(&mut Svg)) {
        let Self { svg, name } = self;
        svg.text.push('>');
        draw(svg);
        svg.text.push_str("</");
        svg.text.push_str(name);
        svg.text.push('>');
    }
}

/// Escapes what is written for HTML and SVG.
struct Escaping<'a>(&'a mut String);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                letter => self.0.push(letter),
            }
        }
        Ok(())
    }
}

/// Escapes a text for HTML and SVG.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let _ = Escaping(&mut escaped).write_str(text);
    escaped
}

#[cfg(test)]
mod tests {
    use super::Svg;

    #[test]
    fn texts_and_attributes_are_escaped() {
        let mut svg = Svg::default();
        svg.element("g").set("class", "a\"b").content(|svg| {
            svg.rect((1, 2), (3, 4)).titled("<Ann & Ben>");
            svg.polyline([(1.5, 2.0), (3.0, 4.25)]).set_some("fill", None::<&str>).empty();
            svg.label((0, 0)).text("\"<\"");
        });
        assert_eq!(
            svg.into_text(),
            "<g class=\"a&quot;b\"><rect x=\"1\" y=\"2\" width=\"3\" height=\"4\"><title>&lt;Ann &amp; Ben&gt;</title></rect>\
             <polyline points=\"1.5,2 3,4.25\"/><text x=\"0\" y=\"0\">&quot;&lt;&quot;</text></g>"
        );
    }
}
