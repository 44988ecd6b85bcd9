# shellcheck shell=bash
# The way of a wish: drawn, printed, coloured, scanned, moving. Needs the stack, show.sh, client.sh and picture.sh. Sourced, never run.

# play_wish BASE WORDS [DIRECTORY]: for who is signed in; the pictures go to the directory, if any.
play_wish() {
    local base=$1 words=$2 pictures=${3:-$WORK} wish scan user address place paper

    step 'The operator says what draws, what scans and what moves'
    user=$(authorized_user "$base")
    show_admin generator add "$DEMO_TENANT" --kind sketchbook
    show_admin scanner add "$DEMO_TENANT" --name table --user "$user"
    address=$(grep -o "$base/scan/[A-Za-z0-9_-]*" "$WORK/answer" | head -n 1)
    place=$(start_motion)
    note "a simulated motion service answers on $place: it shifts the whole drawing"
    show_admin motion add "$DEMO_TENANT" --url "http://$place" --allow-private "$place"

    step "A child wishes for: $words"
    call POST "$base/drawings/gen" 201 --json "$(jq -nc --arg prompt "$words" '{prompt: $prompt}')"
    wish=$(answer .drawingId)
    fetch "$(answer .url)" "$pictures/wish.png"

    step 'It is printed, coloured and scanned'
    if part_runs printer && have_picture_tools; then
        print_drawing "$base" "$wish" 20
        paper=$(last_paper)
        show_paper "$paper"
        cp -- "$paper" "$pictures/wish.pdf"
        page_of "$paper" "$pictures/printed.png"
        coloured "$pictures/printed.png" "$pictures/scan.jpg"
        show_admin dev scan --url "$address" --file "$pictures/scan.jpg"
        await_drawing "$base" SCANNED 1 20
        scan=$(answer '.data[0].drawingId')
        fetch "$(answer '.data[0].url')" "$pictures/scanned.jpg"
    else
        note 'skipped: it takes a printer, gm and pdftoppm'
        scan=$wish
    fi

    step 'It moves'
    call POST "$base/motion/$scan" 201 --json '{"motionType":"dance"}'
    fetch "$(answer .url)" "$pictures/moving.gif"
    stop_part motion 3
}

# authorized_user BASE: the number of who is signed in.
authorized_user() {
    curl -fsS -m 5 -H "@$WORK/authorization" "$1/me" | jq -er .id || failed 'no answer from me'
}
