//! The mistake bank: a file a mistake, with its page and its imitation.
//!
//! A page says what we saw, why it is wrong and where to look, and never what the line should be.
//! Of two mistakes that explain as much, the one that stands first here is named.

mod activation_after_output;
mod activation_at_head;
mod activation_missing;
mod activation_swapped;
mod always_post_norm;
mod always_pre_norm;
mod both_residuals_missing;
mod budget_overrun;
mod chosen_by_other_scores;
mod combinations_missing;
mod coverage_miscounted;
mod cut_by_layer_norm;
mod dropout_on_output;
mod embedding_dropout_always;
mod embedding_dropout_inverted;
mod embedding_dropout_missing;
mod embedding_dropout_unscaled;
mod embeddings_detached;
mod empty_text_not_a_number;
mod encoder_detached;
mod encoder_hides_nothing;
mod encoder_mask_inverted;
mod encoder_told_otherwise;
mod encoder_unwrapped;
mod encoder_without_mask;
mod epsilon_outside_root;
mod fields_panic;
mod fields_taken_for_numbers;
mod final_norm_always;
mod final_norm_epsilon;
mod final_norm_missing;
mod first_residual_missing;
mod gelu_approximated;
mod grid_in_another_order;
mod head_without_bias;
mod hidden_detached;
mod hidden_dropout_always;
mod hidden_dropout_inverted;
mod hidden_dropout_missing;
mod hidden_dropout_unscaled;
mod hidden_normed_over_batch;
mod largest_pooled;
mod last_line_counts;
mod last_of_equals;
mod layer_attends_across_batch;
mod layer_ends_in_norm;
mod layer_hides_nothing;
mod layer_in_double_precision;
mod layer_mask_inverted;
mod layer_refuses_views;
mod layers_left_out;
mod layers_out_of_order;
mod layers_share_parameters;
mod layers_told_otherwise;
mod layers_unwrapped;
mod long_texts_panic;
mod long_texts_taken;
mod lowest_wins;
mod maps_without_bias;
mod mask_made_of_ids;
mod missing_words_alike;
mod missing_words_spread;
mod missing_words_unseeded;
mod nan_panics;
mod nan_wins;
mod network_adds_its_input;
mod network_in_double_precision;
mod network_refuses_views;
mod norm_epsilon;
mod norm_off_formula;
mod norm_over_positions;
mod norm_parameters_detached;
mod norm_placements_swapped;
mod norm_unbiased;
mod norm_without_affine;
mod norms_missing;
mod norms_shared;
mod norms_swapped;
mod one_activation_for_all;
mod other_files_taken;
mod padding_gets_a_vector;
mod padding_pooled;
mod padding_row_used;
mod parts_unwrapped;
mod pooled_to_sum;
mod positions_before_each_layer;
mod positions_begin_again;
mod positions_by_the_wrong_index;
mod positions_missing;
mod positions_off;
mod ragged_lines_panic;
mod ragged_lines_taken;
mod residual_after_norm;
mod residual_of_itself;
mod rows_misplaced;
mod second_residual_from_input;
mod second_residual_missing;
mod single_token_pooled;
mod softmax_after_head;
mod spelling_looked_up;
mod sublayer_dropout_always;
mod sublayer_dropout_inverted;
mod sublayer_dropout_missing;
mod sublayer_dropout_unscaled;
mod sublayers_not_told;
mod sublayers_out_of_order;
mod texts_pooled_together;
mod tokens_scaled;
mod tokens_times_positions;
mod unknown_ids_panic;
mod unknown_ids_taken;

use crate::suite::Mistake;

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(in crate::suite) fn mistakes() -> Vec<Mistake> {
    BANK.to_vec()
}

const BANK: &[Mistake] = &[
    activation_missing::MISTAKE,
    activation_swapped::MISTAKE,
    one_activation_for_all::MISTAKE,
    gelu_approximated::MISTAKE,
    activation_after_output::MISTAKE,
    network_adds_its_input::MISTAKE,
    maps_without_bias::MISTAKE,
    hidden_dropout_missing::MISTAKE,
    hidden_dropout_always::MISTAKE,
    hidden_dropout_unscaled::MISTAKE,
    hidden_dropout_inverted::MISTAKE,
    dropout_on_output::MISTAKE,
    hidden_normed_over_batch::MISTAKE,
    network_in_double_precision::MISTAKE,
    hidden_detached::MISTAKE,
    network_refuses_views::MISTAKE,
    first_residual_missing::MISTAKE,
    second_residual_missing::MISTAKE,
    both_residuals_missing::MISTAKE,
    second_residual_from_input::MISTAKE,
    residual_of_itself::MISTAKE,
    residual_after_norm::MISTAKE,
    always_post_norm::MISTAKE,
    always_pre_norm::MISTAKE,
    norm_placements_swapped::MISTAKE,
    norms_missing::MISTAKE,
    norms_shared::MISTAKE,
    norms_swapped::MISTAKE,
    norm_over_positions::MISTAKE,
    norm_epsilon::MISTAKE,
    epsilon_outside_root::MISTAKE,
    norm_unbiased::MISTAKE,
    norm_without_affine::MISTAKE,
    norm_off_formula::MISTAKE,
    layer_hides_nothing::MISTAKE,
    layer_mask_inverted::MISTAKE,
    layer_attends_across_batch::MISTAKE,
    sublayers_out_of_order::MISTAKE,
    layer_ends_in_norm::MISTAKE,
    sublayer_dropout_missing::MISTAKE,
    sublayer_dropout_always::MISTAKE,
    sublayer_dropout_unscaled::MISTAKE,
    sublayer_dropout_inverted::MISTAKE,
    sublayers_not_told::MISTAKE,
    layer_in_double_precision::MISTAKE,
    cut_by_layer_norm::MISTAKE,
    norm_parameters_detached::MISTAKE,
    parts_unwrapped::MISTAKE,
    layer_refuses_views::MISTAKE,
    tokens_scaled::MISTAKE,
    positions_missing::MISTAKE,
    positions_by_the_wrong_index::MISTAKE,
    positions_off::MISTAKE,
    tokens_times_positions::MISTAKE,
    positions_before_each_layer::MISTAKE,
    positions_begin_again::MISTAKE,
    padding_row_used::MISTAKE,
    layers_share_parameters::MISTAKE,
    layers_left_out::MISTAKE,
    layers_out_of_order::MISTAKE,
    final_norm_missing::MISTAKE,
    final_norm_epsilon::MISTAKE,
    final_norm_always::MISTAKE,
    encoder_hides_nothing::MISTAKE,
    encoder_mask_inverted::MISTAKE,
    mask_made_of_ids::MISTAKE,
    unknown_ids_taken::MISTAKE,
    unknown_ids_panic::MISTAKE,
    layers_unwrapped::MISTAKE,
    long_texts_taken::MISTAKE,
    long_texts_panic::MISTAKE,
    embedding_dropout_missing::MISTAKE,
    embedding_dropout_unscaled::MISTAKE,
    embedding_dropout_always::MISTAKE,
    embedding_dropout_inverted::MISTAKE,
    layers_told_otherwise::MISTAKE,
    embeddings_detached::MISTAKE,
    pooled_to_sum::MISTAKE,
    padding_pooled::MISTAKE,
    single_token_pooled::MISTAKE,
    largest_pooled::MISTAKE,
    texts_pooled_together::MISTAKE,
    softmax_after_head::MISTAKE,
    activation_at_head::MISTAKE,
    head_without_bias::MISTAKE,
    encoder_without_mask::MISTAKE,
    encoder_unwrapped::MISTAKE,
    encoder_told_otherwise::MISTAKE,
    empty_text_not_a_number::MISTAKE,
    encoder_detached::MISTAKE,
    padding_gets_a_vector::MISTAKE,
    rows_misplaced::MISTAKE,
    missing_words_alike::MISTAKE,
    missing_words_spread::MISTAKE,
    missing_words_unseeded::MISTAKE,
    spelling_looked_up::MISTAKE,
    last_line_counts::MISTAKE,
    ragged_lines_taken::MISTAKE,
    ragged_lines_panic::MISTAKE,
    fields_taken_for_numbers::MISTAKE,
    fields_panic::MISTAKE,
    other_files_taken::MISTAKE,
    coverage_miscounted::MISTAKE,
    chosen_by_other_scores::MISTAKE,
    lowest_wins::MISTAKE,
    last_of_equals::MISTAKE,
    nan_wins::MISTAKE,
    nan_panics::MISTAKE,
    grid_in_another_order::MISTAKE,
    combinations_missing::MISTAKE,
    budget_overrun::MISTAKE,
];
