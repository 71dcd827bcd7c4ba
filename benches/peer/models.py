"""The three models of the training benchmark as PyTorch modules, and a program that times their steps.

    python3 models.py MODEL ATTENTION DROPOUT THREADS STEPS [DEVICE]

MODEL is a, b or c; ATTENTION is explicit or sdpa; DROPOUT is drop or nodrop; DEVICE is cpu or cuda.
It prints one line of JSON: milliseconds of each step by the wall clock and by the processor, and the
most memory that was ever in use. Sizes are those of crates/softmark-kit/benches/training/model.rs.
"""

import math
import sys
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from peer import time_steps


@dataclass
class Sizes:
    batch: int
    length: int
    vocabulary: int
    width: int
    heads: int
    inner: int
    layers: int
    classes: int
    dropout: float
    pre_norm: bool
    every_token: bool


MODELS = {
    "a": Sizes(64, 128, 5002, 64, 4, 128, 2, 4, 0.1, True, False),
    "b": Sizes(32, 128, 1000, 100, 10, 0, 1, 1000, 0.0, True, True),
    "c": Sizes(64, 36, 5000, 128, 8, 512, 4, 6, 0.1, False, False),
}


class Attention(nn.Module):
    def __init__(self, sizes, fused):
        super().__init__()
        d = sizes.width
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.heads, self.p, self.fused = sizes.heads, sizes.dropout, fused

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (f(x).view(b, t, self.heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.p)
        else:
            weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // self.heads), dim=-1)
            y = (F.dropout(weights, self.p) if self.p > 0 else weights) @ v
        return self.o(y.transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    def __init__(self, sizes, fused):
        super().__init__()
        self.attention = Attention(sizes, fused)
        self.up, self.down = nn.Linear(sizes.width, sizes.inner), nn.Linear(sizes.inner, sizes.width)
        self.norm1, self.norm2 = nn.LayerNorm(sizes.width), nn.LayerNorm(sizes.width)
        self.dropout, self.pre_norm = nn.Dropout(sizes.dropout), sizes.pre_norm
        self.activation = F.gelu if sizes.pre_norm else F.relu

    def feed_forward(self, x):
        return self.dropout(self.down(self.activation(self.up(x))))

    def forward(self, x):
        if self.pre_norm:
            x = x + self.dropout(self.attention(self.norm1(x)))
            return x + self.feed_forward(self.norm2(x))
        x = self.norm1(x + self.dropout(self.attention(x)))
        return self.norm2(x + self.feed_forward(x))


class Model(nn.Module):
    def __init__(self, sizes, fused):
        super().__init__()
        self.sizes = sizes
        self.token = nn.Embedding(sizes.vocabulary, sizes.width)
        self.position = nn.Embedding(sizes.length, sizes.width)
        self.dropout = nn.Dropout(sizes.dropout)
        make = Attention if sizes.every_token else Layer
        self.layers = nn.ModuleList(make(sizes, fused) for _ in range(sizes.layers))
        final = sizes.pre_norm and not sizes.every_token
        self.norm = nn.LayerNorm(sizes.width) if final else nn.Identity()
        self.head = nn.Linear(sizes.width, sizes.classes)

    def forward(self, ids):
        x = self.dropout(self.token(ids) + self.position.weight)
        for layer in self.layers:
            x = layer(x)
        if self.sizes.every_token:
            return self.head(x).flatten(0, 1)
        return self.head(self.norm(x).mean(1))


def main(name, attention, dropout, threads, steps, device="cpu"):
    torch.manual_seed(1)
    torch.set_num_threads(int(threads))
    sizes = MODELS[name]
    if dropout == "nodrop":
        sizes.dropout = 0.0
    model = Model(sizes, attention == "sdpa")
    for module in model.modules():
        if isinstance(module, nn.Embedding):
            nn.init.uniform_(module.weight, -0.1, 0.1)
    model.to(device)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)
    x = torch.randint(0, sizes.vocabulary, (sizes.batch, sizes.length), device=device)
    rows = sizes.batch * (sizes.length if sizes.every_token else 1)
    y = torch.randint(0, sizes.classes, (rows,), device=device)

    def step():
        adam.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        adam.step()
        loss.item()  # waits for a GPU

    time_steps(steps, step)


if __name__ == "__main__":
    main(*sys.argv[1:])
