//! The catalog of the engine's phrases. Each language defines a text for every entry.

#![allow(missing_docs, reason = "the name of a phrase describes it")]

/// Declares the sections of the catalog with their phrases.
macro_rules! catalog {
    ($($(#[$about:meta])* $section:ident: $Section:ident { $($(#[$note:meta])* $phrase:ident,)* })*) => {
        /// The engine's phrases in one language. Placeholders are written as `{name}`; see [`filled`](super::filled).
        #[derive(Debug)]
        pub struct Phrases {
            $($(#[$about])* pub $section: $Section,)*
        }

        $(
            $(#[$about])*
            #[derive(Debug)]
            pub struct $Section {
                $($(#[$note])* pub $phrase: &'static str,)*
            }
        )*

        impl Phrases {
            /// Returns all phrases, each with its section and name.
            pub fn all(&self) -> Vec<(&'static str, &'static str, &'static str)> {
                vec![$($((stringify!($section), stringify!($phrase), self.$section.$phrase),)*)*]
            }
        }
    };
}

catalog! {
    /// Default names for things that every game has.
    names: Names {
        the_box,
        finished,
        team,
    }

    /// Phrases of the log, and names that the log shares with other texts.
    log: Log {
        /// Separator of list items.
        comma,
        /// Separator of events.
        semicolon,
        /// Separator between a name and a statement about it.
        colon,
        /// Separator between an action and the results of this action.
        dash,
        /// Full stop. Removed from the end of a question when the log repeats the question.
        full_stop,
        /// A name with a remark in parentheses.
        in_parentheses,
        /// The cost of an option, if the rules return a number without a name.
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
        /// A number of pieces whose faces the reader may not see.
        hidden,
        /// A number of pieces, if there are too many to name them.
        many,
        /// A piece about which nothing is known.
        hidden_piece,
        /// A piece about which only the kind is known.
        hidden_one,
        /// Name of a space that has a label.
        space_labeled,
        turned_up,
        reveals,
        turned_down,
        shown,
        shuffled,
        drawn,
        /// Message that a seat rolls dice. If no seat has the turn, `rolled` is used instead.
        rolls,
        rolled,
        refilled,
        /// Message that a seat is eliminated.
        eliminated,
        /// Message that all seats simultaneously pass pieces to their neighbors.
        passed_left,
        passed_right,
        passes,
        /// Like `passes`, for games that have their own word for passing.
        passes_called,
        /// Name and number of a round, such as "Round 3".
        round,
        /// Name and number of a round, and the seat that begins.
        begun_by,
        begins_at_random,
        after_setup,
        after_round,
        one_round,
        rounds,
        game_ends,
        /// Message that a choice was undone. It is inserted into `dealt_again` or `not_dealt_again`.
        taken_back,
        taken_back_agreed,
        taken_back_by_host,
        taken_back_by_rules,
        dealt_again,
        not_dealt_again,
    }

    /// Headings above the log of a game, and the result below it.
    story: Story {
        seed,
        /// Note about the number of players, if the user has not chosen one.
        usual_players,
        title_for_one,
        title,
        setup,
        rank,
        player,
        team,
        side,
        score,
        /// Like `score`, for games in which the lowest score wins.
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

    /// Phrases of the table in a browser.
    web: Web {
        /// Name of the language, on the button that switches to it.
        language_sign,
        you,
        /// Note beside the name of a player who was eliminated.
        out,
        host,
        onlooker,
        your_turn,
        your_turn_then,
        turn_of,
        others_choose,
        your_answer,
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
        /// Added to a line of the log that holds for further players, too.
        likewise,
        table,
        history,
        moment,
        then,
        then_of,
        then_host,
        notes,
        write_note,
        /// Heading of the settings for how the browser alerts players when it is their turn.
        alerts,
        show_areas,
        since_visit,
        alert_sound,
        alert_notice,
        note_of,
        note_too_long,
        no_notes,
        notes_full,
        note_elsewhere,
        note_rules,
        note_recording,
        /// Label of the undo button. The tooltip of the button is the phrase `undo`.
        undo_short,
        undo,
        undo_asked,
        undo_waits,
        agree,
        refuse,
        withdraw,
        nothing_to_undo,
        /// Message that nothing can be undone after the end of the game, because the hands are open then.
        over_no_undo,
        /// Message that another player has already asked to undo.
        undo_is_asked,
        undo_since,
        undo_host_waits,
        undo_host_decides,
        /// Message that a form was submitted from an outdated page.
        stale,
        over_no_rules,
        /// Message that the table has stopped because of an internal error.
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
        play_again,
        play_again_hint,
        kept_in,
        values,
        hidden_pieces,
        around_to,
        map,
        zoom_in,
        zoom_out,
        zoom_all,
        coordinates,
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

    /// Phrases of the standalone page, which runs a game in the browser without a server.
    page: Page {
        rules,
        cards,
        simulate,
        new_table,
        about,
        download,
        /// Button of a page whose engine stops at the game that the browser keeps.
        drop_kept_game,
        unsaved,
        pass_on,
        pass_on_about,
        is_me,
        simulate_about,
        seat,
        wins,
        measure,
        mean,
        interval,
        same_games,
        report,
        in_box,
        about_title,
        about_what,
        about_host,
        about_folder,
        about_recording,
        about_kept,
        about_secrets,
        about_limits,
        no_recording,
    }

    /// Phrases of the list that shows the table's contents.
    board: Board {
        hidden,
        /// Separator between the possible faces of a piece.
        or,
        /// A piece that has one of several faces.
        one_of,
        /// Faces known to be among the hidden pieces of a section of a pile.
        among,
        /// Faces known to be among all hidden pieces of a pile, at unknown positions.
        among_all,
        all,
        others,
    }

    /// Phrases for prompting players.
    prompt: Prompt {
        your_turn,
        only_enter,
        amount,
        pick,
        pick_more,
        pick_more_than,
        /// Message that there are too many options to list them all, so that an option is chosen part by part.
        by_parts,
        /// Parts chosen so far, with the number of options that remain.
        so_far,
        /// Parts that all remaining options have in common.
        same_in_all,
        part,
        more_options,
        look_at_what,
        none_fits,
        help,
        not_together,
        nothing_to_undo,
        nothing_to_undo_since,
        /// Question to the other players at the same screen: whether they agree to undo.
        undo_asked,
        undo_shown,
        undo_dealt,
        undo_agree,
        undo_refused,
        kept,
        kept_go_on,
        /// Announcement of the next game of a campaign.
        next_game,
        kept_when_answered,
    }

    /// Reasons why an answer is not among the options.
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

    /// Phrases for showing what is printed on components.
    look: Look {
        not_in_box,
        more,
        for_each_player,
        /// A player about whom only the seat number is known.
        player,
    }

    /// Phrases of the sheets to print and cut.
    paper: Paper {
        rules,
        players,
        in_the_box,
        pieces,
        numbers,
        order_of_play,
        /// A quoted text: a question, or the word for passing.
        quoted,
        may_pass,
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
        part,
        first_player,
        round_track,
        last_round,
        round_marker,
        lap_track,
        mat,
        take_dice,
    }

    /// Phrases of a rulebook.
    book: Book {
        /// A reference to a chapter.
        see,
        phases_of_a_round,
        length,
        also,
        setup,
        first_seat,
        first_at_random,
        by_players,
        players,
        rounds,
        /// A number of components that every player has.
        each,
        /// The drawn board, in the list of components.
        game_board,
        /// The track that counts the rounds, in the list of components.
        round_track,
        /// The token of the first player, in the list of components.
        first_player_token,
        /// Markers that record a value.
        marker,
        /// Counters that record a value of pieces.
        counter,
        variants,
        variants_intro,
        /// A step that only a variant needs.
        only_with,
        /// Steps of a variant that take the place of steps of the usual setup.
        instead_of_steps,
        start_of_example,
        places,
        own_place,
        common_place,
        seen_by_everybody,
        seen_by_owner,
        seen_by_team,
        seen_face_up,
        seen_by_nobody,
        seen_bag,
        a_round,
        rounds_until,
        only_when,
        procedures,
        each_player,
        each_player_in_order,
        turns,
        turns_until,
        again,
        again_until,
        example,
        all_win,
        all_lose,
        ties_are_shared,
        index,
        table_set_up,
        table_at_first,
        middle_of_the_table,
        each_player_has,
    }

    /// Phrases for describing the flow of a game.
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

    /// Phrases for listing the components and rules of a game.
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
        /// Heading of the automas: seats that the rules play.
        automas,
        /// Heading of the campaign: games that are played one after another.
        campaign,
        /// Heading of the values and zones that the next game takes over.
        carried,
        scenarios,
        /// Label of the function that chooses the next scenario.
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
        /// Note that names the function which computes a derived value.
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
