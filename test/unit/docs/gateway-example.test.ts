// The example of docs/operators.md with containers: its commands have options that the program has, its variables are read, and every name, file
// and volume in it is there. Containers are not started here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { createHostCheck } from "#node/api/security/host-check.ts";
import { createProgram } from "#node/cli/program.ts";
import { readEnvironment } from "#node/config/environment.ts";
import { parseListenAddress } from "#node/config/listen-address.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";

interface Service {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
}

const page = readFileSync(join(ROOT, "docs/operators.md"), "utf8");
const part = page.slice(page.indexOf("### All of it with containers"), page.indexOf("### What gateways do"));
const blockOf = (kind: string): string => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(part)?.[1] ?? "";
const services: readonly Service[] = (blockOf("yaml").split(/^volumes:/m)[0] ?? "")
  .split(/^(?= {2}\w+:$)/m)
  .slice(1)
  .map(serviceOf);
const named = (prefix: string): readonly Service[] => services.filter(({ name }) => name.startsWith(prefix));
const valuesOf = ({ command }: Service, flag: string): readonly string[] =>
  command.flatMap((word, at) => (word === flag ? [command[at + 1] ?? ""] : []));

function serviceOf(text: string): Service {
  const list = (field: string): readonly string[] =>
    [...(new RegExp(`^ {4}${field}: \\[(.*)\\]$`, "m").exec(text)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, value = ""]) => value);
  const environment = /^ {4}environment: \{ (.*) \}$/m.exec(text)?.[1]?.split(", ") ?? [];
  return {
    name: /^ {2}(\w+):$/m.exec(text)?.[1] ?? "",
    command: (/^ {4}command: >\n((?: {6}.*\n)+)/m.exec(text)?.[1] ?? "").trim().split(/\s+/),
    environment: Object.fromEntries(environment.map((pair) => pair.split(": ").map((value) => value.replaceAll('"', "")))),
    volumes: list("volumes"),
    ports: list("ports"),
  };
}

describe("the example with containers", () => {
  it("has two of everything", () => {
    expect(services.map(({ name }) => name)).toEqual(["db1", "db2", "node1", "node2", "gateway1", "gateway2"]);
  });

  it.each([...named("node"), ...named("gateway")])("runs $name by options that the program has", async ({ command }) => {
    const [program, name, ...words] = command;
    expect(program).toBe("parley");
    const tree = await createProgram(fakeCommandContext(), { runNode: () => Promise.resolve(undefined) });
    const { operands, unknown } = tree.commands.find((each) => each.name() === name)?.parseOptions(words) ?? {
      operands: [name],
      unknown: [],
    };
    expect([operands, unknown]).toEqual([[], []]);
  });

  it.each([...named("node"), ...named("gateway")])("gives $name variables that it reads, and a host that it answers to", (service) => {
    const { environment, command } = service;
    const variables = Object.entries(environment).filter(([name]) => name.startsWith("SVC_"));
    const before = Object.keys(readEnvironment({})).length;
    for (const [name, value] of variables) expect(Object.keys(readEnvironment({ [name]: value })).length, name).toBe(before + 1);
    const [listen = ""] = [...valuesOf(service, "--stats-addr"), ...valuesOf(service, "--listen")];
    const { host, port } = parseListenAddress(listen);
    const answers = createHostCheck({ listenHost: host, allowedHosts: readEnvironment(environment).allowedHosts ?? [] });
    const asked = command.includes("gateway") ? "mail.example.org" : `${service.name}:${port}`;
    expect(answers(asked)).toBe(true);
    expect(part).toContain(asked.split(":")[0]);
  });

  it("leads every address to a service, each gateway to another node first, and the standby last", () => {
    const names = services.map(({ name }) => name);
    for (const gateway of named("gateway")) {
      const [databases, replicas, nodes] = ["--database", "--replica", "--node"].map((flag) => valuesOf(gateway, flag)) as [
        readonly string[],
        readonly string[],
        readonly string[],
      ];
      const hosts = [...databases, ...replicas, ...nodes].map((address) => new URL(address).hostname);
      expect(hosts.filter((host) => !names.includes(host))).toEqual([]);
      expect([databases, replicas].map((some) => some.map((address) => new URL(address).hostname))).toEqual([["db1", "db2"], ["db2"]]);
      expect(nodes.toSorted()).toEqual(["http://node1:8080", "http://node2:8080"]);
    }
    expect(new Set(named("gateway").map((gateway) => valuesOf(gateway, "--node")[0])).size).toBe(2);
  });

  it("has every volume, file and port once, and the version of the package", () => {
    const sources = services.flatMap(({ volumes }) => volumes.map((volume) => volume.split(":")[0] ?? ""));
    const volumes = sources.filter((source) => !source.startsWith("./"));
    expect(/^volumes: \{ (.*) \}$/m.exec(blockOf("yaml"))?.[1]).toBe(volumes.map((name) => `${name}: {}`).join(", "));
    for (const source of sources) if (source.startsWith("./")) expect(part).toContain(`\`${source.slice(2)}\``);
    const ports = services.flatMap(({ ports: some }) => some.map((port) => port.split(":")[0]));
    expect(new Set(ports).size).toBe(ports.length);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
    expect([...blockOf("dockerfile").matchAll(/parley-([\d.]+)\.tgz/g)].map(([, named_ = ""]) => named_)).toEqual([version, version]);
  });

  it("has the standby under the name that commits wait for", () => {
    const [, awaited] = /synchronous_standby_names = '(\w+)'/.exec(blockOf("bash")) ?? [];
    const standby = services.find(({ name }) => name === "db2");
    expect(standby?.command.join(" ")).toContain(`application_name=${awaited}`);
    expect(awaited).toBe("db2");
  });
});
