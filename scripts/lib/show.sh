# shellcheck shell=bash
# Shows what the demo does: a title per step, the command or the request, and the answer in a few lines. Needs WORK, a
# private directory. Sourced, never run.

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    STRONG=$'\e[1m' GOOD=$'\e[32m' BAD=$'\e[31m' SOFT=$'\e[2m' PLAIN=$'\e[0m'
else
    STRONG='' GOOD='' BAD='' SOFT='' PLAIN=''
fi
STEP_NUMBER=0
STEP_TITLE='starting'

# step TITLE
step() {
    STEP_NUMBER=$((STEP_NUMBER + 1))
    STEP_TITLE=$1
    printf '\n%s%d. %s%s\n' "$STRONG" "$STEP_NUMBER" "$1" "$PLAIN"
}

note() { printf '   %s%s%s\n' "$SOFT" "$*" "$PLAIN"; }

# failed TEXT: says what went wrong and in which step; the caller ends.
failed() {
    printf '   %sfailed:%s %s\n' "$BAD" "$PLAIN" "$1"
    fail "step $STEP_NUMBER ($STEP_TITLE): $1"
}

# show_admin WORDS…: prints the command line, runs it, prints at most eight lines of its answer.
show_admin() {
    local words
    printf -v words ' %q' "$@"
    printf '   $ chiladmin%s\n' "$words"
    run_chiladmin "$@" >"$WORK/answer" 2>&1 || {
        sed 's/^/     /' "$WORK/answer"
        failed "chiladmin$words"
    }
    head -n 8 "$WORK/answer" | sed "s/^.*\$/     $SOFT&$PLAIN/"
}

# JSON on one line, with what is long (tokens) cut.
shorten_json() {
    jq -c 'walk(if type == "string" and length > 44 and (test("^http| ") | not) then .[:28] + "…" + .[-6:] else . end)' 2>/dev/null ||
        head -c 300
}

# authorize TOKEN: the requests that follow carry it. By a file, so that it is in no list of processes.
authorize() {
    (umask 077 && printf 'Authorization: Bearer %s\n' "$1" >"$WORK/authorization")
}
authorize_nobody() { rm -f "$WORK/authorization"; }

# call METHOD URL STATUS [--json TEXT | --file FILE TYPE]: sends, prints both ways, leaves the body in WORK/body and the head
# in WORK/head; fails the demo when the status is another one.
call() {
    local method=$1 url=$2 expected=$3 status sent='' words=(-sS -m 20 -X "$1" -D "$WORK/head" -o "$WORK/body" -w '%{http_code}')
    shift 3
    case ${1:-} in
        --json)
            # Bodies carry tokens: they too go by a file.
            (umask 077 && printf '%s' "$2" >"$WORK/sent")
            words+=(-H 'Content-Type: application/json' --data-binary "@$WORK/sent")
            sent=$(shorten_json <"$WORK/sent")
            ;;
        --file)
            words+=(-H "Content-Type: $3" --data-binary "@$2")
            sent="($3, $(wc -c <"$2") bytes)"
            ;;
    esac
    case $method$url in
        POST*/auth/*) ;;
        POST*) words+=(-H "Idempotency-Key: $(openssl rand -hex 16)") ;;
    esac
    if [ -f "$WORK/authorization" ]; then words+=(-H "@$WORK/authorization"); fi
    printf '   %s %s %s\n' "$method" "$url" "$sent"
    : >"$WORK/body"
    status=$(curl "${words[@]}" "$url") || failed "no answer from $url"
    if [ "$status" = "$expected" ]; then
        printf '   %s%s%s %s%s%s\n' "$GOOD" "$status" "$PLAIN" "$SOFT" "$(shown_body)" "$PLAIN"
    else
        printf '   %s%s%s %s\n' "$BAD" "$status" "$PLAIN" "$(shown_body)"
        failed "$method $url answered $status instead of $expected"
    fi
}

# The body as a reader wants it: JSON shortened, anything else by its type and size.
shown_body() {
    local type
    type=$(answer_header Content-Type)
    case $type in
        *json*) shorten_json <"$WORK/body" ;;
        '') ;;
        *) printf '(%s, %s bytes)' "$type" "$(wc -c <"$WORK/body")" ;;
    esac
}

# answer_header NAME: of the last answer.
answer_header() {
    tr -d '\r' <"$WORK/head" | awk -v name="${1,,}" -F ': *' 'tolower($1) == name { sub(/^[^:]*: */, ""); print; exit }'
}

# answer FILTER: what jq takes from the last body; fails the demo when it is not there.
answer() {
    jq -er "$1" "$WORK/body" 2>/dev/null || failed "the answer has no $1"
}
