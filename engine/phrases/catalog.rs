//! Whatever the engine says, by name: the catalog that every language fills.

/// Declares the sections of the catalog with the phrases in them.
macro_rules! catalog {
    ($($(#[$about:meta])* $section:ident: $Section:ident { $($(#[$note:meta])* $phrase:ident,)* })*) => {
        /// Whatever the engine says in one language. A phrase has `{rooms}` for what differs; see [`filled`].
        #[derive(Debug)]
        pub(crate) struct Phrases {
            $($(#[$about])* pub(crate) $section: $Section,)*
        }

        $(
            $(#[$about])*
            #[derive(Debug)]
            pub(crate) struct $Section {
                $($(#[$note])* pub(crate) $phrase: &'static str,)*
            }
        )*

        impl Phrases {
            /// Every phrase after its section and its name.
            pub(crate) fn all(&self) -> Vec<(&'static str, &'static str, &'static str)> {
                vec![$($((stringify!($section), stringify!($phrase), self.$section.$phrase),)*)*]
            }
        }
    };
}

catalog! {
    /// What every game has and may leave without a name.
    names: Names {
        the_box,
        finished,
        team,
    }

    /// The log, and what things are called in it and elsewhere.
    log: Log {
        /// Between the things of a list.
        comma,
        /// Between the things that happened.
        semicolon,
        /// Between a name and what is said of it.
        colon,
        /// Between what was done and what came of it.
        dash,
        /// What a question may end with, and an answer does not take over.
        full_stop,
        /// A thing with a remark.
        in_parentheses,
        /// What an option costs, where the rules give a number without a name.
        costs,
        pass,
        done,
        yes,
        no,
        nothing,
        piece,
        round_word,
        face_up,
        face_down,
        /// So many pieces whose faces the reader does not know.
        hidden,
        /// More pieces than anybody wants to read the names of.
        many,
        /// A piece of which nothing is known.
        hidden_piece,
        /// A piece of a kind, of which no more is known.
        hidden_one,
        /// One of several spaces.
        space_labeled,
        turned_up,
        reveals,
        turned_down,
        shown,
        shuffled,
        drawn,
        /// A seat throws dice, and dice that nobody in turn throws.
        rolls,
        rolled,
        refilled,
        /// A seat is taken out of the game.
        eliminated,
        /// Seats hand pieces on, all at once.
        passed_left,
        passed_right,
        passes,
        /// The same where the game has a word for it.
        passes_called,
        /// A round begins.
        round,
        /// A round begins, and with whom.
        begun_by,
        begins_at_random,
        after_setup,
        after_round,
        one_round,
        rounds,
        game_ends,
        /// A choice was taken back; `dealt_again` and the one below it are put around these.
        taken_back,
        taken_back_agreed,
        taken_back_by_host,
        taken_back_by_rules,
        dealt_again,
        not_dealt_again,
    }

    /// What stands around the story of a game.
    story: Story {
        seed,
        /// For how many a game is, where nobody has said how many play.
        usual_players,
        title_for_one,
        title,
        setup,
        rank,
        player,
        team,
        side,
        score,
        /// The same in a game that the least score wins.
        least_score,
        ending,
        working,
        tie_break,
        tie_break_next,
        everybody_wins,
        nobody_wins,
        wins,
        share_first_place,
    }

    /// A table in a browser.
    web: Web {
        /// The language itself, on what changes to it.
        language_sign,
        you,
        host,
        onlooker,
        your_turn,
        your_turn_then,
        turn_of,
        others_choose,
        over,
        failed,
        failed_host,
        question,
        why_not,
        why_what,
        ask_why,
        type_to_narrow,
        all_options,
        choose,
        number_between,
        picked,
        take_back_pick,
        chosen_so_far,
        clear,
        log,
        whole_log,
        table,
        history,
        moment,
        then,
        then_of,
        then_host,
        notes,
        write_note,
        note_of,
        note_too_long,
        no_notes,
        notes_full,
        note_elsewhere,
        note_rules,
        note_recording,
        /// On a button, with the whole sentence as its tooltip.
        undo_short,
        undo,
        undo_asked,
        undo_waits,
        agree,
        refuse,
        nothing_to_undo,
        /// Nobody takes anything back once the game is over: by then hands may have been looked at.
        over_no_undo,
        /// Somebody else asks already.
        undo_is_asked,
        undo_since,
        undo_host_waits,
        undo_host_decides,
        /// A form of a page that the table has left behind.
        stale,
        over_no_rules,
        /// The table has ended because the program failed.
        table_failed,
        not_asked,
        not_a_number,
        agents,
        person,
        give,
        played_by,
        played_by_agent,
        played_by_rules,
        next_game,
        kept_in,
        values,
        hidden_pieces,
        around_to,
        enter,
        no_entry,
        no_such_page,
        busy,
        refused_host,
        refused_origin,
        refused_large,
        refused_slow,
        refused_form,
        refused_other,
        unreachable,
        dismiss,
        renew_link,
        renew_about,
        link_renewed,
        renew_lobby,
        language,
        seats,
        not_together,
        no_such_option,
        command_line_alone,
        trials,
        trial_games,
        trial_simulate,
        trial_compare,
        trial_played,
        trial_stop,
        trial_look,
        trial_report,
        files_wrong,
        rules_new,
        choice_broken,
        go_on_new,
        choices_go,
        kept_as_it_was,
        keep_old,
        rules_new_from_there,
        lobby,
        lobby_games,
        lobby_of_host,
        tables_under_way,
        tables_open,
        no_tables,
        too_many_tables,
        still_closing,
        not_opened,
        opening,
        closed,
        close_table,
        reopen_table,
        open_table,
        set_up,
        game_options,
        as_usual,
        not_decided,
        players_number,
        players_just,
        players_between,
        choices_made,
        has_mistakes,
        being_checked,
    }

    /// The table in rows.
    board: Board {
        hidden,
        /// Between faces one of which a piece has.
        or,
        /// A piece that has one of some faces.
        one_of,
        /// Faces of which it is known that they are among hidden pieces of a pile that were mixed.
        among,
        /// Faces of which it is known that they are among all the hidden ones of a pile, and not where.
        among_all,
        all,
        others,
    }

    /// Asking a person.
    prompt: Prompt {
        your_turn,
        only_enter,
        amount,
        pick,
        pick_more,
        pick_more_than,
        /// Where there are more options than can be taken in at a glance.
        by_parts,
        /// What was said of the parts so far.
        so_far,
        /// What all options that are left have in common.
        same_in_all,
        part,
        more_options,
        look_at_what,
        none_fits,
        help,
        not_together,
        nothing_to_undo,
        nothing_to_undo_since,
        /// Others at the same screen are asked whether a choice may be taken back.
        undo_asked,
        undo_shown,
        undo_dealt,
        undo_agree,
        undo_refused,
        kept,
        kept_go_on,
        /// What follows in a campaign.
        next_game,
        kept_when_answered,
    }

    /// Why something is not offered.
    why: Why {
        one_missing,
        missing,
        rules_say,
        nothing_else,
        offered,
        in_no_option,
        one_other,
        others,
    }

    /// What is printed on components.
    look: Look {
        not_in_box,
        more,
        for_each_player,
        /// A player of whom no more is known than the number of the seat.
        player,
    }

    /// Sheets to print and cut.
    paper: Paper {
        rules,
        players,
        in_the_box,
        pieces,
        before_play,
        numbers,
        order_of_play,
        when,
        until,
        /// A question, or what passing is called, as it is said at the table.
        quoted,
        may_pass,
        besides,
        end,
        score,
        most_wins,
        least_wins,
        sheet,
        fronts,
        backs,
        board,
        one_a_player,
        take_out,
        put_in,
        true_to_size,
    }

    /// The flow of a game.
    flow: Flow {
        heading,
        begins,
        at_random,
        first_seat,
        option_or_random,
        setup,
        each_seat,
        order,
        turns,
        again,
        when,
        until,
        each_round,
        rounds,
        finish,
        triggered_last,
        triggered_in_turn,
        triggered_by_choice,
    }

    /// What is in the box.
    info: Info {
        head,
        smallest_wins,
        none,
        components,
        totals,
        printed_on_cells,
        pieces_in_all,
        symbol,
        name,
        color,
        count,
        faces,
        cells,
        zones,
        shape,
        how_many,
        spaces,
        arrives,
        seen_by,
        starts_with,
        accepts,
        refilled_from,
        face_up,
        face_down,
        zone,
        printed,
        spaces_heading,
        each_seat,
        each,
        everybody_top,
        everybody,
        owner,
        nobody,
        team,
        teams,
        /// Seats that the rules play.
        automas,
        /// Games that follow each other.
        campaign,
        /// What the next game begins with.
        carried,
        scenarios,
        /// The function that says which scenario follows.
        next_scenario,
        seats,
        values,
        of,
        what,
        start,
        lasts,
        on,
        in_log,
        on_table,
        left_out,
        /// How a derived value comes about.
        derived,
        decisions,
        question,
        parts,
        secret,
        yes,
        params,
        for_players,
        about,
        bounds,
        options,
        option_values,
        default,
        seat,
        endings,
        winners,
        best,
        sources,
        item,
        source,
    }
}
