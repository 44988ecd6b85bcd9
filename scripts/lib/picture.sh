# shellcheck shell=bash
# What a child and a scanner do with a printed page, played by programs. Needs WORK and show.sh. Sourced, never run.

have_picture_tools() { have gm && have pdftoppm; }

# page_of PDF FILE: its first page as a PNG of screen size.
page_of() {
    pdftoppm -png -r 100 -f 1 -l 1 -singlefile "$1" "${2%.png}" || failed "pdftoppm cannot read $1"
}

# coloured PNG JPEG: fields are filled where a crayon would; then it lies on a scanner, as a JPEG on yellowish paper with a margin.
coloured() {
    local width height crayons=('#ffd166' '#ef8354' '#8ecae6' '#a7c957' '#cdb4db') words=() at=0 x y
    read -r width height < <(gm identify -format '%w %h\n' "$1")
    for y in 25 40 50 60 75; do
        for x in 30 50 70; do
            words+=(-fill "${crayons[at++ % 5]}" -draw "color $((width * x / 100)),$((height * y / 100)) filltoborder")
        done
    done
    gm convert "$1" -bordercolor black -fuzz 45% "${words[@]}" "$WORK/coloured.png"
    gm convert -size "$((width + 80))x$((height + 80))" 'xc:#f3ead2' "$WORK/paper.png"
    gm composite -compose Multiply -geometry +40+40 "$WORK/coloured.png" "$WORK/paper.png" -quality 88 "$2"
    [ -s "$2" ] || failed 'gm cannot colour the page'
}
