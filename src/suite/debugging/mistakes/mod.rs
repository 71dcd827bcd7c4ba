//! The mistake bank: a file a mistake, with its page and its imitation. Those of the repaired layer are the
//! encoder assignment's.
//!
//! A page says what we saw, why it is wrong and where to look, and never what the line should be.
//! Of two mistakes that explain as much, the one that stands first here is named.

mod calls_in_reverse;
mod calls_of_one_shape_merged;
mod distance_not_halved;
mod distance_over_padding;
mod empty_text_refused;
mod empty_text_spoils_distance;
mod epoch_error_swallowed;
mod epoch_run_twice;
mod every_module_captured;
mod heads_averaged;
mod heads_counted_together;
mod history_kept;
mod hook_dropped_at_once;
mod hook_left_behind;
mod hook_left_on_error;
mod logarithm_to_base_two;
mod mean_of_means;
mod missing_weights_passed_over;
mod no_token_no_error;
mod only_first_call_kept;
mod only_last_call_kept;
mod padded_queries_counted;
mod padding_multiplied_by_zero;
mod repeats_dropped;
mod share_of_real_tokens;
mod uniform_over_places;
mod unknown_module_let_pass;
mod views_of_weights_refused;
mod zero_weight_not_a_number;

use crate::suite::{Mistake, encoder};

/// All of them, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    let of_layers = encoder::mistakes::mistakes().into_iter();
    let of_layers = of_layers.filter(|mistake| mistake.task == "encoder-layer");
    OWN.iter().copied().chain(of_layers).collect()
}

const OWN: &[Mistake] = &[
    hook_dropped_at_once::MISTAKE,
    only_last_call_kept::MISTAKE,
    only_first_call_kept::MISTAKE,
    calls_in_reverse::MISTAKE,
    repeats_dropped::MISTAKE,
    calls_of_one_shape_merged::MISTAKE,
    history_kept::MISTAKE,
    hook_left_behind::MISTAKE,
    hook_left_on_error::MISTAKE,
    epoch_error_swallowed::MISTAKE,
    missing_weights_passed_over::MISTAKE,
    every_module_captured::MISTAKE,
    heads_averaged::MISTAKE,
    epoch_run_twice::MISTAKE,
    unknown_module_let_pass::MISTAKE,
    logarithm_to_base_two::MISTAKE,
    zero_weight_not_a_number::MISTAKE,
    uniform_over_places::MISTAKE,
    distance_over_padding::MISTAKE,
    distance_not_halved::MISTAKE,
    share_of_real_tokens::MISTAKE,
    padded_queries_counted::MISTAKE,
    padding_multiplied_by_zero::MISTAKE,
    empty_text_spoils_distance::MISTAKE,
    empty_text_refused::MISTAKE,
    mean_of_means::MISTAKE,
    heads_counted_together::MISTAKE,
    views_of_weights_refused::MISTAKE,
    no_token_no_error::MISTAKE,
];
