// Files that are replaced as a whole, on a disk that fills up while they are written.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** Blocks of a file, after which the system writes only a part and says so by its length, as a full disk does. */
const FILE_BLOCKS = 4;
const LONG = "y".repeat(100_000);

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

/** Runs a module in a process whose files cannot grow; gives what it writes out. */
function runWithSmallFiles(source: string): string {
  const script = `ulimit -f ${FILE_BLOCKS}; exec "$0" --input-type=module -e "$1"`;
  return execFileSync("sh", ["-c", script, process.execPath, source], {
    encoding: "utf8",
    cwd: join(import.meta.dirname, "../../../../.."),
  });
}

describe.skipIf(process.platform === "win32")("a disk that is full after a part of a file", () => {
  it.each([
    [
      "a file of the node",
      "#node/config/files/write-file-atomic.ts",
      "try { made.writeFileAtomic(path, text); } catch (error) { console.log(error.code); }",
    ],
    [
      "the shell's settings",
      "#electron/main/files/settings-file.ts",
      "try { made.openSettingsFile(path).change({ dataFolder: '/' + text.slice(0, 4_000) }); } catch (error) { console.log(error.code); }",
    ],
  ])("leaves %s as it was", (_, module, write) => {
    const path = join(folder.path, "file.json");
    writeFileAtomic(path, "{}\n");
    const source = `const made = await import("${module}"); const path = ${JSON.stringify(path)}; const text = "${LONG}"; ${write}`;
    expect(runWithSmallFiles(source).trim()).toBe("STORAGE_UNWRITABLE");
    expect(readFileSync(path, "utf8")).toBe("{}\n");
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".json"))).toEqual(["file.json"]);
  });

  it("leaves the vault as it was", () => {
    const source = `const { createFileVault } = await import("#electron/keyring/file-vault.ts");
      const vault = createFileVault(${JSON.stringify(folder.path)});
      const small = new Uint8Array(100).fill(7);
      await vault.replace("a", undefined, small);
      await vault.replace("a", small, new Uint8Array(60_000)).catch((error) => console.log(error.code));
      console.log((await vault.read("a"))?.length);`;
    expect(runWithSmallFiles(source).trim().split("\n")).toEqual(["STORAGE_UNWRITABLE", "100"]);
  });
});
