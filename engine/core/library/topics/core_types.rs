//! Functions of built-in types: lists, maps, strings, integers and ranges. Each entry names the code that the machine runs
//! (`vm/standard.rs`). If the closure of a function may also take the index of the element, the function has a second overload.

use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::code::{
    BuiltinCode, ListCode, LoopCode, MapCode, NumberCode, PropertyCode, RangeCode, TextCode,
};

pub(super) fn register(registry: &mut RegistryBuilder) {
    register_list_changes(registry);
    register_list_queries(registry);
    register_map_functions(registry);
    register_text_functions(registry);
    register_number_functions(registry);
    register_range_functions(registry);
}

/// Adds the functions that change lists, and the functions and properties for the length of a list.
fn register_list_changes(registry: &mut RegistryBuilder) {
    registry.topic("Lists of values");
    registry.core_property(PropertyCode::Len, "len list:list -> number", "Number of entries.", "[5, 6].len // 2");
    registry.core_property(
        PropertyCode::IsEmpty,
        "is_empty list:list -> flag",
        "Whether there are no entries.",
        "[].is_empty // true",
    );
    registry.core_function(PropertyCode::Len, "len list:list -> number", "Number of entries.", "[5, 6].len() // 2");
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty list:list -> flag",
        "Whether there are no entries.",
        "[].is_empty() // true",
    );
    registry.core_function(
        ListCode::Push,
        "!push list:list<T> item:U -> ()",
        "Appends an entry.",
        "let list = [1]; list.push(2); list // [1, 2]",
    );
    registry.core_function(
        ListCode::Append,
        "!append list:list<T> more:list<U> -> ()",
        "Appends the entries of another list.",
        "let list = [1]; list.append([2, 3]); list // [1, 2, 3]",
    );
    registry.core_function(
        ListCode::Insert,
        "!insert list:list<T> at:number item:U -> ()",
        "Inserts an entry before the one at index `at`. A negative index counts from the end; an index beyond the end appends.",
        "let list = [1, 3]; list.insert(1, 2); list // [1, 2, 3]",
    );
    registry.core_function(
        ListCode::Pop,
        "!pop list:list<T> -> T?",
        "Removes the last entry and returns it; `()` if there is none.",
        "let list = [1, 2]; [list.pop(), list] // [2, [1]]",
    );
    registry.core_function(
        ListCode::Shift,
        "!shift list:list<T> -> T?",
        "Removes the first entry and returns it; `()` if there is none.",
        "let list = [1, 2]; [list.shift(), list] // [1, [2]]",
    );
    registry.core_function(
        ListCode::Remove,
        "!remove list:list<T> at:number -> T?",
        "Removes the entry at an index and returns it; `()` if there is none.",
        "let list = [1, 2]; [list.remove(0), list] // [1, [2]]",
    );
    registry.core_function(
        ListCode::Clear,
        "!clear list:list -> ()",
        "Removes all entries.",
        "let list = [1, 2]; list.clear(); list // []",
    );
    registry.core_function(
        ListCode::Truncate,
        "!truncate list:list count:number -> ()",
        "Keeps the first `count` entries.",
        "let list = [1, 2, 3]; list.truncate(2); list // [1, 2]",
    );
    registry.core_function(
        ListCode::Chop,
        "!chop list:list count:number -> ()",
        "Keeps the last `count` entries.",
        "let list = [1, 2, 3]; list.chop(2); list // [2, 3]",
    );
    registry.core_function(
        ListCode::Splice,
        "!splice list:list<T> from:number count:number more:list<U> -> ()",
        "Replaces `count` entries from index `from` with the entries of a list.",
        "let list = [1, 2, 3]; list.splice(0, 2, [9]); list // [9, 3]",
    );
    registry.core_function(
        ListCode::Splice,
        "!splice list:list<T> among:range more:list<U> -> ()",
        "Replaces the entries in a range of indices with the entries of a list.",
        "let list = [1, 2, 3]; list.splice(0..1, [8, 9]); list // [8, 9, 2, 3]",
    );
    registry.core_function(
        ListCode::Reverse,
        "!reverse list:list -> ()",
        "Reverses the order.",
        "let list = [1, 2]; list.reverse(); list // [2, 1]",
    );
    registry.core_function(
        ListCode::Dedup,
        "!dedup list:list -> ()",
        "Removes all but the first of consecutive equal entries.",
        "let list = [1, 1, 2, 1]; list.dedup(); list // [1, 2, 1]",
    );
    registry.core_function(
        ListCode::Sort,
        "!sort list:list -> ()",
        "Sorts a list of numbers only, or of texts only.",
        "let list = [3, 1, 2]; list.sort(); list // [1, 2, 3]",
    );
    registry.core_function(
        LoopCode::Retain,
        "!retain list:list<T> wanted:T=>flag -> list<T>",
        "Keeps the entries for which a function returns `true`, and returns the others. The function may take the index too.",
        "let list = [1, 2, 3]; [list.retain(|n| n > 1), list] // [[1], [2, 3]]",
    );
    registry.core_function(
        LoopCode::Retain,
        "!retain list:list<T> wanted:(T,number)=>flag -> list<T>",
        "Keeps the entries for which a function returns `true`, and returns the others. The function may take the index too.",
        "",
    );
    registry.core_function(
        LoopCode::Drain,
        "!drain list:list<T> wanted:T=>flag -> list<T>",
        "Removes the entries for which a function returns `true`, and returns them. The function may take the index too.",
        "let list = [1, 2, 3]; [list.drain(|n| n > 1), list] // [[2, 3], [1]]",
    );
    registry.core_function(
        LoopCode::Drain,
        "!drain list:list<T> wanted:(T,number)=>flag -> list<T>",
        "Removes the entries for which a function returns `true`, and returns them. The function may take the index too.",
        "",
    );
}

/// Adds functions that read lists.
fn register_list_queries(registry: &mut RegistryBuilder) {
    registry.core_function(
        ListCode::Contains,
        "contains list:list<T> item:sought -> flag",
        "Returns whether an entry equals `item`.",
        "[1, 2].contains(2) // true",
    );
    registry.core_function(
        ListCode::IndexOf,
        "index_of list:list<T> item:sought -> number",
        "Index of the first entry equal to `item`, or -1.",
        "[5, 6].index_of(6) // 1",
    );
    registry.core_function(
        ListCode::IndexOf,
        "index_of list:list<T> item:sought from:number -> number",
        "Index of the first entry, from index `from` on, that equals `item`, or -1.",
        "[5, 6, 5].index_of(5, 1) // 2",
    );
    registry.core_function(
        LoopCode::IndexOf,
        "index_of list:list<T> wanted:T=>flag -> number",
        "Index of the first entry for which a function returns `true`, or -1.",
        "[5, 6].index_of(|n| n > 5) // 1",
    );
    registry.core_function(
        LoopCode::IndexOf,
        "index_of list:list<T> wanted:T=>flag from:number -> number",
        "Index of the first entry, from index `from` on, for which a function returns `true`, or -1.",
        "[5, 6, 7].index_of(|n| n > 5, 2) // 2",
    );
    registry.core_function(
        ListCode::Get,
        "get list:list<T> at:number -> T?",
        "The entry at an index, or `()`.",
        "[5, 6].get(9) // ()",
    );
    registry.core_function(
        ListCode::Extract,
        "extract list:list<T> from:number -> list<T>",
        "A copy of the entries from an index on.",
        "[1, 2, 3].extract(1) // [2, 3]",
    );
    registry.core_function(
        ListCode::Extract,
        "extract list:list<T> from:number count:number -> list<T>",
        "A copy of `count` entries from an index on.",
        "[1, 2, 3].extract(0, 2) // [1, 2]",
    );
    registry.core_function(
        ListCode::Extract,
        "extract list:list<T> among:range -> list<T>",
        "A copy of the entries in a range of indices.",
        "[1, 2, 3].extract(1..=2) // [2, 3]",
    );
    registry.core_function(
        LoopCode::Map,
        "map list:list<T> what:T=>U -> list<U>",
        "Calls a function for each entry, and returns the list of its results. The function may take the index too.",
        "[1, 2].map(|n| n * n) // [1, 4]",
    );
    registry.core_function(
        LoopCode::Map,
        "map list:list<T> what:(T,number)=>U -> list<U>",
        "Calls a function for each entry, and returns the list of its results. The function may take the index too.",
        "",
    );
    registry.core_function(
        LoopCode::Filter,
        "filter list:list<T> wanted:T=>flag -> list<T>",
        "The entries for which a function returns `true`. The function may take the index too.",
        "[1, 2, 3].filter(|n| n > 1) // [2, 3]",
    );
    registry.core_function(
        LoopCode::Filter,
        "filter list:list<T> wanted:(T,number)=>flag -> list<T>",
        "The entries for which a function returns `true`. The function may take the index too.",
        "",
    );
    registry.core_function(
        LoopCode::Find,
        "find list:list<T> wanted:T=>flag -> T?",
        "The first entry for which a function returns `true`, or `()`. The function may take the index too.",
        "[1, 2, 3].find(|n| n > 1) // 2",
    );
    registry.core_function(
        LoopCode::Find,
        "find list:list<T> wanted:(T,number)=>flag -> T?",
        "The first entry for which a function returns `true`, or `()`. The function may take the index too.",
        "",
    );
    registry.core_function(
        LoopCode::FindMap,
        "find_map list:list<T> what:T=>U -> U?",
        "Calls a function for one entry after the other until the result is not `()`, and returns this result; `()` if there is none. The function may take the index too.",
        "[1, 2, 3].find_map(|n| if n > 1 { n * 10 }) // 20",
    );
    registry.core_function(
        LoopCode::FindMap,
        "find_map list:list<T> what:(T,number)=>U -> U?",
        "Calls a function for one entry after the other until the result is not `()`, and returns this result; `()` if there is none. The function may take the index too.",
        "",
    );
    registry.core_function(
        LoopCode::Some,
        "some list:list<T> wanted:T=>flag -> flag",
        "Returns whether a function returns `true` for at least one entry. The function may take the index too.",
        "[1, 2].some(|n| n > 1) // true",
    );
    registry.core_function(
        LoopCode::Some,
        "some list:list<T> wanted:(T,number)=>flag -> flag",
        "Returns whether a function returns `true` for at least one entry. The function may take the index too.",
        "",
    );
    registry.core_function(
        LoopCode::All,
        "all list:list<T> wanted:T=>flag -> flag",
        "Returns whether a function returns `true` for every entry. The function may take the index too.",
        "[1, 2].all(|n| n > 1) // false",
    );
    registry.core_function(
        LoopCode::All,
        "all list:list<T> wanted:(T,number)=>flag -> flag",
        "Returns whether a function returns `true` for every entry. The function may take the index too.",
        "",
    );
    registry.core_function(LoopCode::Reduce, "reduce list:list<T> step:(any,T)=>any -> any", "Combines all entries into one value. The function takes the value so far (`()` at first), the entry, and optionally the index, and returns the next value.", "[1, 2].reduce(|most, n| if most == () || n > most { n } else { most }) // 2");
    registry.core_function(LoopCode::Reduce, "reduce list:list<T> step:(any,T,number)=>any -> any", "Combines all entries into one value. The function takes the value so far (`()` at first), the entry, and optionally the index, and returns the next value.", "");
    registry.core_function(
        LoopCode::Reduce,
        "reduce list:list<T> step:(any,T)=>any from:any -> any",
        "Like `reduce` without `from`, which is the first value.",
        "[1, 2].reduce(|sum, n| sum + n, 10) // 13",
    );
    registry.core_function(
        LoopCode::Reduce,
        "reduce list:list<T> step:(any,T,number)=>any from:any -> any",
        "Like `reduce` without `from`, which is the first value.",
        "",
    );
    registry.core_function(
        LoopCode::Zip,
        "zip list:list<T> other:list<U> what:(T,U)=>V -> list<V>",
        "Calls a function for each pair of entries at the same index, up to the end of the shorter list, and returns the list of its results.",
        "[1, 2].zip([7, 8], |a, b| a * b) // [7, 16]",
    );
}

/// Adds functions of maps.
fn register_map_functions(registry: &mut RegistryBuilder) {
    registry.topic("Maps");
    registry.core_function(PropertyCode::Len, "len map:map -> number", "Number of parts.", "#{ price: 5 }.len() // 1");
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty map:map -> flag",
        "Returns whether there are no parts.",
        "#{}.is_empty() // true",
    );
    registry.core_function(
        MapCode::Contains,
        "contains map:map name:text -> flag",
        "Returns whether there is a part with this name.",
        "#{ price: 5 }.contains(\"lot\") // false",
    );
    registry.core_function(
        MapCode::Keys,
        "keys map:map -> list<text>",
        "The names of the parts, in alphabetical order.",
        "#{ price: 5, lot: 2 }.keys() // [\"lot\", \"price\"]",
    );
    registry.core_function(
        MapCode::Values,
        "values map:map -> list<any>",
        "The values of the parts, in the order of their names.",
        "#{ price: 5, lot: 2 }.values() // [2, 5]",
    );
    registry.core_function(
        MapCode::Get,
        "get map:map name:text -> any",
        "The part with this name, or `()`.",
        "#{ price: 5 }.get(\"lot\") // ()",
    );
    registry.core_function(
        MapCode::Remove,
        "!remove map:map name:text -> any",
        "Removes the part with this name and returns it; `()` if there is none.",
        "let offer = #{ lot: 2, price: 5 }; [offer.remove(\"lot\"), offer] // [2, #{ price: 5 }]",
    );
    registry.core_function(
        MapCode::Clear,
        "!clear map:map -> ()",
        "Removes all parts.",
        "let offer = #{ price: 5 }; offer.clear(); offer // #{}",
    );
}

/// Adds string functions.
fn register_text_functions(registry: &mut RegistryBuilder) {
    registry.topic("Texts");
    registry.core_property(PropertyCode::Len, "len text:text -> number", "Number of characters.", "\"deck\".len // 4");
    registry.core_property(
        PropertyCode::IsEmpty,
        "is_empty text:text -> flag",
        "Whether the text is empty.",
        "\"\".is_empty // true",
    );
    registry.core_function(
        PropertyCode::Len,
        "len text:text -> number",
        "Number of characters.",
        "\"deck\".len() // 4",
    );
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty text:text -> flag",
        "Whether the text is empty.",
        "\"\".is_empty() // true",
    );
    registry.core_function(
        TextCode::Contains,
        "contains text:text part:text -> flag",
        "Returns whether the text contains another text.",
        "\"deck\".contains(\"ec\") // true",
    );
    registry.core_function(
        TextCode::StartsWith,
        "starts_with text:text part:text -> flag",
        "Returns whether the text starts with another text.",
        "\"deck\".starts_with(\"de\") // true",
    );
    registry.core_function(
        TextCode::EndsWith,
        "ends_with text:text part:text -> flag",
        "Returns whether the text ends with another text.",
        "\"deck\".ends_with(\"ck\") // true",
    );
    registry.core_function(
        TextCode::IndexOf,
        "index_of text:text part:text -> number",
        "Index of the first occurrence of `part`, or -1.",
        "\"deck\".index_of(\"ck\") // 2",
    );
    registry.core_function(
        TextCode::Get,
        "get text:text at:number -> text?",
        "The character at an index, or `()`.",
        "\"deck\".get(1) // \"e\"",
    );
    registry.core_function(
        TextCode::SubString,
        "sub_string text:text from:number -> text",
        "The characters from an index on.",
        "\"deck\".sub_string(1) // \"eck\"",
    );
    registry.core_function(
        TextCode::SubString,
        "sub_string text:text from:number count:number -> text",
        "Returns `count` characters, beginning at an index.",
        "\"deck\".sub_string(1, 2) // \"ec\"",
    );
    registry.core_function(
        TextCode::SubString,
        "sub_string text:text among:range -> text",
        "The characters in a range of indices.",
        "\"deck\".sub_string(0..2) // \"de\"",
    );
    registry.core_function(
        TextCode::Split,
        "split text:text -> list<text>",
        "Splits a text at blanks.",
        "\"two words\".split() // [\"two\", \"words\"]",
    );
    registry.core_function(
        TextCode::Split,
        "split text:text by:text -> list<text>",
        "Splits a text at a separator.",
        "\"a,b\".split(\",\") // [\"a\", \"b\"]",
    );
    registry.core_function(
        TextCode::ToUpper,
        "to_upper text:text -> text",
        "The text in upper case.",
        "\"deck\".to_upper() // \"DECK\"",
    );
    registry.core_function(
        TextCode::ToLower,
        "to_lower text:text -> text",
        "The text in lower case.",
        "\"Deck\".to_lower() // \"deck\"",
    );
    registry.core_function(
        TextCode::Trim,
        "!trim text:text -> ()",
        "Removes the blanks at both ends.",
        "let word = \" deck \"; word.trim(); word // \"deck\"",
    );
    registry.core_function(
        BuiltinCode::Written,
        "to_string what:any -> text",
        "Any value as a text, formatted as in `${…}`.",
        "[1, ()].to_string() // \"[1, ()]\"",
    );
}

/// Adds functions of integers.
fn register_number_functions(registry: &mut RegistryBuilder) {
    registry.topic("Whole numbers");
    registry.core_property(
        PropertyCode::IsOdd,
        "is_odd number:number -> flag",
        "Whether the number is odd.",
        "(3).is_odd // true",
    );
    registry.core_property(
        PropertyCode::IsEven,
        "is_even number:number -> flag",
        "Whether the number is even.",
        "(3).is_even // false",
    );
    registry.core_property(
        PropertyCode::IsZero,
        "is_zero number:number -> flag",
        "Whether the number is 0.",
        "(3).is_zero // false",
    );
    registry.core_function(
        PropertyCode::IsOdd,
        "is_odd number:number -> flag",
        "Whether the number is odd.",
        "(3).is_odd() // true",
    );
    registry.core_function(
        PropertyCode::IsEven,
        "is_even number:number -> flag",
        "Whether the number is even.",
        "(3).is_even() // false",
    );
    registry.core_function(
        PropertyCode::IsZero,
        "is_zero number:number -> flag",
        "Whether the number is 0.",
        "(3).is_zero() // false",
    );
    registry.core_function(NumberCode::Abs, "abs number:number -> number", "The absolute value.", "(-3).abs() // 3");
    registry.core_function(
        NumberCode::Sign,
        "sign number:number -> number",
        "Returns 1 for a positive number, -1 for a negative one, 0 for 0.",
        "(-3).sign() // -1",
    );
    registry.core_function(
        NumberCode::Min,
        "min number:number other:number -> number",
        "The smaller of two numbers.",
        "min(3, 5) // 3",
    );
    registry.core_function(
        NumberCode::Max,
        "max number:number other:number -> number",
        "The larger of two numbers.",
        "max(3, 5) // 5",
    );
}

/// Adds functions of ranges.
fn register_range_functions(registry: &mut RegistryBuilder) {
    registry.topic("Ranges");
    registry.core_property(
        PropertyCode::Start,
        "start range:range -> number",
        "First number of the range.",
        "(2..5).start // 2",
    );
    registry.core_property(PropertyCode::End, "end range:range -> number", "Number after `..`.", "(2..5).end // 5");
    registry.core_property(
        PropertyCode::IsEmpty,
        "is_empty range:range -> flag",
        "Whether the range contains no number.",
        "(2..5).is_empty // false",
    );
    registry.core_function(
        PropertyCode::IsEmpty,
        "is_empty range:range -> flag",
        "Whether the range contains no number.",
        "(2..5).is_empty() // false",
    );
    registry.core_function(
        NumberCode::Range,
        "range from:number to:number -> range",
        "The numbers from `from` to `to`, without `to`, like `from..to`.",
        "range(2, 5).contains(5) // false",
    );
    registry.core_function(
        NumberCode::Range,
        "range from:number to:number step:number -> list<number>",
        "The numbers from `from` to `to`, without `to`, in steps, which may be negative.",
        "range(9, 0, -3) // [9, 6, 3]",
    );
    registry.core_function(
        RangeCode::Contains,
        "contains range:range number:number -> flag",
        "Returns whether a range contains a number.",
        "(2..=5).contains(5) // true",
    );
}
