"""Writes newsgroups.txt: digests of what scikit-learn's own functions make of every post.

    python newsgroups.py DATA > newsgroups.txt

DATA is the folder with 20news-bydate/. Nothing of the posts gets into the file.
"""

import hashlib
import sys
from pathlib import Path

import sklearn
from sklearn.datasets._twenty_newsgroups import (
    strip_newsgroup_footer,
    strip_newsgroup_header,
    strip_newsgroup_quoting,
)


def everything(text):
    """In the order of `fetch_20newsgroups`."""
    return strip_newsgroup_quoting(strip_newsgroup_footer(strip_newsgroup_header(text)))


PARTS = {
    "header": strip_newsgroup_header,
    "footer": strip_newsgroup_footer,
    "quoting": strip_newsgroup_quoting,
    "all": everything,
}

script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
print(f"# scikit-learn {sklearn.__version__}, script {script}")
root = Path(sys.argv[1]) / "20news-bydate"
for folder in sorted(path for path in root.glob("*/*") if path.is_dir()):
    posts = [path.read_bytes().decode("latin1") for path in sorted(folder.iterdir())]
    for name, strip in PARTS.items():
        digest = hashlib.sha256()
        empty = 0
        for post in posts:
            stripped = strip(post).encode()
            digest.update(f"{len(stripped)}:".encode() + stripped)
            empty += not stripped.strip()
        print(folder.relative_to(root), name, len(posts), empty, digest.hexdigest())
