"""Five tests of an attention, for each of the peers."""

import torch


def inputs(seed=0, length=5):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(2, 3, length, 4, generator=generator) for _ in range(3)]


def has_the_shape(attend):
    output, weights = attend(*inputs())
    assert output.shape == (2, 3, 5, 4)
    assert weights.shape == (2, 3, 5, 5)


def weights_add_up_to_one(attend):
    _, weights = attend(*inputs())
    assert torch.allclose(weights.sum(-1), torch.ones(2, 3, 5), atol=1e-5)


def matches_the_reference(attend):
    query, key, value = inputs()
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, value)
    assert torch.allclose(attend(query, key, value)[0], expected, atol=1e-5)


def hidden_keys_get_no_weight(attend):
    mask = torch.tensor([1, 1, 1, 0, 0])
    assert (attend(*inputs(), mask)[1][..., 3:] == 0).all()


def gradients_arrive(attend):
    query, key, value = (tensor.requires_grad_() for tensor in inputs())
    attend(query, key, value)[0].sum().backward()
    assert query.grad is not None and value.grad.abs().sum() > 0


ALL = [
    has_the_shape,
    weights_add_up_to_one,
    matches_the_reference,
    hidden_keys_get_no_weight,
    gradients_arrive,
]
