//! Conversion of pictures to PNG.

use std::sync::Arc;

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::picture::{Picture, PlotError};

/// The maximum length of a side of a PNG, in pixels.
const MAX_PIXELS: f32 = 16_384.0;

impl Picture {
    /// Returns the picture as PNG on white, with `scale` pixels for each unit of the SVG; 2 suits most screens.
    ///
    /// # Errors
    ///
    /// Fails if the scale is not a positive number, or a side would have more than 16,384 pixels.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, PlotError> {
        let mut fonts = Database::new();
        // Only the embedded font is loaded: pictures must not depend on the fonts of a machine.
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        fonts.load_font_data(dejavu::sans::bold().to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        let options = Options {
            fontdb: Arc::new(fonts),
            font_family: "DejaVu Sans".to_owned(),
            ..Options::default()
        };
        let tree = Tree::from_str(self.svg(), &options).map_err(PlotError::drawing)?;
        let (width, height) = (tree.size().width() * scale, tree.size().height() * scale);
        if !(1.0..=MAX_PIXELS).contains(&width) || !(1.0..=MAX_PIXELS).contains(&height) {
            return Err(PlotError::drawing(format!("{width} by {height} pixels are not possible")));
        }
        let pixels = Pixmap::new(pixels(width), pixels(height));
        let mut pixels = pixels.ok_or_else(|| PlotError::drawing("no room for the pixels"))?;
        pixels.fill(Color::WHITE);
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(PlotError::drawing)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be from 1 to MAX_PIXELS"
)]
fn pixels(of: f32) -> u32 {
    of.ceil() as u32
}
