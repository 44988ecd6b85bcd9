# shellcheck shell=bash
# The demo tenant, as an operator sets it up: used by the stack, and shown step by step by the demo. Each function is
# handed the command that runs chiladmin (and may print what it runs). Sourced, never run.

DEMO_TENANT=chillin
DEMO_CLIENT_ID=app.chilhada.demo
DEMO_PRINTER=home

# create_tenant RUN SLUG
create_tenant() { "$1" tenant create "$2"; }

# add_client RUN SLUG CLIENT-ID: identity tokens of the development issuer for that client id. The issuer of a stack answers
# on a loopback address: the operator allows that one host and port, for this record only.
add_client() {
    "$1" client add "$2" --client-id "$3" --issuer "$(issuer_url)" --jwks-url "$(issuer_url)/.well-known/jwks.json" \
        --allow-private "$(issuer_authority)" --development
}
# set_provider RUN SLUG CLIENT-ID: who the tenant is to the development issuer, so that codes are exchanged and tokens revoked.
set_provider() {
    local url
    url=$(issuer_url)/auth
    "$1" client set "$2" --client-id "$3" --team DEVTEAM001 --key-id DEVKEY0001 --p8-file "$(issuer_keys)/AuthKey_DEVKEY0001.p8" \
        --authorize-url "$url/authorize" --token-url "$url/token" --revoke-url "$url/revoke" \
        --migration-url "$url/usermigrationinfo"
}
issuer_authority() { local url; url=$(issuer_url) && printf '%s\n' "${url#http://}"; }

# set_quota RUN SLUG COUNT: at most so many drawings.
set_quota() { "$1" quota set "$2" drawings "$3"; }

# add_printer RUN SLUG URI
add_printer() { "$1" printer add "$2" --name "$DEMO_PRINTER" --uri "$3" --default; }

# provision_demo_tenant [PRINTER-URI]: all of it, unless it is there.
provision_demo_tenant() {
    if run_chiladmin tenant show "$DEMO_TENANT" >/dev/null 2>&1; then return 0; fi
    {
        create_tenant run_chiladmin "$DEMO_TENANT" &&
            add_client run_chiladmin "$DEMO_TENANT" "$DEMO_CLIENT_ID" &&
            set_provider run_chiladmin "$DEMO_TENANT" "$DEMO_CLIENT_ID" &&
            set_quota run_chiladmin "$DEMO_TENANT" 1000000 &&
            { [ -z "${1:-}" ] || add_printer run_chiladmin "$DEMO_TENANT" "$1"; }
    } >"$LOG/tenant.log" 2>&1 || {
        log_tail "$LOG/tenant.log"
        fail "the demo tenant could not be set up"
    }
}
