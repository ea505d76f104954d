import { describe, expect, it } from "vitest";
import { diagnosticsReport } from "#electron/main/files/diagnostics-report.ts";
import { createStderrTail } from "#electron/main/processes/stderr-tail.ts";
import { DEFAULT_DESKTOP_SETTINGS } from "#shared/desktop/desktop-settings.ts";

const KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

describe("the diagnostics report", () => {
  it("tells what runs and nothing of the person", () => {
    const text = diagnosticsReport({
      versions: { Parley: "0.1.0" },
      platform: "linux x64",
      uptimeMs: 12_345,
      node: { kind: "crashed", exitCode: 3, restartInMs: 500, reason: `bad key ${KEY}` },
      restarts: 2,
      settings: { ...DEFAULT_DESKTOP_SETTINGS, dataFolder: "/media/ada/disk" },
      freeBytes: 3 * 1024 ** 3,
      processes: [{ name: "Parley node", memoryKib: 120_000 }],
      logLines: [
        `transfer to pl1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq of ${KEY.toUpperCase()}`,
        "opened /home/ada/.local/share/parley and C:\\Users\\ada\\AppData",
      ],
    });
    expect(text).toContain("Parley: 0.1.0\nplatform: linux x64\nrunning for: 12 s\nnode: crashed, exit code 3, 2 unexpected restarts");
    expect(text).toContain("free disk space: 3072 MiB\nmemory of Parley node: 117 MiB");
    expect(text).toContain("transfer to ‹key› of ‹key›");
    expect(text).toContain("opened /home/‹user›/.local/share/parley and C:\\Users\\‹user›\\AppData");
    expect(text).not.toMatch(/ada|d75a98/i);
  });
});

describe("the last words of a process", () => {
  it("are its last line, however it arrives", () => {
    const chunks: string[] = [];
    const stderr = createStderrTail((chunk) => void chunks.push(chunk));
    expect(stderr.text()).toBe("");
    stderr.add("one\nThe disk ");
    stderr.add("is full\n\n  \n");
    expect(stderr.text()).toBe("The disk is full");
    stderr.add("x".repeat(10_000));
    expect(stderr.text()).toBe("x".repeat(300));
    expect(chunks).toHaveLength(3);
  });
});
