//! The mistake bank: a file a mistake, with its page and its imitation.
//!
//! A page says what we saw, why it is wrong and where to look, and never what the line should be.
//! Of two mistakes that explain as much, the one that stands first here is named.

mod always_causal;
mod attention_across_batch;
mod attention_always_normed;
mod attention_norm_epsilon;
mod attention_not_normed;
mod classifier_detached;
mod cut_at_weights;
mod detached_heads;
mod empty_mask_first_token;
mod empty_mask_infinite;
mod empty_mask_nan;
mod empty_row_nan;
mod empty_row_uniform;
mod empty_text_undefined;
mod encoding_by_batch;
mod encoding_multiplied;
mod encoding_never_added;
mod encoding_padded_to_max_len;
mod encoding_replaces;
mod encoding_row_zero_only;
mod encoding_rows_begin_again;
mod encoding_rows_from_end;
mod encoding_rows_reversed;
mod filler_not_lowest;
mod first_detached;
mod first_ignores_mask;
mod first_of_batch;
mod frequencies_fall_too_fast;
mod heads_interleaved;
mod heads_merged_without_transpose;
mod heads_without_transpose;
mod input_added_to_attention;
mod input_scaled;
mod integer_exponent;
mod inverted_mask;
mod key_reshaped;
mod key_value_ignored;
mod key_value_projections_swapped;
mod key_value_swapped;
mod keys_mixed;
mod last_instead_of_first;
mod later_words_hidden;
mod layer_norm_after_attention;
mod leaky_mask;
mod learned_by_batch;
mod learned_detached;
mod learned_from_one;
mod learned_input_scaled;
mod learned_multiplied;
mod learned_never_asked;
mod learned_padded_to_max_len;
mod learned_replaces;
mod learned_row_zero_only;
mod learned_rows_begin_again;
mod learned_rows_from_end;
mod learned_rows_reversed;
mod learned_too_long_clamped;
mod learned_too_long_panics;
mod learned_too_long_wraps;
mod mask_after_softmax;
mod mask_ignored;
mod mask_not_passed;
mod mask_of_first_example;
mod mask_of_first_head;
mod max_over_padding;
mod max_zero_for_padding;
mod mean_divided_by_length;
mod mean_over_padding;
mod misfit_sliced_away;
mod missing_output_projection;
mod missing_scale;
mod missing_softmax;
mod norm_before_attention;
mod odd_width_accepted;
mod one_projection_for_all;
mod output_without_mask;
mod padding_alone_attended_to;
mod padding_attended_to;
mod padding_in_the_pooling;
mod pooled_across_texts;
mod pooling_ignores_mask;
mod pooling_mask_inverted;
mod pooling_over_batch;
mod pooling_whatever_asked;
mod positions_after_attention;
mod positions_from_one;
mod projections_without_bias;
mod query_key_projections_swapped;
mod reads_memory_order;
mod residual_added;
mod scale_by_width;
mod scale_inverted;
mod scaled_twice;
mod shallow_mask;
mod shares_instead_of_logits;
mod sine_cosine_concatenated;
mod sine_cosine_swapped;
mod sinusoidal_detached;
mod sinusoidal_in_f64;
mod softmax_over_heads;
mod softmax_over_queries;
mod softmax_overflow;
mod strided_attention_refused;
mod strided_input_refused;
mod texts_attend_to_texts;
mod texts_without_positions;
mod tokens_times_root_of_width;
mod too_long_clamped;
mod too_long_goes_on;
mod too_long_panics;
mod too_long_wraps;
mod uneven_heads_panic;
mod unknown_words_let_pass;
mod unknown_words_panic;
mod value_not_projected;
mod weight_not_transposed;
mod weights_averaged_over_heads;
mod weights_before_softmax;
mod weights_transposed;
mod weights_without_mask;
mod wrong_base;
mod wrong_exponent;
mod zero_one_mask_added;

use crate::suite::Mistake;

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    BANK.to_vec()
}

const BANK: &[Mistake] = &[
    missing_scale::MISTAKE,
    always_causal::MISTAKE,
    empty_row_nan::MISTAKE,
    empty_row_uniform::MISTAKE,
    inverted_mask::MISTAKE,
    key_reshaped::MISTAKE,
    keys_mixed::MISTAKE,
    leaky_mask::MISTAKE,
    mask_after_softmax::MISTAKE,
    mask_ignored::MISTAKE,
    mask_of_first_example::MISTAKE,
    mask_of_first_head::MISTAKE,
    missing_softmax::MISTAKE,
    output_without_mask::MISTAKE,
    reads_memory_order::MISTAKE,
    scale_by_width::MISTAKE,
    scale_inverted::MISTAKE,
    shallow_mask::MISTAKE,
    filler_not_lowest::MISTAKE,
    softmax_over_heads::MISTAKE,
    softmax_over_queries::MISTAKE,
    softmax_overflow::MISTAKE,
    weights_before_softmax::MISTAKE,
    weights_transposed::MISTAKE,
    weights_without_mask::MISTAKE,
    zero_one_mask_added::MISTAKE,
    cut_at_weights::MISTAKE,
    strided_attention_refused::MISTAKE,
    misfit_sliced_away::MISTAKE,
    attention_across_batch::MISTAKE,
    heads_interleaved::MISTAKE,
    heads_merged_without_transpose::MISTAKE,
    heads_without_transpose::MISTAKE,
    key_value_ignored::MISTAKE,
    key_value_swapped::MISTAKE,
    key_value_projections_swapped::MISTAKE,
    layer_norm_after_attention::MISTAKE,
    mask_not_passed::MISTAKE,
    missing_output_projection::MISTAKE,
    one_projection_for_all::MISTAKE,
    projections_without_bias::MISTAKE,
    query_key_projections_swapped::MISTAKE,
    residual_added::MISTAKE,
    scaled_twice::MISTAKE,
    value_not_projected::MISTAKE,
    weight_not_transposed::MISTAKE,
    weights_averaged_over_heads::MISTAKE,
    detached_heads::MISTAKE,
    uneven_heads_panic::MISTAKE,
    encoding_by_batch::MISTAKE,
    encoding_multiplied::MISTAKE,
    encoding_never_added::MISTAKE,
    encoding_padded_to_max_len::MISTAKE,
    encoding_replaces::MISTAKE,
    encoding_row_zero_only::MISTAKE,
    encoding_rows_from_end::MISTAKE,
    encoding_rows_begin_again::MISTAKE,
    encoding_rows_reversed::MISTAKE,
    frequencies_fall_too_fast::MISTAKE,
    input_scaled::MISTAKE,
    integer_exponent::MISTAKE,
    positions_from_one::MISTAKE,
    sine_cosine_concatenated::MISTAKE,
    sine_cosine_swapped::MISTAKE,
    wrong_base::MISTAKE,
    wrong_exponent::MISTAKE,
    sinusoidal_in_f64::MISTAKE,
    sinusoidal_detached::MISTAKE,
    odd_width_accepted::MISTAKE,
    too_long_goes_on::MISTAKE,
    too_long_panics::MISTAKE,
    too_long_wraps::MISTAKE,
    too_long_clamped::MISTAKE,
    learned_by_batch::MISTAKE,
    learned_from_one::MISTAKE,
    learned_input_scaled::MISTAKE,
    learned_multiplied::MISTAKE,
    learned_padded_to_max_len::MISTAKE,
    learned_replaces::MISTAKE,
    learned_row_zero_only::MISTAKE,
    learned_rows_from_end::MISTAKE,
    learned_rows_begin_again::MISTAKE,
    learned_rows_reversed::MISTAKE,
    learned_never_asked::MISTAKE,
    learned_detached::MISTAKE,
    learned_too_long_clamped::MISTAKE,
    learned_too_long_wraps::MISTAKE,
    learned_too_long_panics::MISTAKE,
    pooling_ignores_mask::MISTAKE,
    pooling_mask_inverted::MISTAKE,
    first_ignores_mask::MISTAKE,
    first_of_batch::MISTAKE,
    last_instead_of_first::MISTAKE,
    max_over_padding::MISTAKE,
    max_zero_for_padding::MISTAKE,
    mean_divided_by_length::MISTAKE,
    mean_over_padding::MISTAKE,
    pooling_over_batch::MISTAKE,
    empty_mask_first_token::MISTAKE,
    empty_mask_infinite::MISTAKE,
    empty_mask_nan::MISTAKE,
    first_detached::MISTAKE,
    strided_input_refused::MISTAKE,
    texts_without_positions::MISTAKE,
    positions_after_attention::MISTAKE,
    padding_attended_to::MISTAKE,
    padding_alone_attended_to::MISTAKE,
    later_words_hidden::MISTAKE,
    texts_attend_to_texts::MISTAKE,
    input_added_to_attention::MISTAKE,
    norm_before_attention::MISTAKE,
    attention_norm_epsilon::MISTAKE,
    attention_not_normed::MISTAKE,
    attention_always_normed::MISTAKE,
    pooling_whatever_asked::MISTAKE,
    padding_in_the_pooling::MISTAKE,
    pooled_across_texts::MISTAKE,
    shares_instead_of_logits::MISTAKE,
    tokens_times_root_of_width::MISTAKE,
    empty_text_undefined::MISTAKE,
    unknown_words_let_pass::MISTAKE,
    unknown_words_panic::MISTAKE,
    classifier_detached::MISTAKE,
];
