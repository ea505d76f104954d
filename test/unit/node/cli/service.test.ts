// parley service: the files that it writes for each system, and what it refuses.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addServiceCommandsOn, type ServiceHost } from "#node/cli/commands/node/service/service.ts";
import { findFile, runEach, writeService } from "#node/cli/commands/node/service/service-control.ts";
import { MARK } from "#node/cli/commands/node/service/service-files.ts";
import { type ServiceMachine, servicePlace } from "#node/cli/commands/node/service/service-place.ts";
import { type FakeCommandContext, type FakeSurroundings, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** What breaks quoting that was forgotten somewhere. */
const ODD = `/data/it's 100% "mine" & <$HOME> \\ back`;
const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;

let folder: TemporaryFolder;
let ran: (readonly string[])[];
let exits: Readonly<Record<string, number>>;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  ran = [];
  exits = {};
});
afterEach(() => folder.remove());

function machineOf(platform: NodeJS.Platform): ServiceMachine {
  const home = folder.path;
  return {
    platform,
    home,
    user: "anna",
    systemdFolder: join(home, "config", "systemd", "user"),
    windowsFolder: "C:\\Users\\anna\\AppData\\Local\\parley",
  };
}

async function run(
  args: readonly string[],
  platform: NodeJS.Platform = "linux",
  surroundings: FakeSurroundings = {},
): Promise<FakeCommandContext> {
  return await runIn(fakeCommandContext(surroundings), args, platform);
}

async function runIn(
  context: FakeCommandContext,
  args: readonly string[],
  platform: NodeJS.Platform = "linux",
): Promise<FakeCommandContext> {
  const program = new Command("parley").exitOverride().configureOutput({ writeErr: () => undefined });
  const host: ServiceHost = {
    machine: machineOf(platform),
    program: [process.execPath, join(folder.path, "parley.mjs")],
    run: async (command) => {
      ran.push(command);
      return await Promise.resolve(exits[command.join(" ")] ?? 0);
    },
  };
  addServiceCommandsOn(program, context, host);
  await program.parseAsync(["service", ...args], { from: "user" });
  return context;
}

const unitFile = (name = "parley"): string => join(folder.path, "config", "systemd", "user", `${name}.service`);
const dataDir = (): string => join(folder.path, "data");
const install = (...args: readonly string[]): Promise<FakeCommandContext> => run(["install", "--data-dir", dataDir(), ...args]);
const place = (platform: NodeJS.Platform, account?: string): ReturnType<typeof servicePlace> =>
  servicePlace(
    { name: "parley", command: ["/opt/node", "/opt/parley.mjs", ODD], ...(account === undefined ? {} : { account }) },
    machineOf(platform),
  );

describe("a service of the user on Linux", () => {
  it("is one file in the user's own folder, printed with what starts it", async () => {
    const { out } = await install("--", "--dev", "--log", "json");
    expect(out[0]).toBe(`Wrote: ${unitFile()} (systemd user unit)`);
    expect(out).toContain("  systemctl --user enable --now parley.service");
    expect(out.at(-1)).toContain("loginctl enable-linger anna");
    expect(ran).toEqual([]);
    const unit = readFileSync(unitFile(), "utf8");
    expect(unit).toContain(
      `ExecStart="${process.execPath}" "${folder.path}/parley.mjs" "node" "--data-dir" "${dataDir()}" "--dev" "--log" "json"\n`,
    );
    expect(unit).toContain("RestartPreventExitStatus=2 6\n");
    expect(unit).not.toMatch(/^User=/m);
    expect(statSync(unitFile()).mode & 0o777).toBe(0o644);
  });

  it("is started at once where that was asked, and says so when the system refuses", async () => {
    expect((await install("--start", "--", "--dev")).out).toContain("It runs now, and is started again by itself.");
    expect(ran).toEqual([
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "--now", "parley.service"],
    ]);
    exits = { "systemctl --user daemon-reload": 1 };
    const refused = fakeCommandContext();
    await expect(runIn(refused, ["install", "--data-dir", dataDir(), "--start", "--", "--dev"])).rejects.toThrow(
      '"systemctl --user daemon-reload" failed',
    );
    expect(refused.out).not.toContain("It runs now, and is started again by itself.");
    expect(refused.out).toContain("  systemctl --user enable --now parley.service");
    expect(existsSync(unitFile())).toBe(true);
  });

  it("is written once, replaced only when asked, and never over a file of others", async () => {
    await install("--", "--dev");
    expect((await install("--", "--dev")).out[0]).toContain("Unchanged");
    const { out } = await install("--json", "--", "--dev");
    expect(JSON.parse(out.join("\n"))).toMatchObject({ status: "unchanged", started: false });
    await expect(install("--", "--dev", "--log", "json")).rejects.toThrow("--replace");
    await install("--replace", "--", "--dev", "--log", "json");
    expect(readFileSync(unitFile(), "utf8")).toContain('"json"');
    expect(ran).toEqual([]);
    exits = { "systemctl --user disable --now parley.service": 1 };
    await install("--replace", "--start", "--", "--dev");
    const systemctl = (...words: readonly string[]): readonly string[] => ["systemctl", "--user", ...words];
    expect(ran).toEqual([
      systemctl("disable", "--now", "parley.service"),
      systemctl("daemon-reload"),
      systemctl("enable", "--now", "parley.service"),
    ]);
    writeFileSync(unitFile("other"), "[Service]\nExecStart=/bin/true\n");
    await expect(install("--name", "other", "--replace", "--", "--dev")).rejects.toThrow("not of Parley");
    await expect(run(["uninstall", "--name", "other"])).rejects.toThrow("it stays");
    expect(readFileSync(unitFile("other"), "utf8")).toContain("/bin/true");
  });

  it("says whether it is there and runs, and goes with the data folder left alone", async () => {
    expect((await run(["status"])).out[0]).toBe("parley is not installed");
    await expect(run(["uninstall"])).rejects.toThrow("There is no service parley");
    expect(ran).toEqual([]);
    await install("--", "--dev");
    expect((await run(["status"])).out[0]).toBe("parley is installed and running");
    exits = { "systemctl --user is-active --quiet parley.service": 3, "systemctl --user disable --now parley.service": 1 };
    const { out } = await run(["status", "--json"]);
    expect(JSON.parse(out.join("\n"))).toMatchObject({ installed: true, running: false, file: unitFile() });
    mkdirSync(dataDir());
    ran = [];
    expect((await run(["uninstall"])).err.join()).toContain("until it is stopped");
    expect(ran.at(-1)).toEqual(["systemctl", "--user", "daemon-reload"]);
    expect([existsSync(unitFile()), existsSync(dataDir())]).toEqual([false, true]);
  });

  it.each([
    [["--", "--dev", "--heartbeat", "3"], "heartbeats"],
    [["--", "--nonsense"], "unknown option"],
    [["--", "--dev", "--data-dir", "/elsewhere"], "before --"],
    [["--", "--genesis", "genesis.json"], "whole path"],
    [[], "no network yet"],
    [["--name", "../../etc/passwd", "--", "--dev"], "--name is"],
    [["--name", "-x", "--", "--dev"], "--name is"],
    [["--run-as", "anna", "--", "--dev"], "--run-as is for --system"],
    [["--system", "--run-as", "root", "--", "--dev"], "no rights of root"],
    [["--system", "--run-as", "anna\nExecStartPre=/bin/sh", "--", "--dev"], "no name of an account"],
    [["--", "--dev", "--update-url", "https://a.example/\nExecStartPre=/bin/sh"], "control character"],
  ])("%o writes nothing", async (args, words) => {
    await expect(install(...args)).rejects.toThrow(words);
    expect(existsSync(join(folder.path, "config"))).toBe(false);
  });

  it("of the whole machine has a data folder that was named", async () => {
    await expect(run(["install", "--system", "--run-as", "anna", "--", "--dev"])).rejects.toThrow("Give --data-dir with --system");
  });

  it("is checked without the variables of the shell, which it will not have", async () => {
    const shell = { environment: { updateUrl: "no address" } };
    const { out } = await run(["install", "--data-dir", dataDir(), "--", "--dev"], "linux", shell);
    expect(out[0]).toContain("Wrote");
  });

  it.runIf(HAS_SYSTEMD)("passes the system's own check, with a path that has everything in it", async () => {
    mkdirSync(join(folder.path, "unit"));
    for (const account of [undefined, "root"]) {
      const file = join(folder.path, "unit", `parley${account ?? ""}.service`);
      // The program's path too: systemd takes that one apart by other rules than the arguments.
      const program = join(folder.path, "100% <$HOME> & $$ größer; ");
      writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
      const command = [program, join(folder.path, "parley.mjs"), ODD];
      writeFileSync(
        file,
        servicePlace({ name: "parley", command, ...(account === undefined ? {} : { account }) }, machineOf("linux")).content,
      );
      const said = execFileSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8", stdio: "pipe" });
      expect(said).toBe("");
    }
  });
});

it.each(["linux", "darwin", "win32"] as const)(
  "knows its own file again on %s, with other options too, and no file of others",
  (platform) => {
    const { content } = place(platform);
    const file = join(folder.path, "service");
    const found = (bytes: Uint8Array): string => {
      writeFileSync(file, bytes);
      return findFile({ file, content });
    };
    expect(findFile({ file, content })).toBe("none");
    expect(found(content)).toBe("same");
    expect(found(servicePlace({ name: "parley", command: ["/opt/node"] }, machineOf(platform)).content)).toBe("other");
    expect(found(Buffer.from("ExecStart=/bin/true"))).toBe("foreign");
  },
);

it("is no file where a pipe, a device or a link into nothing stands in its place", () => {
  const { content } = place("linux");
  const [pipe, masked, dangling] = ["pipe", "masked", "dangling"].map((name) => join(folder.path, name)) as [string, string, string];
  execFileSync("mkfifo", [pipe]);
  symlinkSync("/dev/zero", masked);
  symlinkSync(join(folder.path, "nothing"), dangling);
  for (const file of [pipe, masked, dangling, folder.path]) expect(findFile({ file, content })).toBe("foreign");
});

it("stops with every command, whatever became of the one before", async () => {
  const stopped: string[] = [];
  const failed = await runEach(place("win32").stop, async ([, action = ""]) => {
    stopped.push(action);
    return await Promise.resolve(action === "/End" ? 1 : 0);
  });
  expect([stopped, failed?.[1]]).toEqual([["/End", "/Delete"], "/End"]);
});

it("is of others where the mark is not in its first lines", () => {
  const file = join(folder.path, "service");
  writeFileSync(file, `[Service]\nExecStart=/bin/true\n${"#\n".repeat(300)}# ${MARK}\n`);
  expect(findFile({ file, content: place("linux").content })).toBe("foreign");
});

it("keeps what another install wrote since it looked, and says so", () => {
  const [first, second] = ["a", "b"].map((name) => servicePlace({ name: "parley", command: [`/opt/${name}`] }, machineOf("linux")));
  if (first === undefined || second === undefined) throw new Error("two places");
  expect([findFile(first), findFile(second)]).toEqual(["none", "none"]);
  writeService(first, false);
  expect(() => writeService(second, false)).toThrow("was written by another program just now");
  expect(readFileSync(unitFile(), "utf8")).toContain("/opt/a");
  writeService(second, true);
  expect(readFileSync(unitFile(), "utf8")).toContain("/opt/b");
});

it("does not stand before a unit of the system, an agent or a daemon of the same name", () => {
  expect(place("linux").hides).toContain("/usr/lib/systemd/user/parley.service");
  expect(place("linux", "parley").hides).toContain("/usr/lib/systemd/system/parley.service");
  expect(place("darwin").hides).toContain("/System/Library/LaunchDaemons/parley.plist");
  expect(place("darwin").hides).not.toContain(place("darwin").file);
});

it.each([`it's`, '"mine"', "a\\b"])("refuses a program in %s, which systemd would not start", (word) => {
  expect(() => servicePlace({ name: "parley", command: [`/home/${word}/node`] }, machineOf("linux"))).toThrow("systemd starts no program");
});

it("quotes what systemd would expand or take apart", () => {
  const unit = Buffer.from(place("linux").content).toString("utf8");
  expect(unit).toContain(`ExecStart="/opt/node" "/opt/parley.mjs" "/data/it's 100%% \\"mine\\" & <$$HOME> \\\\ back"\n`);
});

it("is a unit of the whole system for an account of its own", () => {
  const { file, kind, content, start } = place("linux", "parley");
  expect([file, kind, start[1]?.join(" ")]).toEqual([
    "/etc/systemd/system/parley.service",
    "systemd system unit",
    "systemctl enable --now parley.service",
  ]);
  expect(Buffer.from(content).toString("utf8")).toMatch(
    /After=network-online.target\n[\s\S]*User=parley\n[\s\S]*WantedBy=multi-user.target\n/,
  );
});

it("is a property list on macOS, whose values come out as they went in", () => {
  const { file, content, start } = place("darwin");
  expect(file).toBe(join(folder.path, "Library/LaunchAgents/parley.plist"));
  expect(start).toEqual([["launchctl", "load", "-w", file]]);
  const text = Buffer.from(content).toString("utf8");
  const strings = [...text.matchAll(/<string>([^<]*)<\/string>/g)].map(([, inner = ""]) => fromXml(inner));
  expect(strings).toEqual(["parley", "/opt/node", "/opt/parley.mjs", ODD, "Background", join(folder.path, "Library/Logs/parley.log")]);
  expectBalanced(text);
  expect(Buffer.from(place("darwin", "parley").content).toString("utf8")).toContain("<key>UserName</key><string>parley</string>");
});

it("is a task on Windows in the encoding that it declares, whose arguments come out as they went in", () => {
  const { file, content, stop } = place("win32");
  expect(file).toMatch(/AppData\\Local\\parley\\parley-task\.xml$/);
  expect(stop.map(([, action, , , task]) => [action, task])).toEqual([
    ["/End", undefined],
    ["/Delete", "Parley\\parley"],
  ]);
  expect([...content.subarray(0, 2)]).toEqual([0xff, 0xfe]);
  const text = Buffer.from(content).toString("utf16le").slice(1);
  expect(text).toContain(`<!-- ${MARK} -->`);
  expect(fromXml(/<Command>([^<]*)</.exec(text)?.[1] ?? "")).toBe("/opt/node");
  expect(windowsWords(fromXml(/<Arguments>([^<]*)</.exec(text)?.[1] ?? ""))).toEqual(["/opt/parley.mjs", ODD]);
  expectBalanced(text);
  for (const word of ["C:\\100%\\of%\\it", "%TEMP%", "$(Arg0)"])
    expect(() => servicePlace({ name: "parley", command: ["node", word] }, machineOf("win32"))).toThrow("would put values into");
  expect(() => place("win32", "parley")).toThrow("leave --system out");
  expect(() => place("freebsd")).toThrow("There is no service for freebsd");
});

function fromXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** Every element is closed in its order. */
function expectBalanced(text: string): void {
  const open: string[] = [];
  for (const [, slash, name = "", end] of text
    .replace(/<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>/g, "")
    .matchAll(/<(\/?)([A-Za-z]+)[^>]*?(\/?)>/g)) {
    if (slash === "/") expect(open.pop()).toBe(name);
    else if (end !== "/") open.push(name);
  }
  expect(open).toEqual([]);
}

/** A command line of quoted words as the C runtime of Windows takes it apart: of backslashes before a mark, two are one. */
function windowsWords(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\+(?!\\|")|(?:\\\\)*\\"|(?:\\\\)+(?="))*)"(?: |$)/g)].map(([, inner = ""]) =>
    inner.replace(/(\\+)("|$)/g, (_, slashes: string, mark: string) => `${"\\".repeat(Math.floor(slashes.length / 2))}${mark}`),
  );
}

describe("a signer as a service", () => {
  const signerDir = (): string => join(folder.path, "signer");
  const socket = (): string => join(folder.path, "run", "sock");
  const installSigner = (...flags: readonly string[]): Promise<FakeCommandContext> =>
    run(["install", "--signer", signerDir(), "--", "--chain-id", "parley-1", ...flags]);
  beforeEach(() => {
    mkdirSync(signerDir());
    writeFileSync(join(signerDir(), "validator-key.json"), "{}");
  });

  it("is written under a name of its own, with its flags", async () => {
    const { out } = await installSigner("--listen", socket());
    const unit = readFileSync(unitFile("parley-signer"), "utf8");
    expect(unit).toContain("Description=Parley signer (parley-signer)");
    expect(unit).toContain(`signer" "--dir" "${signerDir()}" "--chain-id" "parley-1"`);
    expect(out.join("\n")).toContain("To start it:");
    const { out: shown } = await run(["status", "--name", "parley-signer"]);
    expect(shown.join("\n")).toContain("parley-signer is installed");
  });

  it.each<readonly [string, () => Promise<unknown>, string]>([
    ["without a place to listen", (): Promise<unknown> => installSigner(), "--listen"],
    ["with a path that is not whole", (): Promise<unknown> => installSigner("--listen", "./sock"), "whole path"],
    ["with a key that is not there", (): Promise<unknown> => installSigner("--listen", socket(), "--key", "/none.json"), "signer init"],
    ["with another folder", (): Promise<unknown> => installSigner("--listen", socket(), "--dir", "/other"), "before --"],
    [
      "beside a node",
      (): Promise<unknown> => run(["install", "--data-dir", dataDir(), "--signer", signerDir(), "--", "--chain-id", "parley-1"]),
      "or a signer",
    ],
  ])("is refused %s", async (_name, install, words) => {
    await expect(install()).rejects.toThrow(words);
    expect(existsSync(unitFile("parley-signer"))).toBe(false);
  });
});
