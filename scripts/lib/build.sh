# shellcheck shell=bash
# The built commands. Sourced, never run.

# The shipped form: the Swift runtime inside the binary, so that it runs on a machine without the toolchain.
SHIPPED_BUILD=(-c release --static-swift-stdlib)

# built_command CONFIG NAME: where the build puts it.
built_command() { printf '%s/.build/%s/%s\n' "$CHIL_ROOT" "$1" "$2"; }

is_built() { [ -x "$(built_command "$1" chilapi)" ] && [ -x "$(built_command "$1" chiladmin)" ]; }

# build_commands CONFIG [--if-missing]: builds chilapi and chiladmin.
build_commands() {
    local config=$1 form=() product
    [ "${2:-}" = --if-missing ] && is_built "$config" && return 0
    ensure_toolchain
    form=(-c "$config")
    if [ "$config" = release ]; then form=("${SHIPPED_BUILD[@]}"); fi
    say "building chilapi and chiladmin ($config)"
    for product in chilapi chiladmin; do
        swift build --package-path "$CHIL_ROOT" "${form[@]}" --product "$product" >&2 </dev/null ||
            fail "the build of $product failed"
    done
}
