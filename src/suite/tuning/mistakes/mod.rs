//! The mistake bank: a file a mistake, with its page and its imitation.
//!
//! A page says what we saw, why it is wrong and where to look, and never what the line should be.
//! Of two mistakes that explain as much, the one that stands first here is named.

mod all_layers_unfrozen;
mod always_scaled_to_the_norm;
mod biases_not_kept;
mod clipped_by_value;
mod clipped_one_by_one;
mod clipping_missing;
mod cosine_for_linear;
mod decay_by_all_steps;
mod decay_in_the_gradient;
mod decay_missing;
mod dropout_before_norm;
mod empty_text_divided;
mod encoder_always_told_to_train;
mod encoder_in_the_checkpoint;
mod encoder_never_told;
mod encoder_not_frozen;
mod epoch_before_the_best_kept;
mod everything_unfrozen;
mod first_layers_unfrozen;
mod first_place_for_the_mean;
mod frozen_in_the_norm;
mod frozen_parameters_decay;
mod frozen_parameters_learn;
mod frozen_tensors_taken;
mod head_activation_swapped;
mod head_alone_learns;
mod head_dropout_always;
mod head_dropout_inverted;
mod head_dropout_never;
mod head_frozen_too;
mod head_norm_missing;
mod head_normed_over_the_batch;
mod head_not_kept;
mod head_relu_missing;
mod highest_loss_wins;
mod infinite_loss_never_best;
mod kept_by_name;
mod labels_lost;
mod labels_sorted;
mod last_epoch_kept;
mod last_for_the_first;
mod last_kept_where_none_is_best;
mod later_epoch_of_equals;
mod layers_miscounted;
mod learning_rate_constant;
mod loaded_into_copies;
mod mask_extended_at_the_end;
mod mask_of_ones;
mod mean_for_the_first;
mod misfits_taken;
mod missing_parameters_taken;
mod nan_loss_stays_best;
mod nan_loss_wins;
mod one_map_head;
mod one_vector_a_text;
mod optimizer_renewed;
mod other_encoder_taken;
mod padding_in_the_mean;
mod partial_mask_ignored;
mod partial_softmax;
mod patience_altogether;
mod patience_from_the_last_epoch;
mod patience_ignored;
mod patience_of_worsening;
mod patience_one_less;
mod patience_one_more;
mod prefix_always_asked_for;
mod prefix_appended;
mod prefix_detached;
mod prefix_given_positions;
mod prefix_hidden;
mod prefix_normed;
mod prefix_not_kept;
mod prefix_pooled;
mod relu_before_norm;
mod schedule_of_each_epoch;
mod set_before_checked;
mod settings_forgotten;
mod strangers_taken;
mod sum_for_the_mean;
mod surplus_passed_over;
mod tokens_shifted;
mod tuned_head_without_bias;
mod tuned_layers_always_told;
mod tuned_layers_never_told;
mod tuned_mask_inverted;
mod tuned_softmax;
mod warm_up_from_zero;
mod warm_up_missing;
mod warm_up_one_step_at_least;
mod warm_up_rounded_down;
mod weight_decay_missing;
mod wrong_places_pooled;

use crate::suite::Mistake;

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    MISTAKES.to_vec()
}

const MISTAKES: &[Mistake] = &[
    prefix_hidden::MISTAKE,
    tuned_mask_inverted::MISTAKE,
    mask_extended_at_the_end::MISTAKE,
    prefix_appended::MISTAKE,
    mask_of_ones::MISTAKE,
    one_vector_a_text::MISTAKE,
    prefix_normed::MISTAKE,
    prefix_given_positions::MISTAKE,
    tokens_shifted::MISTAKE,
    wrong_places_pooled::MISTAKE,
    prefix_pooled::MISTAKE,
    first_place_for_the_mean::MISTAKE,
    sum_for_the_mean::MISTAKE,
    padding_in_the_mean::MISTAKE,
    empty_text_divided::MISTAKE,
    prefix_always_asked_for::MISTAKE,
    tuned_softmax::MISTAKE,
    tuned_head_without_bias::MISTAKE,
    encoder_always_told_to_train::MISTAKE,
    encoder_never_told::MISTAKE,
    prefix_detached::MISTAKE,
    head_frozen_too::MISTAKE,
    encoder_not_frozen::MISTAKE,
    partial_mask_ignored::MISTAKE,
    last_for_the_first::MISTAKE,
    mean_for_the_first::MISTAKE,
    one_map_head::MISTAKE,
    head_normed_over_the_batch::MISTAKE,
    head_norm_missing::MISTAKE,
    head_relu_missing::MISTAKE,
    relu_before_norm::MISTAKE,
    head_activation_swapped::MISTAKE,
    dropout_before_norm::MISTAKE,
    partial_softmax::MISTAKE,
    head_dropout_always::MISTAKE,
    head_dropout_never::MISTAKE,
    head_dropout_inverted::MISTAKE,
    tuned_layers_never_told::MISTAKE,
    tuned_layers_always_told::MISTAKE,
    first_layers_unfrozen::MISTAKE,
    layers_miscounted::MISTAKE,
    head_alone_learns::MISTAKE,
    all_layers_unfrozen::MISTAKE,
    everything_unfrozen::MISTAKE,
    warm_up_missing::MISTAKE,
    decay_missing::MISTAKE,
    learning_rate_constant::MISTAKE,
    warm_up_from_zero::MISTAKE,
    warm_up_rounded_down::MISTAKE,
    warm_up_one_step_at_least::MISTAKE,
    schedule_of_each_epoch::MISTAKE,
    decay_by_all_steps::MISTAKE,
    cosine_for_linear::MISTAKE,
    clipping_missing::MISTAKE,
    clipped_one_by_one::MISTAKE,
    clipped_by_value::MISTAKE,
    frozen_in_the_norm::MISTAKE,
    always_scaled_to_the_norm::MISTAKE,
    frozen_parameters_learn::MISTAKE,
    frozen_parameters_decay::MISTAKE,
    decay_in_the_gradient::MISTAKE,
    weight_decay_missing::MISTAKE,
    optimizer_renewed::MISTAKE,
    last_epoch_kept::MISTAKE,
    epoch_before_the_best_kept::MISTAKE,
    last_kept_where_none_is_best::MISTAKE,
    later_epoch_of_equals::MISTAKE,
    highest_loss_wins::MISTAKE,
    nan_loss_stays_best::MISTAKE,
    nan_loss_wins::MISTAKE,
    infinite_loss_never_best::MISTAKE,
    patience_one_more::MISTAKE,
    patience_one_less::MISTAKE,
    patience_altogether::MISTAKE,
    patience_of_worsening::MISTAKE,
    patience_from_the_last_epoch::MISTAKE,
    patience_ignored::MISTAKE,
    encoder_in_the_checkpoint::MISTAKE,
    kept_by_name::MISTAKE,
    prefix_not_kept::MISTAKE,
    head_not_kept::MISTAKE,
    biases_not_kept::MISTAKE,
    labels_sorted::MISTAKE,
    labels_lost::MISTAKE,
    settings_forgotten::MISTAKE,
    missing_parameters_taken::MISTAKE,
    strangers_taken::MISTAKE,
    frozen_tensors_taken::MISTAKE,
    surplus_passed_over::MISTAKE,
    other_encoder_taken::MISTAKE,
    misfits_taken::MISTAKE,
    set_before_checked::MISTAKE,
    loaded_into_copies::MISTAKE,
];
