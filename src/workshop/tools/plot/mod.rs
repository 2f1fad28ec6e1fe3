//! Small plots as SVG text: axes with ticks, lines, points, error bars and a legend.
//!
//! Measuring tools draw one picture each (ratings with intervals, a reliability curve, a learning
//! curve), and a plotting crate would be larger than the rest of the program. An SVG is text, so
//! it can be looked at in any browser and compared in a test.
//!
//! ```
//! use tengen::workshop::tools::plot::{Axis, Plot, Series};
//!
//! let plot = Plot::new("Accuracy of a model")
//!     .x(Axis::new("games").log())
//!     .y(Axis::new("top-1, %").range(0.0, 50.0))
//!     .series(
//!         Series::line("3x3 patterns")
//!             .point(100.0, 21.5)
//!             .point(1000.0, 28.1)
//!             .point_with_error(10_000.0, 31.9, 0.4),
//!     );
//! assert!(plot.to_svg().starts_with("<svg"));
//! ```

mod scale;

use anyhow::Context;
use scale::Scale;
use std::fmt::Write as _;
use std::path::Path;

/// Colours that colour-blind readers can tell apart (Okabe and Ito), black last.
const PALETTE: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000"];

const FONT: &str = "font-family=\"sans-serif\" font-size=\"12\"";
const LETTER_WIDTH: f64 = 7.0;

/// One axis: its label, range, scale and ticks.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    label: String,
    range: Option<(f64, f64)>,
    log: bool,
    names: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis whose range fits the data.
    pub fn new(label: &str) -> Axis {
        Axis { label: label.to_owned(), ..Axis::default() }
    }

    /// Fixes the range.
    pub fn range(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    /// Makes the axis logarithmic. Values that are not positive are left out of the plot.
    pub fn log(mut self) -> Axis {
        self.log = true;
        self
    }

    /// Puts a named tick at a value; an axis with named ticks has no numbers.
    pub fn name(mut self, at: f64, name: &str) -> Axis {
        self.names.push((at, name.to_owned()));
        self
    }
}

/// A value with the interval around it.
#[derive(Clone, Copy, Debug)]
struct Value {
    at: f64,
    low: f64,
    high: f64,
}

impl Value {
    fn exact(at: f64) -> Value {
        Value { at, low: at, high: at }
    }
}

/// Points that belong together: drawn in one colour and named in the legend.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    points: Vec<(Value, Value)>,
    line: bool,
    markers: bool,
    dashed: bool,
}

impl Series {
    /// Points joined by a line, in the order in which they are added.
    pub fn line(name: &str) -> Series {
        Series { name: name.to_owned(), points: vec![], line: true, markers: true, dashed: false }
    }

    /// Points without a line.
    pub fn points(name: &str) -> Series {
        Series { line: false, ..Series::line(name) }
    }

    /// A dashed line without markers, for what the data is compared with.
    pub fn reference(name: &str) -> Series {
        Series { markers: false, dashed: true, ..Series::line(name) }
    }

    /// Adds a point.
    pub fn point(mut self, x: f64, y: f64) -> Series {
        self.points.push((Value::exact(x), Value::exact(y)));
        self
    }

    /// Adds a point with a symmetric error bar: y plus and minus `error`.
    pub fn point_with_error(self, x: f64, y: f64, error: f64) -> Series {
        self.point_with_interval(x, y, y - error, y + error)
    }

    /// Adds a point with a vertical bar from `low` to `high`.
    pub fn point_with_interval(mut self, x: f64, y: f64, low: f64, high: f64) -> Series {
        self.points.push((Value::exact(x), Value { at: y, low, high }));
        self
    }

    /// Adds a point with a horizontal bar from `low` to `high`.
    pub fn point_with_x_interval(mut self, x: f64, y: f64, low: f64, high: f64) -> Series {
        self.points.push((Value { at: x, low, high }, Value::exact(y)));
        self
    }
}

/// A plot: a title, two axes and any number of series.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    width: f64,
    height: f64,
}

impl Plot {
    /// An empty plot of 640 x 400 pixels.
    pub fn new(title: &str) -> Plot {
        Plot {
            title: title.to_owned(),
            x: Axis::default(),
            y: Axis::default(),
            series: vec![],
            width: 640.0,
            height: 400.0,
        }
    }

    /// Sets the horizontal axis.
    pub fn x(mut self, axis: Axis) -> Plot {
        self.x = axis;
        self
    }

    /// Sets the vertical axis.
    pub fn y(mut self, axis: Axis) -> Plot {
        self.y = axis;
        self
    }

    /// Sets the size in pixels.
    pub fn size(mut self, width: f64, height: f64) -> Plot {
        (self.width, self.height) = (width, height);
        self
    }

    /// Adds a series.
    pub fn series(mut self, series: Series) -> Plot {
        self.series.push(series);
        self
    }

    /// The picture. Values that are not finite are left out.
    pub fn to_svg(&self) -> String {
        let values = |of: fn(&(Value, Value)) -> Value| {
            self.series
                .iter()
                .flat_map(|series| &series.points)
                .map(of)
                .flat_map(|value| [value.at, value.low, value.high])
        };
        let x_scale = Scale::new(&self.x, values(|point| point.0));
        let y_scale = Scale::new(&self.y, values(|point| point.1));
        let (x_ticks, y_ticks) = (x_scale.ticks(&self.x), y_scale.ticks(&self.y));
        let longest = y_ticks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        let left = 36.0 + LETTER_WIDTH * longest as f64;
        let frame = Frame {
            left,
            right: self.width - 20.0,
            top: 36.0,
            bottom: self.height - 50.0,
            x_scale,
            y_scale,
        };
        let mut svg = String::new();
        let (width, height) = (self.width, self.height);
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" {FONT}>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
        );
        text(&mut svg, (width / 2.0, 22.0), "middle", "font-weight=\"bold\"", &self.title);
        frame.draw_ticks(&mut svg, &x_ticks, &y_ticks);
        let middle = (frame.left + frame.right) / 2.0;
        text(&mut svg, (middle, height - 12.0), "middle", "", &self.x.label);
        let (label_x, label_y) = (18.0, (frame.top + frame.bottom) / 2.0);
        let turned = format!("transform=\"rotate(-90 {label_x} {label_y:.1})\"");
        text(&mut svg, (label_x, label_y), "middle", &turned, &self.y.label);
        for (index, series) in self.series.iter().enumerate() {
            frame.draw_series(&mut svg, series, PALETTE[index % PALETTE.len()]);
        }
        self.legend(&mut svg, &frame);
        svg.push_str("</svg>\n");
        svg
    }

    /// Writes the picture to a file.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        std::fs::write(path, self.to_svg())
            .with_context(|| format!("cannot write '{}'", path.display()))
    }

    /// The named series, below each other in a corner.
    fn legend(&self, svg: &mut String, frame: &Frame) {
        let named: Vec<_> =
            self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()).collect();
        let Some(longest) = named.iter().map(|(_, series)| series.name.chars().count()).max()
        else {
            return;
        };
        let box_width = 40.0 + LETTER_WIDTH * longest as f64;
        let box_height = 8.0 + 16.0 * named.len() as f64;
        let (x, y) = self.free_corner(frame, box_width, box_height);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{box_width:.1}\" height=\"{box_height:.1}\" \
             fill=\"#ffffff\" fill-opacity=\"0.85\" stroke=\"#b0b0b0\"/>"
        );
        for (row, (index, series)) in named.into_iter().enumerate() {
            let color = PALETTE[index % PALETTE.len()];
            let y = y + 12.0 + 16.0 * row as f64;
            if series.line {
                let dashes = if series.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
                let stroke = format!("stroke=\"{color}\" stroke-width=\"1.5\"{dashes}");
                line(svg, (x + 6.0, y), (x + 28.0, y), &stroke);
            }
            if series.markers {
                marker(svg, x + 17.0, y, color);
            }
            text(svg, (x + 34.0, y + 4.0), "start", "", &series.name);
        }
    }

    /// The corner in which a box of this size hides least; the lower right one if others are no better.
    fn free_corner(&self, frame: &Frame, width: f64, height: f64) -> (f64, f64) {
        let drawn: Vec<_> = self.series.iter().flat_map(|series| frame.places(series)).collect();
        let hidden = |&(left, top): &(f64, f64)| {
            let inside = |&&(x, y): &&(f64, f64)| {
                (left..left + width).contains(&x) && (top..top + height).contains(&y)
            };
            drawn.iter().filter(inside).count()
        };
        let (left, right) = (frame.left + 6.0, frame.right - width - 6.0);
        let (top, bottom) = (frame.top + 6.0, frame.bottom - height - 6.0);
        let corners = [(right, bottom), (right, top), (left, top), (left, bottom)];
        corners.into_iter().min_by_key(hidden).unwrap_or((right, bottom))
    }
}

/// The rectangle in which the data is drawn, and which values lie where in it.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x_scale: Scale,
    y_scale: Scale,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        self.left + self.x_scale.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.y_scale.share(value) * (self.bottom - self.top)
    }

    /// The grid with its numbers, and the two axes.
    fn draw_ticks(&self, svg: &mut String, x_ticks: &[(f64, String)], y_ticks: &[(f64, String)]) {
        for (value, name) in x_ticks {
            let x = self.x(*value);
            line(svg, (x, self.top), (x, self.bottom), "stroke=\"#e0e0e0\"");
            text(svg, (x, self.bottom + 18.0), "middle", "", name);
        }
        for (value, name) in y_ticks {
            let y = self.y(*value);
            line(svg, (self.left, y), (self.right, y), "stroke=\"#e0e0e0\"");
            text(svg, (self.left - 8.0, y + 4.0), "end", "", name);
        }
        let corner = (self.left, self.bottom);
        line(svg, corner, (self.right, self.bottom), "stroke=\"#000000\"");
        line(svg, corner, (self.left, self.top), "stroke=\"#000000\"");
    }

    /// The points of a series that can be drawn.
    fn visible<'a>(&self, series: &'a Series) -> Vec<&'a (Value, Value)> {
        let visible = |value: &Value, scale: &Scale| scale.holds(value.at) && !value.low.is_nan();
        let points = series.points.iter();
        points.filter(|(x, y)| visible(x, &self.x_scale) && visible(y, &self.y_scale)).collect()
    }

    /// Places on a series: its points, and some between those that a line joins.
    fn places(&self, series: &Series) -> Vec<(f64, f64)> {
        let points = self.visible(series).into_iter();
        let points: Vec<_> = points.map(|(x, y)| (self.x(x.at), self.y(y.at))).collect();
        let pairs = points.windows(2).filter(|_| series.line);
        let between = pairs.flat_map(|pair| {
            (1..10).map(move |tenth| {
                let share = f64::from(tenth) / 10.0;
                let on = |from: f64, to: f64| from + share * (to - from);
                (on(pair[0].0, pair[1].0), on(pair[0].1, pair[1].1))
            })
        });
        between.chain(points.iter().copied()).collect()
    }

    fn draw_series(&self, svg: &mut String, series: &Series, color: &str) {
        let points = self.visible(series);
        if series.line && points.len() > 1 {
            let path: Vec<String> = points
                .iter()
                .map(|(x, y)| format!("{:.1},{:.1}", self.x(x.at), self.y(y.at)))
                .collect();
            let dashes = if series.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" \
                 stroke-width=\"1.5\"{dashes}/>",
                path.join(" ")
            );
        }
        let stroke = format!("stroke=\"{color}\"");
        for (x, y) in points {
            let (at_x, at_y) = (self.x(x.at), self.y(y.at));
            if y.high > y.low {
                let (low, high) = (self.y(y.low), self.y(y.high));
                line(svg, (at_x, low), (at_x, high), &stroke);
                for end in [low, high] {
                    line(svg, (at_x - 3.0, end), (at_x + 3.0, end), &stroke);
                }
            }
            if x.high > x.low {
                let (low, high) = (self.x(x.low), self.x(x.high));
                line(svg, (low, at_y), (high, at_y), &stroke);
                for end in [low, high] {
                    line(svg, (end, at_y - 3.0), (end, at_y + 3.0), &stroke);
                }
            }
            if series.markers {
                marker(svg, at_x, at_y, color);
            }
        }
    }
}

fn marker(svg: &mut String, x: f64, y: f64, color: &str) {
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
    );
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, style: &str, content: &str) {
    let (x, y) = at;
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{}</text>",
        escape(content)
    );
}

/// Text as XML allows it: markup escaped, control characters dropped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_land_where_they_should() {
        let plot = Plot::new("")
            .x(Axis::new("").range(0.0, 10.0))
            .y(Axis::new("").range(0.0, 10.0))
            .series(Series::points("").point(0.0, 0.0).point(10.0, 10.0));
        let svg = plot.to_svg();
        // Tick labels are two letters wide: the frame is 36 + 2 * 7 .. 620 by 36 .. 350.
        assert!(svg.contains("<circle cx=\"50.0\" cy=\"350.0\""), "{svg}");
        assert!(svg.contains("<circle cx=\"620.0\" cy=\"36.0\""), "{svg}");
        assert!(!svg.contains("polyline"));
    }

    #[test]
    fn error_bars_legend_and_names_are_drawn() {
        let plot = Plot::new("a < b & \"c\"")
            .x(Axis::new("Elo"))
            .y(Axis::new("").name(0.0, "GNU Go").name(1.0, "tengen"))
            .series(Series::points("95 %").point_with_x_interval(10.0, 0.0, -20.0, 40.0))
            .series(Series::line("mean").point_with_error(0.0, 0.0, 0.2).point(20.0, 1.0))
            .series(Series::reference("even").point(0.0, 0.0).point(0.0, 1.0));
        let svg = plot.to_svg();
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;"));
        for needle in ["GNU Go", "tengen", "95 %", "mean", "even", "Elo", "stroke-dasharray"] {
            assert!(svg.contains(needle), "{needle} is missing in {svg}");
        }
        assert_eq!(svg.matches("<polyline").count(), 2);
        // Three data points with a marker, and two legend entries with one.
        assert_eq!(svg.matches("<circle").count(), 5);
        // Each bar is a line and two ends; a legend line for "mean" and "even".
        let coloured = svg.matches("<line").count() - svg.matches("stroke=\"#e0e0e0\"").count();
        assert_eq!(coloured, 2 + 2 * 3 + 2);
    }

    #[test]
    fn the_legend_stands_where_nothing_is_drawn() {
        let falling = Plot::new("").series(Series::line("name").point(0.0, 1.0).point(9.0, 0.0));
        let rising = Plot::new("").series(Series::line("name").point(0.0, 0.0).point(9.0, 1.0));
        let place = |plot: Plot| {
            let svg = plot.to_svg();
            let legend = svg.lines().find(|line| line.contains("fill-opacity")).expect("a legend");
            let number = |name: &str| -> f64 {
                let rest = legend.split(name).nth(1).expect("an attribute");
                rest.split('"').nth(1).expect("a value").parse().expect("a number")
            };
            (number(" x="), number(" y="))
        };
        let (right, top) = place(falling);
        assert!(right > 300.0 && top < 100.0);
        let (right, bottom) = place(rising);
        assert!(
            right > 300.0 && bottom > 300.0,
            "a rising line leaves the lower right corner free"
        );
    }

    #[test]
    fn odd_data_does_no_harm() {
        let nan = f64::NAN;
        let svg = Plot::new("").to_svg();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        let plot = Plot::new("")
            .x(Axis::new("").log())
            .series(Series::line("x").point(-1.0, 2.0).point(nan, 1.0).point(3.0, f64::INFINITY))
            .series(Series::line("y").point(5.0, 7.0).point_with_error(5.0, 7.0, nan));
        let svg = plot.to_svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.matches("cy=").count() - 2, 1, "only the point (5, 7) is drawn");
    }
}
