-- Requests of a file, one a line (method, tab, path, tab, body), in turn; tells the outcome in one line of JSON.
local requests = {}
local at = 0
local failures = 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%u+)\t([^\t]+)\t(.*)$")
    -- With the port: to a node only such a request is one of its own machine.
    local headers = { ["Host"] = wrk.host .. ":" .. wrk.port }
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('RESULT {"requests":%d,"durationUs":%d,"failures":%d,"p50Us":%d,"p99Us":%d}\n',
    summary.requests, summary.duration, failures, latency:percentile(50), latency:percentile(99)))
end
