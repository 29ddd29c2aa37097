//! `wrong-arity`: a function `|…|` takes more or less than it is given.

use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn wrong_function(name: &str, gives: usize, takes: usize, here: Place) -> Diagnostic {
    let arguments = |count: usize| match count {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    };
    let message = format!("`{name}` gives the function {}, and it takes {}", arguments(gives), arguments(takes));
    let names = ["a", "b", "c"][..gives.min(3)].join(", ");
    Diagnostic::error("wrong-arity", message).mark(here, format!("takes {takes}")).help(if gives == 0 {
        "write `|| …`".to_owned()
    } else {
        format!("write `|{names}| …`")
    })
}
