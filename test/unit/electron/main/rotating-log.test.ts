import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RotatingLog } from "#electron/main/files/rotating-log.ts";

describe("RotatingLog", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-logs-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const open = (): RotatingLog => new RotatingLog({ folder: join(folder, "logs"), name: "node", maxBytes: 20, maxFiles: 3 });

  it("keeps the newest lines in files of bounded number and size", () => {
    const log = open();
    for (let line = 10; line < 30; line += 1) log.write(`line ${line}\n`);
    expect(readdirSync(join(folder, "logs")).sort()).toEqual(["node.1.log", "node.2.log", "node.log"]);
    expect(log.tail(3)).toEqual(["line 27", "line 28", "line 29"]);
    expect(readFileSync(join(folder, "logs/node.2.log"), "utf8")).toBe("line 24\nline 25\n");
  });

  it("continues where an earlier start ended", () => {
    open().write("one\n");
    const log = open();
    log.write("two\n");
    expect(log.tail(10)).toEqual(["one", "two"]);
  });

  it("never stops the app when the disk refuses", () => {
    const log = open();
    rmSync(join(folder, "logs"), { recursive: true });
    expect(() => log.write("lost\n")).not.toThrow();
    expect(log.tail(1)).toEqual([]);
  });
});
