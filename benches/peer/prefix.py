"""Prefix tuning of a pretrained encoder with PyTorch and transformers, and a program that times its steps.

    prefix.py FOLDER LENGTHS THREADS [STEPS]

The same as `cargo bench -p softmark-kit --bench prefix`: a frozen encoder without dropout, a prefix put
before the embedded tokens, the mean over the real tokens, a linear head, AdamW on prefix and head.
"""

import sys

import torch
from torch.nn import functional as F
from transformers import AutoModel

from peer import time_steps

BATCH, LENGTH, PREFIX, CLASSES = 32, 36, 5, 6


def main(folder, lengths, threads, steps=10):
    torch.manual_seed(1)
    torch.set_num_threads(int(threads))
    base = AutoModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="sdpa").eval()
    for parameter in base.parameters():
        parameter.requires_grad_(False)
    width = base.config.hidden_size
    prefix = torch.nn.Parameter(torch.randn(PREFIX, width) * 0.02)
    head = torch.nn.Linear(width, CLASSES)
    adam = torch.optim.AdamW([prefix, *head.parameters()], lr=1e-3, weight_decay=0.0)
    x = torch.randint(0, 30_000, (BATCH, LENGTH))
    y = torch.randint(0, CLASSES, (BATCH,))
    real = [LENGTH if lengths == "full" else 7 + text * 5 % 13 for text in range(BATCH)]
    mask = torch.tensor([[int(at < n) for at in range(LENGTH)] for n in real])
    whole = torch.cat([torch.ones(BATCH, PREFIX, dtype=mask.dtype), mask], 1)
    # True where a token may be looked at; attention without a mask is faster, where there is nothing to hide.
    looks = None if bool(whole.all()) else whole.bool()[:, None, None, :]
    weights = mask.unsqueeze(-1).float()

    def step():
        adam.zero_grad()
        embedded = torch.cat([prefix.expand(BATCH, -1, -1), base.embeddings(x)], 1)
        encoded = base.encoder(embedded, attention_mask=looks)[0][:, PREFIX:]
        pooled = (encoded * weights).sum(1) / weights.sum(1)
        loss = F.cross_entropy(head(pooled), y)
        loss.backward()
        adam.step()

    time_steps(steps, step)


if __name__ == "__main__":
    main(*sys.argv[1:])
