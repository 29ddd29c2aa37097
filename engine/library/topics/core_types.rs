//! Functions of built-in types: lists, maps, texts, integers and ranges. Each entry names the code that the machine runs
//! (`vm/standard.rs`). A closure that may also take the position is a second overload.

use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::code::{
    BuiltinCode, ListCode, LoopCode, MapCode, NumberCode, PropertyCode, RangeCode, TextCode,
};

pub(super) fn write(registry: &mut RegistryBuilder) {
    list_changes(registry);
    list_queries(registry);
    maps(registry);
    texts(registry);
    numbers(registry);
    ranges(registry);
}

/// Adds functions that change lists, and their length.
fn list_changes(registry: &mut RegistryBuilder) {
    registry.topic("Lists of values");
    registry.core_property(
        PropertyCode::Len,
        "len list:list -> number",
        "How many entries there are.",
        "[5, 6].len // 2",
    );
    registry.core_property(
        PropertyCode::IsEmpty,
        "is_empty list:list -> flag",
        "Whether there are no entries.",
        "[].is_empty // true",
    );
    registry.core_function(
        PropertyCode::Len,
        "len list:list -> number",
        "How many entries there are.",
        "[5, 6].len() // 2",
    );
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty list:list -> flag",
        "Whether there are no entries.",
        "[].is_empty() // true",
    );
    registry.core_function(
        ListCode::Push,
        "!push list:list<T> item:U -> ()",
        "Puts an entry at the end.",
        "let list = [1]; list.push(2); list // [1, 2]",
    );
    registry.core_function(
        ListCode::Append,
        "!append list:list<T> more:list<U> -> ()",
        "Puts the entries of another list at the end.",
        "let list = [1]; list.append([2, 3]); list // [1, 2, 3]",
    );
    registry.core_function(
        ListCode::Insert,
        "!insert list:list<T> at:number item:U -> ()",
        "Puts an entry before the one at a position; below 0 it counts from the end, and beyond the end is the end.",
        "let list = [1, 3]; list.insert(1, 2); list // [1, 2, 3]",
    );
    registry.core_function(
        ListCode::Pop,
        "!pop list:list<T> -> T?",
        "Takes the last entry out and results in it; `()` where there is none.",
        "let list = [1, 2]; [list.pop(), list] // [2, [1]]",
    );
    registry.core_function(
        ListCode::Shift,
        "!shift list:list<T> -> T?",
        "Takes the first entry out and results in it; `()` where there is none.",
        "let list = [1, 2]; [list.shift(), list] // [1, [2]]",
    );
    registry.core_function(
        ListCode::Remove,
        "!remove list:list<T> at:number -> T?",
        "Takes the entry at a position out and results in it; `()` where there is none.",
        "let list = [1, 2]; [list.remove(0), list] // [1, [2]]",
    );
    registry.core_function(
        ListCode::Clear,
        "!clear list:list -> ()",
        "Takes every entry out.",
        "let list = [1, 2]; list.clear(); list // []",
    );
    registry.core_function(
        ListCode::Truncate,
        "!truncate list:list count:number -> ()",
        "Keeps the first entries, so many.",
        "let list = [1, 2, 3]; list.truncate(2); list // [1, 2]",
    );
    registry.core_function(
        ListCode::Chop,
        "!chop list:list count:number -> ()",
        "Keeps the last entries, so many.",
        "let list = [1, 2, 3]; list.chop(2); list // [2, 3]",
    );
    registry.core_function(
        ListCode::Splice,
        "!splice list:list<T> from:number count:number more:list<U> -> ()",
        "Puts the entries of a list in the place of so many from a position on.",
        "let list = [1, 2, 3]; list.splice(0, 2, [9]); list // [9, 3]",
    );
    registry.core_function(
        ListCode::Splice,
        "!splice list:list<T> among:range more:list<U> -> ()",
        "Puts the entries of a list in the place of those at a range of positions.",
        "let list = [1, 2, 3]; list.splice(0..1, [8, 9]); list // [8, 9, 2, 3]",
    );
    registry.core_function(
        ListCode::Reverse,
        "!reverse list:list -> ()",
        "Turns the order round.",
        "let list = [1, 2]; list.reverse(); list // [2, 1]",
    );
    registry.core_function(
        ListCode::Dedup,
        "!dedup list:list -> ()",
        "Of equal neighbours keeps the first.",
        "let list = [1, 1, 2, 1]; list.dedup(); list // [1, 2, 1]",
    );
    registry.core_function(
        ListCode::Sort,
        "!sort list:list -> ()",
        "Puts numbers alone, or texts alone, in their order.",
        "let list = [3, 1, 2]; list.sort(); list // [1, 2, 3]",
    );
    registry.core_function(
        LoopCode::Retain,
        "!retain list:list<T> wanted:T=>flag -> list<T>",
        "Keeps the entries that a function says yes to, which may take the position too; results in the others.",
        "let list = [1, 2, 3]; [list.retain(|n| n > 1), list] // [[1], [2, 3]]",
    );
    registry.core_function(
        LoopCode::Retain,
        "!retain list:list<T> wanted:(T,number)=>flag -> list<T>",
        "Keeps the entries that a function says yes to, which may take the position too; results in the others.",
        "",
    );
    registry.core_function(
        LoopCode::Drain,
        "!drain list:list<T> wanted:T=>flag -> list<T>",
        "Takes the entries out that a function says yes to, which may take the position too; results in them.",
        "let list = [1, 2, 3]; [list.drain(|n| n > 1), list] // [[2, 3], [1]]",
    );
    registry.core_function(
        LoopCode::Drain,
        "!drain list:list<T> wanted:(T,number)=>flag -> list<T>",
        "Takes the entries out that a function says yes to, which may take the position too; results in them.",
        "",
    );
}

/// Adds functions that read lists.
fn list_queries(registry: &mut RegistryBuilder) {
    registry.core_function(
        ListCode::Contains,
        "contains list:list<T> item:sought -> flag",
        "Whether an entry is equal to something.",
        "[1, 2].contains(2) // true",
    );
    registry.core_function(
        ListCode::IndexOf,
        "index_of list:list<T> item:sought -> number",
        "The first position of an equal entry, or -1.",
        "[5, 6].index_of(6) // 1",
    );
    registry.core_function(
        ListCode::IndexOf,
        "index_of list:list<T> item:sought from:number -> number",
        "The first position of an equal entry from a position on, or -1.",
        "[5, 6, 5].index_of(5, 1) // 2",
    );
    registry.core_function(
        LoopCode::IndexOf,
        "index_of list:list<T> wanted:T=>flag -> number",
        "The first position of an entry that a function says yes to, or -1.",
        "[5, 6].index_of(|n| n > 5) // 1",
    );
    registry.core_function(
        LoopCode::IndexOf,
        "index_of list:list<T> wanted:T=>flag from:number -> number",
        "The first position, from one on, of an entry that a function says yes to, or -1.",
        "[5, 6, 7].index_of(|n| n > 5, 2) // 2",
    );
    registry.core_function(
        ListCode::Get,
        "get list:list<T> at:number -> T?",
        "The entry at a position, or `()`.",
        "[5, 6].get(9) // ()",
    );
    registry.core_function(
        ListCode::Extract,
        "extract list:list<T> from:number -> list<T>",
        "The entries from a position on; the list stays as it is.",
        "[1, 2, 3].extract(1) // [2, 3]",
    );
    registry.core_function(
        ListCode::Extract,
        "extract list:list<T> from:number count:number -> list<T>",
        "So many entries from a position on; the list stays as it is.",
        "[1, 2, 3].extract(0, 2) // [1, 2]",
    );
    registry.core_function(
        ListCode::Extract,
        "extract list:list<T> among:range -> list<T>",
        "The entries at a range of positions; the list stays as it is.",
        "[1, 2, 3].extract(1..=2) // [2, 3]",
    );
    registry.core_function(
        LoopCode::Map,
        "map list:list<T> what:T=>U -> list<U>",
        "What a function returns for each entry; it may take the position too.",
        "[1, 2].map(|n| n * n) // [1, 4]",
    );
    registry.core_function(
        LoopCode::Map,
        "map list:list<T> what:(T,number)=>U -> list<U>",
        "What a function returns for each entry; it may take the position too.",
        "",
    );
    registry.core_function(
        LoopCode::Filter,
        "filter list:list<T> wanted:T=>flag -> list<T>",
        "The entries that a function says yes to; it may take the position too.",
        "[1, 2, 3].filter(|n| n > 1) // [2, 3]",
    );
    registry.core_function(
        LoopCode::Filter,
        "filter list:list<T> wanted:(T,number)=>flag -> list<T>",
        "The entries that a function says yes to; it may take the position too.",
        "",
    );
    registry.core_function(
        LoopCode::Find,
        "find list:list<T> wanted:T=>flag -> T?",
        "The first entry that a function says yes to, or `()`; it may take the position too.",
        "[1, 2, 3].find(|n| n > 1) // 2",
    );
    registry.core_function(
        LoopCode::Find,
        "find list:list<T> wanted:(T,number)=>flag -> T?",
        "The first entry that a function says yes to, or `()`; it may take the position too.",
        "",
    );
    registry.core_function(
        LoopCode::FindMap,
        "find_map list:list<T> what:T=>U -> U?",
        "The first that a function returns and that is not `()`, or `()`; it may take the position too.",
        "[1, 2, 3].find_map(|n| if n > 1 { n * 10 }) // 20",
    );
    registry.core_function(
        LoopCode::FindMap,
        "find_map list:list<T> what:(T,number)=>U -> U?",
        "The first that a function returns and that is not `()`, or `()`; it may take the position too.",
        "",
    );
    registry.core_function(
        LoopCode::Some,
        "some list:list<T> wanted:T=>flag -> flag",
        "Whether a function says yes to one entry at least; it may take the position too.",
        "[1, 2].some(|n| n > 1) // true",
    );
    registry.core_function(
        LoopCode::Some,
        "some list:list<T> wanted:(T,number)=>flag -> flag",
        "Whether a function says yes to one entry at least; it may take the position too.",
        "",
    );
    registry.core_function(
        LoopCode::All,
        "all list:list<T> wanted:T=>flag -> flag",
        "Whether a function says yes to every entry; it may take the position too.",
        "[1, 2].all(|n| n > 1) // false",
    );
    registry.core_function(
        LoopCode::All,
        "all list:list<T> wanted:(T,number)=>flag -> flag",
        "Whether a function says yes to every entry; it may take the position too.",
        "",
    );
    registry.core_function(LoopCode::Reduce, "reduce list:list<T> step:(any,T)=>any -> any", "One value made of all: a function is given what there is so far, `()` at first, and the entry, and the position if it takes three.", "[1, 2].reduce(|most, n| if most == () || n > most { n } else { most }) // 2");
    registry.core_function(LoopCode::Reduce, "reduce list:list<T> step:(any,T,number)=>any -> any", "One value made of all: a function is given what there is so far, `()` at first, and the entry, and the position if it takes three.", "");
    registry.core_function(
        LoopCode::Reduce,
        "reduce list:list<T> step:(any,T)=>any from:any -> any",
        "The same, from a first value on.",
        "[1, 2].reduce(|sum, n| sum + n, 10) // 13",
    );
    registry.core_function(
        LoopCode::Reduce,
        "reduce list:list<T> step:(any,T,number)=>any from:any -> any",
        "The same, from a first value on.",
        "",
    );
    registry.core_function(
        LoopCode::Zip,
        "zip list:list<T> other:list<U> what:(T,U)=>V -> list<V>",
        "What a function returns for the entries of two lists at the same position, up to the end of the shorter one.",
        "[1, 2].zip([7, 8], |a, b| a * b) // [7, 16]",
    );
}

/// Adds functions of maps.
fn maps(registry: &mut RegistryBuilder) {
    registry.topic("Maps");
    registry.core_function(
        PropertyCode::Len,
        "len map:map -> number",
        "How many parts there are.",
        "#{ price: 5 }.len() // 1",
    );
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty map:map -> flag",
        "Whether there are no parts.",
        "#{}.is_empty() // true",
    );
    registry.core_function(
        MapCode::Contains,
        "contains map:map name:text -> flag",
        "Whether there is a part of a name.",
        "#{ price: 5 }.contains(\"lot\") // false",
    );
    registry.core_function(
        MapCode::Keys,
        "keys map:map -> list<text>",
        "The names of the parts, by the alphabet.",
        "#{ price: 5, lot: 2 }.keys() // [\"lot\", \"price\"]",
    );
    registry.core_function(
        MapCode::Values,
        "values map:map -> list<any>",
        "The parts, in the order of their names.",
        "#{ price: 5, lot: 2 }.values() // [2, 5]",
    );
    registry.core_function(
        MapCode::Get,
        "get map:map name:text -> any",
        "The part of a name, or `()`.",
        "#{ price: 5 }.get(\"lot\") // ()",
    );
    registry.core_function(
        MapCode::Remove,
        "!remove map:map name:text -> any",
        "Takes the part of a name out and results in it; `()` where there is none.",
        "let offer = #{ lot: 2, price: 5 }; [offer.remove(\"lot\"), offer] // [2, #{ price: 5 }]",
    );
    registry.core_function(
        MapCode::Clear,
        "!clear map:map -> ()",
        "Takes every part out.",
        "let offer = #{ price: 5 }; offer.clear(); offer // #{}",
    );
}

/// Adds functions of texts.
fn texts(registry: &mut RegistryBuilder) {
    registry.topic("Texts");
    registry.core_property(
        PropertyCode::Len,
        "len text:text -> number",
        "How many letters there are.",
        "\"deck\".len // 4",
    );
    registry.core_property(
        PropertyCode::IsEmpty,
        "is_empty text:text -> flag",
        "Whether there are no letters.",
        "\"\".is_empty // true",
    );
    registry.core_function(
        PropertyCode::Len,
        "len text:text -> number",
        "How many letters there are.",
        "\"deck\".len() // 4",
    );
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty text:text -> flag",
        "Whether there are no letters.",
        "\"\".is_empty() // true",
    );
    registry.core_function(
        TextCode::Contains,
        "contains text:text part:text -> flag",
        "Whether a text is a part of it.",
        "\"deck\".contains(\"ec\") // true",
    );
    registry.core_function(
        TextCode::StartsWith,
        "starts_with text:text part:text -> flag",
        "Whether it begins with a text.",
        "\"deck\".starts_with(\"de\") // true",
    );
    registry.core_function(
        TextCode::EndsWith,
        "ends_with text:text part:text -> flag",
        "Whether it ends with a text.",
        "\"deck\".ends_with(\"ck\") // true",
    );
    registry.core_function(
        TextCode::IndexOf,
        "index_of text:text part:text -> number",
        "The position of the first letter of a part, or -1.",
        "\"deck\".index_of(\"ck\") // 2",
    );
    registry.core_function(
        TextCode::Get,
        "get text:text at:number -> text?",
        "The letter at a position, or `()`.",
        "\"deck\".get(1) // \"e\"",
    );
    registry.core_function(
        TextCode::SubString,
        "sub_string text:text from:number -> text",
        "The letters from a position on.",
        "\"deck\".sub_string(1) // \"eck\"",
    );
    registry.core_function(
        TextCode::SubString,
        "sub_string text:text from:number count:number -> text",
        "So many letters from a position on.",
        "\"deck\".sub_string(1, 2) // \"ec\"",
    );
    registry.core_function(
        TextCode::SubString,
        "sub_string text:text among:range -> text",
        "The letters at a range of positions.",
        "\"deck\".sub_string(0..2) // \"de\"",
    );
    registry.core_function(
        TextCode::Split,
        "split text:text -> list<text>",
        "The parts between blanks.",
        "\"two words\".split() // [\"two\", \"words\"]",
    );
    registry.core_function(
        TextCode::Split,
        "split text:text by:text -> list<text>",
        "The parts between a text.",
        "\"a,b\".split(\",\") // [\"a\", \"b\"]",
    );
    registry.core_function(
        TextCode::ToUpper,
        "to_upper text:text -> text",
        "The same in capital letters.",
        "\"deck\".to_upper() // \"DECK\"",
    );
    registry.core_function(
        TextCode::ToLower,
        "to_lower text:text -> text",
        "The same in small letters.",
        "\"Deck\".to_lower() // \"deck\"",
    );
    registry.core_function(
        TextCode::Trim,
        "!trim text:text -> ()",
        "Takes the blanks at both ends away.",
        "let word = \" deck \"; word.trim(); word // \"deck\"",
    );
    registry.core_function(
        BuiltinCode::Written,
        "to_string what:any -> text",
        "Any value as a text, as `${…}` writes it.",
        "[1, ()].to_string() // \"[1, ()]\"",
    );
}

/// Adds functions of integers.
fn numbers(registry: &mut RegistryBuilder) {
    registry.topic("Whole numbers");
    registry.core_property(
        PropertyCode::IsOdd,
        "is_odd number:number -> flag",
        "Whether two do not divide it.",
        "(3).is_odd // true",
    );
    registry.core_property(
        PropertyCode::IsEven,
        "is_even number:number -> flag",
        "Whether two divide it.",
        "(3).is_even // false",
    );
    registry.core_property(
        PropertyCode::IsZero,
        "is_zero number:number -> flag",
        "Whether it is 0.",
        "(3).is_zero // false",
    );
    registry.core_function(
        PropertyCode::IsOdd,
        "is_odd number:number -> flag",
        "Whether two do not divide it.",
        "(3).is_odd() // true",
    );
    registry.core_function(
        PropertyCode::IsEven,
        "is_even number:number -> flag",
        "Whether two divide it.",
        "(3).is_even() // false",
    );
    registry.core_function(
        PropertyCode::IsZero,
        "is_zero number:number -> flag",
        "Whether it is 0.",
        "(3).is_zero() // false",
    );
    registry.core_function(
        NumberCode::Abs,
        "abs number:number -> number",
        "The number without its sign.",
        "(-3).abs() // 3",
    );
    registry.core_function(
        NumberCode::Sign,
        "sign number:number -> number",
        "It is 1 above 0, -1 below, and 0 for 0.",
        "(-3).sign() // -1",
    );
    registry.core_function(
        NumberCode::Min,
        "min number:number other:number -> number",
        "The smaller of two.",
        "min(3, 5) // 3",
    );
    registry.core_function(
        NumberCode::Max,
        "max number:number other:number -> number",
        "The larger of two.",
        "max(3, 5) // 5",
    );
}

/// Adds functions of ranges.
fn ranges(registry: &mut RegistryBuilder) {
    registry.topic("Ranges");
    registry.core_property(
        PropertyCode::Start,
        "start range:range -> number",
        "The number a range begins with.",
        "(2..5).start // 2",
    );
    registry.core_property(
        PropertyCode::End,
        "end range:range -> number",
        "The number behind `..`.",
        "(2..5).end // 5",
    );
    registry.core_property(
        PropertyCode::IsEmpty,
        "is_empty range:range -> flag",
        "Whether no number is in it.",
        "(2..5).is_empty // false",
    );
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty range:range -> flag",
        "Whether no number is in it.",
        "(2..5).is_empty() // false",
    );
    registry.core_function(
        NumberCode::Range,
        "range from:number to:number -> range",
        "The numbers from one on without another, as `from..to`.",
        "range(2, 5).contains(5) // false",
    );
    registry.core_function(
        NumberCode::Range,
        "range from:number to:number step:number -> list<number>",
        "The numbers from one on without another, in steps; downwards too.",
        "range(9, 0, -3) // [9, 6, 3]",
    );
    registry.core_function(
        RangeCode::Contains,
        "contains range:range number:number -> flag",
        "Whether a number is in it.",
        "(2..=5).contains(5) // true",
    );
}
