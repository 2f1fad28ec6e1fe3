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

use std::fmt::Write as _;

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
        let frame = Frame { left, right: self.width - 20.0, top: 36.0, bottom: self.height - 50.0 };
        let to_x = |value| frame.left + x_scale.share(value) * (frame.right - frame.left);
        let to_y = |value| frame.bottom - y_scale.share(value) * (frame.bottom - frame.top);

        let mut svg = String::new();
        let (width, height) = (self.width, self.height);
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" {FONT}>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
        );
        text(&mut svg, (width / 2.0, 22.0), "middle", "font-weight=\"bold\"", &self.title);
        for (value, name) in &x_ticks {
            let x = to_x(*value);
            line(&mut svg, (x, frame.top), (x, frame.bottom), "stroke=\"#e0e0e0\"");
            text(&mut svg, (x, frame.bottom + 18.0), "middle", "", name);
        }
        for (value, name) in &y_ticks {
            let y = to_y(*value);
            line(&mut svg, (frame.left, y), (frame.right, y), "stroke=\"#e0e0e0\"");
            text(&mut svg, (frame.left - 8.0, y + 4.0), "end", "", name);
        }
        let corner = (frame.left, frame.bottom);
        line(&mut svg, corner, (frame.right, frame.bottom), "stroke=\"#000000\"");
        line(&mut svg, corner, (frame.left, frame.top), "stroke=\"#000000\"");
        let middle = (frame.left + frame.right) / 2.0;
        text(&mut svg, (middle, height - 12.0), "middle", "", &self.x.label);
        let (label_x, label_y) = (18.0, (frame.top + frame.bottom) / 2.0);
        let turned = format!("transform=\"rotate(-90 {label_x} {label_y:.1})\"");
        text(&mut svg, (label_x, label_y), "middle", &turned, &self.y.label);

        for (index, series) in self.series.iter().enumerate() {
            let color = PALETTE[index % PALETTE.len()];
            let visible =
                |value: &Value, scale: &Scale| scale.holds(value.at) && !value.low.is_nan();
            let points: Vec<_> = series
                .points
                .iter()
                .filter(|(x, y)| visible(x, &x_scale) && visible(y, &y_scale))
                .collect();
            if series.line && points.len() > 1 {
                let path: Vec<String> = points
                    .iter()
                    .map(|(x, y)| format!("{:.1},{:.1}", to_x(x.at), to_y(y.at)))
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
                let (at_x, at_y) = (to_x(x.at), to_y(y.at));
                if y.high > y.low {
                    let (low, high) = (to_y(y.low), to_y(y.high));
                    line(&mut svg, (at_x, low), (at_x, high), &stroke);
                    for end in [low, high] {
                        line(&mut svg, (at_x - 3.0, end), (at_x + 3.0, end), &stroke);
                    }
                }
                if x.high > x.low {
                    let (low, high) = (to_x(x.low), to_x(x.high));
                    line(&mut svg, (low, at_y), (high, at_y), &stroke);
                    for end in [low, high] {
                        line(&mut svg, (end, at_y - 3.0), (end, at_y + 3.0), &stroke);
                    }
                }
                if series.markers {
                    let _ = writeln!(
                        svg,
                        "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"3\" fill=\"{color}\"/>"
                    );
                }
            }
        }
        self.legend(&mut svg, &frame);
        svg.push_str("</svg>\n");
        svg
    }

    /// The named series, below each other in the lower right corner.
    fn legend(&self, svg: &mut String, frame: &Frame) {
        let named: Vec<_> =
            self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()).collect();
        let Some(longest) = named.iter().map(|(_, series)| series.name.chars().count()).max()
        else {
            return;
        };
        let box_width = 40.0 + LETTER_WIDTH * longest as f64;
        let box_height = 8.0 + 16.0 * named.len() as f64;
        let (x, y) = (frame.right - box_width - 6.0, frame.bottom - box_height - 6.0);
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
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>",
                    x + 17.0
                );
            }
            text(svg, (x + 34.0, y + 4.0), "start", "", &series.name);
        }
    }
}

/// The rectangle in which the data is drawn.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
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

/// Maps values of one axis to 0..1.
struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Scale {
        let usable = |value: &f64| value.is_finite() && (!axis.log || *value > 0.0);
        let names = axis.names.iter().map(|&(at, _)| at);
        let (mut low, mut high) = values
            .chain(names)
            .filter(usable)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        if low > high {
            (low, high) = if axis.log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let log = axis.log;
        if let Some(range) = axis.range {
            (low, high) = range;
        } else if axis.log {
            (low, high) = (low / 1.1, high * 1.1);
        } else {
            // A little air, so that no marker sits on the frame; half a step for named rows.
            let air = if axis.names.is_empty() { 0.04 * (high - low) } else { 0.5 };
            (low, high) = (low - air, high + air);
        }
        if low == high {
            (low, high) = if log { (low / 2.0, high * 2.0) } else { (low - 0.5, high + 0.5) };
        }
        Scale { low, high, log }
    }

    fn holds(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    /// Where a value lies between the ends of the axis; clamped, so that a bar that reaches beyond
    /// a fixed range ends at the frame.
    fn share(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    fn ticks(&self, axis: &Axis) -> Vec<(f64, String)> {
        if !axis.names.is_empty() {
            return axis.names.clone();
        }
        if self.log { self.log_ticks() } else { self.linear_ticks() }
    }

    /// Round numbers 1, 2 or 5 times a power of ten apart, about six of them.
    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|&step| step >= rough * 0.999)
            .unwrap_or(10.0 * power);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).map(|at| (at, format!("{at:.decimals$}"))).collect()
    }

    /// Powers of ten, and 2 and 5 times them while there are few.
    fn log_ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.high / self.low).log10();
        let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = (decades / 8.0).ceil().max(1.0) as usize;
        (first..=last)
            .step_by(every)
            .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
            .filter(|&at| at >= self.low * 0.999 && at <= self.high * 1.001)
            .map(|at| (at, short(at)))
            .collect()
    }
}

/// A number as a tick shows it: `5k` and `2M` instead of long rows of zeros.
fn short(value: f64) -> String {
    for (unit, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value >= unit * 0.999 {
            return format!("{}{letter}", (value / unit * 100.0).round() / 100.0);
        }
    }
    format!("{}", (value * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        let scale = Scale { low: -203.0, high: 187.0, log: false };
        let names: Vec<String> = scale.linear_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["-200", "-100", "0", "100"]);
        let scale = Scale { low: 0.0, high: 1.0, log: false };
        let names: Vec<String> = scale.linear_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let scale = Scale { low: 90.0, high: 11_000.0, log: true };
        let names: Vec<String> = scale.log_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["100", "200", "500", "1k", "2k", "5k", "10k"]);
        let scale = Scale { low: 1.0, high: 1e6, log: true };
        let names: Vec<String> = scale.log_ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["1", "10", "100", "1k", "10k", "100k", "1M"]);
    }

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
