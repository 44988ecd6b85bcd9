# shellcheck shell=bash
# What an app does, step by step and shown. Needs show.sh and the functions public_url, issuer_url, issuer_keys and
# run_chiladmin of the stack it talks to. Sourced, never run.

# sign_in SLUG CLIENT-ID SUBJECT: leaves the answer in WORK/body.
sign_in() {
    local base nonce hash token
    base=$(public_url)/$1
    authorize_nobody
    call POST "$base/auth/nonce" 201
    nonce=$(answer .nonce)
    hash=$(printf '%s' "$nonce" | sha256sum | cut -d ' ' -f 1)
    token=$(run_chiladmin dev token --keys "$(issuer_keys)" --issuer "$(issuer_url)" --client-id "$2" --subject "$3" \
        --nonce "$hash" | tail -n 1) || failed 'chiladmin dev token'
    note "the development issuer signs an identity token (ES256) for $3, bound to the nonce"
    call POST "$base/auth/apple" 200 --json "$(jq -nc --arg token "$token" --arg nonce "$nonce" \
        --arg name "${3^}" '{identityToken: $token, nonce: $nonce, givenName: $name, deviceName: "demo"}')"
}

# sign_in_by_code SLUG CLIENT-ID SUBJECT: by an authorization code alone, as the development issuer gives it to a device.
sign_in_by_code() {
    local made
    authorize_nobody
    made=$(curl -fsS -m 10 -H 'Content-Type: application/json' "$(issuer_url)/dev/code" \
        --data-binary "$(jq -nc --arg client "$2" --arg subject "$3" '{clientId: $client, subject: $subject}')") ||
        failed 'the development issuer gives no code'
    note "$3 agrees at the development issuer; the app gets a code, which the service exchanges there"
    call POST "$(public_url)/$1/auth/oauth2/token" 200 --json "$(jq -c '{code}' <<<"$made")"
}

# delete_account BASE SECONDS: deletes who is signed in, and follows the receipt until the issuer's token is revoked.
delete_account() {
    local receipt state='' deadline=$((SECONDS + $2))
    call DELETE "$1/me" 202
    receipt=$(answer .receipt)
    authorize_nobody
    until [ "$state" = revoked ]; do
        [ "$SECONDS" -lt "$deadline" ] || failed "the issuer's token was not revoked in $2 s: $(shown_body)"
        [ -z "$state" ] || sleep 0.2
        curl -sS -m 5 -D "$WORK/head" -o "$WORK/body" "$1/account-deletions/$receipt" || failed 'no answer for the receipt'
        state=$(answer .providerToken)
    done
    call GET "$1/account-deletions/$receipt" 200
}

# upload BASE FILE: prints nothing, leaves the drawing in WORK/body.
upload() { call POST "$1/drawings" 201 --file "$2" image/png; }

# print_drawing BASE DRAWING-ID SECONDS: prints it and follows the job to its end.
print_drawing() {
    local base=$1 job state seen='' deadline=$((SECONDS + $3))
    call POST "$base/drawings/print" 200 --json "$(jq -nc --argjson id "$2" '{drawingId: $id, scale: "LARGE"}')"
    job=$(answer .printJobId)
    while :; do
        state=$(jq -r '.status // .state // empty' "$WORK/body")
        if [ "$state" != "$seen" ]; then seen=$state && note "job $job: $state"; fi
        case $state in
            completed) break ;;
            failed | canceled | expired | outcomeUnknown) failed "the job ended as $(shown_body)" ;;
        esac
        [ "$SECONDS" -lt "$deadline" ] || failed "the job did not complete in $3 s: $(shown_body)"
        sleep 0.1
        curl -sS -m 5 -H "@$WORK/authorization" -D "$WORK/head" -o "$WORK/body" "$base/print-jobs/$job" ||
            failed 'no answer for the job'
    done
    call GET "$base/print-jobs/$job" 200
}

# last_paper: prints the path of what the printer spooled last.
last_paper() {
    local paper
    paper=$(find "$STACK/spool" -name '*.pdf' -printf '%T@ %p\n' | sort -rn | head -n 1 | cut -d ' ' -f 2-)
    [ -n "$paper" ] || failed "the printer spooled no PDF in $STACK/spool"
    printf '%s\n' "$paper"
}

# show_paper PDF
show_paper() {
    local paper=$1
    note "spooled: $(basename "$paper"): $(file -b "$paper"), $(wc -c <"$paper") bytes"
    note "pages: $(grep -ac '/Type */Page\b' "$paper")"
}

# await_drawing BASE TYPE COUNT SECONDS: until the list of that type has so many that are READY; the newest is .data[0] of WORK/body.
await_drawing() {
    local deadline=$((SECONDS + $4))
    until [ "$(jq '[.data[] | select(.status == "READY")] | length' "$WORK/body" 2>/dev/null)" = "$3" ]; do
        [ "$SECONDS" -lt "$deadline" ] || failed "there is no drawing of the type $2 after $4 s: $(shown_body)"
        sleep 0.1
        curl -sS -m 5 -H "@$WORK/authorization" -D "$WORK/head" -o "$WORK/body" "$1/drawings?type=$2" ||
            failed 'no answer for the list'
    done
    call GET "$1/drawings?type=$2" 200
}

# fetch URL FILE: an image by its signed URL, without a header of ours.
fetch() {
    curl -fsS -m 20 -o "$2" "$1" || failed "no image at $1"
    note "$(basename "$2"): $(file -b "$2"), $(wc -c <"$2") bytes"
}
