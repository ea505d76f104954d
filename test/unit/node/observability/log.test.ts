import { describe, expect, it } from "vitest";
import { createLog } from "#node/observability/log.ts";

function collect(format: "text" | "json"): { readonly log: ReturnType<typeof createLog>; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLog(format, { write: (line) => void lines.push(line) }), lines };
}

describe("createLog", () => {
  it("writes one JSON object a line for machines", () => {
    const { log, lines } = collect("json");
    log.child("api").info({ port: 8080 }, "serving");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("}\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      level: "info",
      module: "api",
      port: 8080,
      msg: "serving",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it("writes a line for people", () => {
    const { log, lines } = collect("text");
    log.child("api").warn({ address: "127.0.0.1", queued: 3 }, "slow reader dropped");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}api: slow reader dropped {2}address=127\.0\.0\.1 {2}queued=3\n$/);
  });

  it("shows the stack of an error below its line", () => {
    const { log, lines } = collect("text");
    log.error({ err: new Error("cause") }, "failed");
    expect(lines[0]).toMatch(/error failed\n {4}Error: cause\n {8}at /);
  });

  it.each(["text", "json"] as const)("blanks secrets in %s", (format) => {
    const { log, lines } = collect(format);
    log.info({ token: "hunter2", key: { secret_key: "hunter2" }, headers: { authorization: "Bearer hunter2" } }, "x");
    expect(lines.join("")).not.toContain("hunter2");
    expect(lines.join("")).toContain("[hidden]");
  });
});
