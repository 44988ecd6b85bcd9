-- wrk -s replay.lua URL -- FILE loop|once FIRST
--
-- Sends requests that were prepared beforehand: FILE holds them one after another, each as its length in decimal, a line feed,
-- and its bytes. `loop` starts again at the end, `once` never sends a request twice, beginning with number FIRST (from 0).
-- Ends with a line of the form `measured name=number …`; times are in microseconds.

local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

local prepared, total, isLoop = {}, 0, true
sent = 0 -- global, so that `done` can ask the thread for it

function init(words)
    local file = assert(io.open(words[1], "rb"))
    isLoop = words[2] == "loop"
    local skipped = tonumber(words[3])
    while true do
        local length = file:read("*number")
        if not length then break end
        file:read(1)
        if skipped > 0 then
            skipped = skipped - 1
            file:seek("cur", length)
        else
            total = total + 1
            prepared[total] = file:read(length)
        end
    end
    file:close()
end

function request()
    sent = sent + 1
    if isLoop then return prepared[(sent - 1) % total + 1] end
    -- Used up: an answer that counts as an error, so that the run is not taken for a good one.
    return prepared[sent] or "GET /requests-used-up HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        "measured requests=%d microseconds=%d p50=%.1f p99=%.1f max=%.1f refused=%d broken=%d sent=%d\n",
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout, threads[1]:get("sent")
    ))
end
