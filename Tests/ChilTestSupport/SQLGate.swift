/// Holds a transaction of a script until the test lets it go on: no moment of a clock is short enough for one machine and long enough for
/// another. For databases of one test.
package enum SQLGate {
    /// A statement that waits for `open`, a minute at most: a test that fails before it opens must end all the same.
    package static let wait = """
        do $$ begin
            for turn in 1..\(3_000 * Patience.factor) loop
                exit when to_regclass('public.test_gate') is not null;
                perform pg_sleep(0.02);
            end loop;
        end $$;
        """

    /// By another connection.
    package static let open = "create table public.test_gate ()"
}
