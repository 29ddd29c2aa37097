//! Beginning of printed files.

use super::order::Order;
use crate::faces::Faces;
use crate::wording::escaped;

/// Renders the beginning of a file, up to the CSS rules for its pictures. The content security policy forbids scripts and external
/// resources.
pub(super) fn head(title: &str, faces: &Faces, order: &Order) -> String {
    let (width, height) = order.paper.millimeters();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{}</title>\n<style>\n@page {{ size: {width}mm {height}mm; margin: 0; }}\n\
         .sheet {{ width: {width}mm; height: {height}mm; }}\n{}{}{}",
        order.language.tag(),
        escaped(title),
        include_str!("paper.css"),
        crate::faces::colors(),
        faces.style()
    )
}
