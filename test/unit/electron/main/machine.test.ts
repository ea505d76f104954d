import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMachineBinding } from "#electron/main/machine/machine-binding.ts";
import { type MachineSources, machineId } from "#electron/main/machine/machine-id.ts";

const ID = "0123456789abcdef0123456789abcdef";

function sources(text: string, { files = ["/etc/machine-id"] } = {}): MachineSources {
  return {
    readText: (path) => (files.includes(path) ? Promise.resolve(text) : Promise.reject(new Error(`no ${path}`))),
    run: (program, args) => Promise.resolve(`${text} ${program} ${args.length}`),
    hostname: () => "ada-laptop",
  };
}

describe("the machine's id", () => {
  it("is a hash: the same for the same machine, another for another, and not the id itself", async () => {
    const one = await machineId("linux", sources(`${ID}\n`));
    expect(one).toBe(await machineId("linux", sources(`${ID}\n`, { files: ["/var/lib/dbus/machine-id"] })));
    expect(one).not.toBe(await machineId("linux", sources(`${"f".repeat(32)}\n`)));
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(one).not.toContain(ID);
  });

  it("is read from what macOS and Windows tell", async () => {
    const mac = await machineId("darwin", sources('    "IOPlatformUUID" = "8C3F-11"\n'));
    const windows = await machineId("win32", sources("    MachineGuid    REG_SZ    8C3F-11\r\n"));
    expect(mac).toBe(windows);
  });

  it("falls back to the machine's name where the system tells nothing", async () => {
    const none = await machineId("linux", sources("", { files: [] }));
    expect(none).toBe(await machineId("darwin", sources("nothing")));
    expect(none).toBe(await machineId("linux", sources("uninitialized\n")));
  });

  it("can be read on this machine", async () => expect(await machineId(process.platform)).toMatch(/^[0-9a-f]{64}$/));
});

describe("the binding of a data folder", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-machine-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const here = createMachineBinding("here");
  const there = createMachineBinding("there");

  it("belongs to the computer that serves from it first, and is a copy on another", () => {
    expect(here.isCopied(folder)).toBe(false);
    here.bind(folder);
    expect([here.isCopied(folder), there.isCopied(folder)]).toEqual([false, true]);
    there.bind(folder);
    expect(there.isCopied(folder)).toBe(true);
  });

  it("goes to another machine only when its owner says so", () => {
    here.bind(folder);
    there.take(folder);
    expect([here.isCopied(folder), there.isCopied(folder)]).toEqual([true, false]);
  });

  it.each(["", "{", "[]", '{"machine":1}'])("counts as another machine's when its file is damaged: %j", (text) => {
    writeFileSync(join(folder, "machine.json"), text);
    expect(here.isCopied(folder)).toBe(true);
    here.bind(folder);
    expect(readFileSync(join(folder, "machine.json"), "utf8")).toBe(text);
  });
});
