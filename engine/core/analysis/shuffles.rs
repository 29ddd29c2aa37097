//! Reports shuffles after which some seat still knows the order of the pile, and deals from decks that are never shuffled. The diagnostics
//! mark the shuffles and deals in the rules.

use super::mistakes;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{COUNT, DRAW, DRAW_UP_TO, IS_EMPTY, MOVE_TO, MOVE_UNDER, SHUFFLE};
use crate::model::{Content, Family, Model, Shape};
use crate::syntax::{Expr, ExprKind, File, Name, each_expr, parse_rules};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Creates the diagnostic for a pile whose order some seat knew right after the shuffle.
pub(crate) fn seen_order(family: &Family, scripts: &[Arc<Source>]) -> Diagnostic {
    mistakes::seen_order(&family.id, shuffle_place(&family.id, scripts))
}

/// Returns the place of the first shuffle of `zone` in the rules.
fn shuffle_place(zone: &str, scripts: &[Arc<Source>]) -> Option<Place> {
    scripts.iter().zip(parse_rules(scripts)).find_map(|(source, file)| {
        let mut found = None;
        for function in &file.functions {
            each_expr(&function.body.statements, &mut |expr| {
                if let Some(name) = shuffle_call(expr, zone) {
                    found = found.take().or(Some(Place { source: source.clone(), span: name.span.range() }));
                }
            });
        }
        found
    })
}

/// Returns a warning for each deck that is dealt to hidden hands in the order in which it lies in the box. `hidden` are the names of the hidden
/// hands. A deck that the rules use in a way that may change this order is not reported.
pub(crate) fn unshuffled_deals<'a>(
    model: &Model,
    files: impl Iterator<Item = (&'a Arc<Source>, &'a File)>,
    hidden: &BTreeSet<Arc<str>>,
) -> Vec<Diagnostic> {
    let mut decks: BTreeMap<&str, DeckUses> = BTreeMap::new();
    decks.extend(
        model
            .families
            .iter()
            .filter(|family| is_mixed_deck(model, family))
            .map(|family| (&*family.id, DeckUses::default())),
    );
    if decks.is_empty() {
        return Vec::new();
    }
    for (source, file) in files {
        for function in &file.functions {
            each_expr(&function.body.statements, &mut |expr| note_uses(expr, source, hidden, &mut decks));
        }
    }
    let deals = decks.into_iter().filter(|(_, uses)| uses.mentions == uses.harmless);
    deals.filter_map(|(deck, uses)| uses.deal.map(|(hand, place)| mistakes::not_shuffled(deck, &hand, place))).collect()
}

/// How the rules use a deck.
#[derive(Default)]
struct DeckUses {
    /// Number of times that the rules name the deck.
    mentions: usize,
    /// Number of mentions in calls that leave the order of the deck unchanged.
    harmless: usize,
    /// The first hidden hand to which cards are drawn, and the place of the draw.
    deal: Option<(Arc<str>, Place)>,
}

/// Returns whether a family is a single face-down pile that begins with different components.
fn is_mixed_deck(model: &Model, family: &Family) -> bool {
    let is_single = family.per.is_empty() && family.copies.is_none();
    let components = family.starts_with.iter().map(|content| match content {
        Content::Kind(kind) => {
            let all = &model.kinds[kind.index()].components;
            all.iter().filter(|component| model.component(**component).count > 0).count()
        }
        Content::Component(_) => 1,
    });
    family.shape == Shape::Pile && !family.face_up && is_single && components.sum::<usize>() > 1
}

/// Adds the uses of decks in an expression, without those in the expressions inside it except for the receiver and arguments of a call.
fn note_uses(expr: &Expr, source: &Arc<Source>, hidden: &BTreeSet<Arc<str>>, decks: &mut BTreeMap<&str, DeckUses>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            if let Some(uses) = decks.get_mut(&**name) {
                uses.mentions += 1;
            }
        }
        ExprKind::Method { receiver, name, arguments, .. } => {
            let function = &*name.text;
            if matches!(function, MOVE_TO | MOVE_UNDER) {
                // Pieces that come back do not mix those that are there.
                for argument in arguments {
                    note_harmless(argument, decks);
                }
            }
            if matches!(function, DRAW | DRAW_UP_TO | COUNT | IS_EMPTY | MOVE_TO | MOVE_UNDER) {
                note_harmless(receiver, decks);
            }
            let hand = arguments.iter().find_map(|argument| match &argument.kind {
                ExprKind::Field { name, .. } if hidden.contains(&name.text) => Some(name.text.clone()),
                _ => None,
            });
            if let (DRAW | DRAW_UP_TO, ExprKind::Name(deck), Some(hand)) = (function, &receiver.kind, hand)
                && let Some(uses) = decks.get_mut(&**deck)
            {
                let place = Place { source: source.clone(), span: name.span.range() };
                uses.deal.get_or_insert((hand, place));
            }
        }
        _ => {}
    }
}

fn note_harmless(expr: &Expr, decks: &mut BTreeMap<&str, DeckUses>) {
    if let ExprKind::Name(name) = &expr.kind
        && let Some(uses) = decks.get_mut(&**name)
    {
        uses.harmless += 1;
    }
}

/// Returns the function name in the call if `expr` shuffles `zone`. The zone may be a single zone or one of several copies.
fn shuffle_call<'e>(expr: &'e Expr, zone: &str) -> Option<&'e Name> {
    let ExprKind::Method { receiver: of, name, .. } = &expr.kind else { return None };
    let mut of = of;
    while let ExprKind::Index { receiver: inner, .. } = &of.kind {
        of = inner;
    }
    let is_meant = match &of.kind {
        ExprKind::Name(named) => **named == *zone,
        ExprKind::Field { name, .. } => *name.text == *zone,
        _ => false,
    };
    (is_meant && &*name.text == SHUFFLE).then_some(name)
}
