#!/bin/sh
# Sets up the grader of the assignment `@ASSIGNMENT@` in Gradescope's container. Runs once, as root, when the image is built.
set -eu

package=/autograder/source/softmark
rust=/opt/softmark/rust

# The code of students runs in this container, too. What keeps it from these files is the grader's sandbox; other users of
# the container cannot read them either.
chown -R 0:0 /autograder/source
chmod -R go-rwx /autograder/source
chmod u+x "$package/grade" /autograder/source/run_autograder

# Programs are linked by a C compiler, with the static C library.
if ! command -v cc > /dev/null || ! find /usr/lib -name libc.a | grep -q .; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev
fi

# The libraries of the package need exactly the compiler that built them.
mkdir -p "$(dirname "$rust")"
if [ -n "${SOFTMARK_TOOLCHAIN:-}" ]; then
    ln -sfn "$SOFTMARK_TOOLCHAIN" "$rust"
elif [ -d "$package/rust" ]; then
    mv "$package/rust" "$rust"
    chmod u+x "$rust"/bin/* "$rust"/lib/rustlib/*/bin/*
elif ! [ -d "$rust" ]; then
    if ! command -v curl > /dev/null || ! command -v xz > /dev/null; then
        apt-get update
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates curl xz-utils
    fi
    work=$(mktemp -d)
    for component in rustc cargo rust-std; do
        name=$component-@VERSION@-@HOST@
        curl --proto '=https' --tlsv1.2 --retry 3 -sSf -o "$work/$name.tar.xz" \
            "https://static.rust-lang.org/dist/$name.tar.xz"
        tar -xJf "$work/$name.tar.xz" -C "$work"
        "$work/$name/install.sh" --prefix="$rust" --disable-ldconfig
    done
    rm -rf "$work"
fi
(cd "$rust" && sha256sum --check --quiet "$package/toolchain.sha256")

# A trial with the skeleton, which gets no points.
trial=$(mktemp -d)
if SOFTMARK_HOME="$package/course" SOFTMARK_CACHE="$package/cache" PATH="$rust/bin:$PATH" \
    "$package/grade" run "$package/course/assignments/@ASSIGNMENT@" --assignment '@ASSIGNMENT@' --out "$trial/results"; then
    echo 'The grader works here.'
else
    echo 'WARNING: the grader did not work while the image was built; the reason is above.'
    echo 'Submit the solution yourself before students hand in: without isolation, nothing is graded.'
fi
rm -rf "$trial"
