// The TypeScript client of a contract: one file that needs no other, its types those of the interface.
import { readFileSync } from "node:fs";
import { type AbiType, parseAbiType, type ScalarType } from "#shared/protocol/transactions/abi-types.ts";
import {
  type ArgumentAbi,
  type ContractAbi,
  type EventAbi,
  type FieldAbi,
  INIT_METHOD,
  type MethodAbi,
  type StructAbi,
} from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";

/** Name of the client's file in the folder of a contract. */
export const CLIENT_FILE = "client.ts";

/** What the client itself has, and what every object has. */
const TAKEN_METHODS: readonly string[] = [
  ...["ask", "send", "request", "contractId", "events", "eventAccess"],
  ...Object.getOwnPropertyNames(Object.prototype),
];
/** Words that no parameter can have as its name, and what the parameters stand beside. */
const TAKEN_PARAMETERS: readonly string[] = [
  ..."break case catch class const continue debugger default delete do else enum export extends false finally for function if".split(" "),
  ..."import in instanceof new null return super switch this throw true try typeof var void while with yield let static".split(" "),
  ..."implements interface package private protected public await arguments eval options".split(" "),
];

/** Names of the platform that the file uses. */
const GLOBALS: readonly string[] = [
  "AbortSignal",
  "Array",
  "AsyncGenerator",
  "BigInt",
  "Date",
  "Error",
  "JSON",
  "Math",
  "Number",
  "Object",
  "Partial",
  "Pick",
  "Promise",
  "Readonly",
  "Record",
  "String",
  "TextEncoder",
  "TypeError",
  "URL",
  "Uint8Array",
  "WebSocket",
];

/** The second one is for contracts with events. */
const RUNTIMES = [new URL("./client-runtime.ts", import.meta.url), new URL("./event-runtime.ts", import.meta.url)];

interface Mapping {
  readonly type: string;
  readonly codec: string;
}

const INTEGER: Mapping = { type: "number", codec: "small" };
const LONG: Mapping = { type: "bigint", codec: "large" };
const WIDE: Mapping = { type: "bigint", codec: "wide" };
const TEXT: Mapping = { type: "string", codec: "text" };
const SCALARS: Readonly<Record<ScalarType, Mapping>> = {
  bool: { type: "boolean", codec: "flag" },
  string: TEXT,
  address: TEXT,
  bytes: { type: "Uint8Array", codec: "bytes" },
  json: { type: "unknown", codec: "json" },
  ...{ u8: INTEGER, u16: INTEGER, u32: INTEGER, i8: INTEGER, i16: INTEGER, i32: INTEGER },
  ...{ u64: LONG, i64: LONG, u128: WIDE, u256: WIDE },
};

/** Text of the client. `refusals` are the reasons that the contract is known to refuse with. */
export function writeClient(abi: ContractAbi, refusals: readonly string[]): string {
  const name = className(abi.contract);
  const files = abi.events === undefined ? RUNTIMES.slice(0, 1) : RUNTIMES;
  const runtime = files
    .map((file) =>
      readFileSync(file, "utf8")
        .replace(/^import .*\n/gm, "")
        .trimEnd(),
    )
    .join("\n\n");
  return new ClientWriter(name, runtime).write(abi, refusals);
}

class ClientWriter {
  readonly #name: string;
  readonly #runtime: string;
  /** Names at the top of the file that no struct can have. */
  readonly #taken: ReadonlySet<string>;

  constructor(name: string, runtime: string) {
    this.#name = name;
    this.#runtime = runtime;
    const declared = [...runtime.matchAll(/^(?:export )?(?:async )?(?:class|function|interface|const|type) (\w+)/gm)].map(
      ([, found = ""]) => found,
    );
    this.#taken = new Set([...declared, `${name}Client`, `${name}Refusal`, `is${name}Error`, ...GLOBALS, ...TAKEN_PARAMETERS]);
  }

  write({ contract, version, methods, structs = [], events = [] }: ContractAbi, refusals: readonly string[]): string {
    const name = this.#name;
    const codes = methods.filter((method) => method.name !== INIT_METHOD).map((method) => this.#method(method));
    const typeNames = this.#eventTypes(events, structs);
    const eventTypes = events.map((event) => this.#objectType(typeNames.get(event.name) ?? event.name, event.fields));
    const members = [...this.#events(events, typeNames), ...codes];
    return `${[
      `// Client of the contract ${contract} ${version}. Written by parley contract build: changes are lost with the next one.`,
      this.#runtime.trimEnd(),
      `// The contract ${contract} ${version}.`,
      ...structs.map(
        (struct) => `${this.#objectType(this.#struct(struct.name), struct.fields)}\n\n${this.#structCodec(struct.name, struct.fields)}`,
      ),
      ...eventTypes,
      `/** Reasons that the contract refuses with, as far as its source shows them. */\nexport type ${name}Refusal = ${unionOf(refusals)};`,
      `/** True for an error of the contract, whose reason is then a {@link ${name}Refusal} or another text. */\nexport function is${name}Error(error: unknown): error is ContractError<${name}Refusal> {\n  return error instanceof ContractError;\n}`,
      `export class ${name}Client extends ContractClient {\n${members.join("\n\n")}\n}`,
    ].join("\n\n")}\n`;
  }

  /** Names of the types of the fields of events. */
  #eventTypes(events: readonly EventAbi[], structs: readonly StructAbi[]): ReadonlyMap<string, string> {
    const taken = new Set([...this.#taken, ...structs.map((struct) => this.#struct(struct.name))]);
    const names = new Map<string, string>();
    for (const { name } of events) {
      let type = `${name}Event`;
      while (taken.has(type)) type += "_";
      taken.add(type);
      names.set(name, type);
    }
    return names;
  }

  /** Readers of events, by their names with a small letter where that is no other's. */
  #events(events: readonly EventAbi[], types: ReadonlyMap<string, string>): readonly string[] {
    if (events.length === 0) return [];
    const known = new Set(events.map(({ name }) => name));
    const lines = events.map(({ name, fields }) => {
      const small = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
      const indexed = fields.filter((field) => field.indexed === true).map((field) => `"${field.name}"`);
      const codecs = fields.map((field) => `["${field.name}"]: () => ${this.#codec(typeOf(field.type))}`);
      const type = `<"${name}", ${types.get(name)}, ${indexed.length === 0 ? "never" : indexed.join(" | ")}>`;
      return `    ["${known.has(small) ? name : small}"]: contractEvents${type}(this.eventAccess(), "${name}", { ${codecs.join(", ")} }),`;
    });
    return [`  /** What the contract logged, by the names of its events. */\n  readonly events = {\n${lines.join("\n")}\n  };`];
  }

  #method({ name, args, view, payable, returns }: MethodAbi): string {
    const safe = TAKEN_METHODS.includes(name) ? `${name}_` : name;
    const parameters = args.map((argument) => `${this.#parameter(argument)}: ${this.#type(argumentType(argument))}`);
    const encoded = args.map((argument) => `${this.#codec(argumentType(argument))}.encode(${this.#parameter(argument)})`).join(", ");
    if (view === true) {
      const type = returns === undefined ? "unknown" : this.#type(typeOf(returns));
      const answer = `await this.ask("${name}", [${encoded}])`;
      const decoded = returns === undefined ? answer : `${this.#codec(typeOf(returns))}.decode(${answer})`;
      return `  /** @throws ContractError */\n  async ${safe}(${parameters.join(", ")}): Promise<${type}> {\n    return ${decoded};\n  }`;
    }
    const options = `options: ${payable === true ? "PayableOptions" : "SendOptions"} = {}`;
    const call = `this.send("${name}", [${encoded}], options)`;
    return `  /** Sends a transaction. @throws ContractError */\n  async ${safe}(${[...parameters, options].join(", ")}): Promise<SentCall> {\n    return await ${call};\n  }`;
  }

  #objectType(name: string, fields: readonly FieldAbi[]): string {
    const lines = fields.map((field) => `  readonly ${field.name}: ${this.#type(typeOf(field.type))};`);
    return `export interface ${name} {\n${lines.join("\n")}\n}`;
  }

  #structCodec(name: string, fields: readonly FieldAbi[]): string {
    const struct = this.#struct(name);
    const codecs = fields.map((field) => `  ["${field.name}"]: () => ${this.#codec(typeOf(field.type))},`);
    return `const codecOf${name}: ValueCodec<${struct}> = objectOf<${struct}>({\n${codecs.join("\n")}\n});`;
  }

  /** A parameter must not hide what the method uses. */
  #parameter({ name }: ArgumentAbi): string {
    return this.#taken.has(name) || name.startsWith("codecOf") ? `${name}_` : name;
  }

  #struct(name: string): string {
    return this.#taken.has(name) ? `${name}_` : name;
  }

  #type(type: AbiType): string {
    switch (type.kind) {
      case "scalar":
        return SCALARS[type.name].type;
      case "struct":
        return this.#struct(type.name);
      case "list":
        return `readonly ${bracketed(this.#type(type.of))}[]`;
      case "optional":
        return `${this.#type(type.of)} | null`;
    }
  }

  #codec(type: AbiType): string {
    switch (type.kind) {
      case "scalar":
        return SCALARS[type.name].codec;
      case "struct":
        return `codecOf${type.name}`;
      case "list":
        return `listOf(() => ${this.#codec(type.of)})`;
      case "optional":
        return `orNull(() => ${this.#codec(type.of)})`;
    }
  }
}

function className(contract: string): string {
  const name = contract
    .split(/[^a-z0-9]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");
  return /^[A-Z]/.test(name) ? name : `Contract${name}`;
}

function unionOf(texts: readonly string[]): string {
  return texts.length === 0 ? "never" : texts.map((text) => JSON.stringify(text)).join(" | ");
}

function argumentType({ type, format }: ArgumentAbi): AbiType {
  return typeOf(format ?? type);
}

function typeOf(text: string): AbiType {
  const type = parseAbiType(text);
  assertInvariant(type !== undefined, "An ABI that was parsed has types");
  return type;
}

function bracketed(type: string): string {
  return /^[\w]+$/.test(type) ? type : `(${type})`;
}
