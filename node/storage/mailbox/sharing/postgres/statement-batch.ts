// Several prepared statements in one message to the server and one answer: a transaction costs two of them rather than one for each statement.
// A batch is a query of a class of its own, as pg allows them; the server runs it up to the first statement that fails.
import pg from "pg";

const INT8 = 20;

/** A statement with a name, by which a connection knows its plan. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement and what it is run with. */
export interface Call {
  readonly query: Statement;
  /** Texts, numbers, booleans, null, bytes, and lists of these. */
  readonly values?: readonly unknown[];
  /** Of a COPY: what is copied. */
  readonly copied?: Buffer;
}

/** Rows of a statement. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

type Parser = (value: string) => unknown;

/** What is used of a connection of pg. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void;
  describe(message: { readonly type: "P"; readonly name: "" }): void;
  execute(message: object): void;
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
  sync(): void;
  on(event: "parseComplete", listener: () => void): void;
  off(event: "parseComplete", listener: () => void): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

type Done = (error: Error | null, rows?: readonly Rows[]) => void;

/** A statement under a name of its own. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** Runs statements in their order; gives the rows of each. @throws the error of the first that fails: none behind it has run */
export function runBatch(client: pg.ClientBase, calls: readonly Call[]): Promise<readonly Rows[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Rows[]>();
  const done: Done = (error, rows) => (rows === undefined ? reject(error ?? new Error("A batch has no rows")) : resolve(rows));
  client.query(new StatementBatch(calls, done));
  return promise;
}

/** The methods are those that pg calls. */
class StatementBatch implements pg.Submittable {
  /** Replaced by pg, which ends its time limit so. */
  callback: Done;
  readonly #calls: readonly Call[];
  readonly #rows: Record<string, unknown>[][] = [];
  #current: Record<string, unknown>[] = [];
  #names: readonly string[] = [];
  #parsers: readonly Parser[] = [];
  /** Statements that the server is to know from now on, in the order in which it says so. */
  readonly #parsed: Statement[] = [];
  #stopListening: (() => void) | undefined;

  constructor(calls: readonly Call[], callback: Done) {
    this.#calls = calls;
    this.callback = callback;
  }

  submit(given: pg.Connection): void {
    const connection = given as unknown as Connection;
    const onParsed = (): void => {
      const parsed = this.#parsed.shift();
      if (parsed !== undefined) connection.parsedStatements[parsed.name] = parsed.text;
    };
    connection.on("parseComplete", onParsed);
    this.#stopListening = (): void => connection.off("parseComplete", onParsed);
    connection.stream.cork();
    try {
      for (const call of this.#calls) this.#send(connection, call);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#names = fields.map(({ name }) => name);
    this.#parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < fields.length; index += 1) {
      const value = fields[index] ?? null;
      row[this.#names[index] ?? ""] = value === null ? null : this.#parsers[index]?.(value);
    }
    this.#current.push(row);
  }

  handleCommandComplete(): void {
    this.#rows.push(this.#current);
    this.#current = [];
  }

  handleReadyForQuery(): void {
    this.#stopListening?.();
    this.callback(null, this.#rows);
  }

  handleError(error: Error): void {
    this.#stopListening?.();
    this.callback(error);
  }

  /** What is copied was sent along. */
  handleCopyInResponse(): void {}

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  #send(connection: Connection, { query, values = [], copied }: Call): void {
    const { name, text } = query;
    if (connection.parsedStatements[name] === undefined && !this.#parsed.some((each) => each.name === name)) {
      this.#parsed.push(query);
      connection.parse({ name, text });
    }
    connection.bind({ statement: name, values: values.map(valueText) });
    if (copied === undefined) connection.describe({ type: "P", name: "" });
    connection.execute({});
    if (copied === undefined) return;
    connection.sendCopyFromChunk(copied);
    connection.endCopyFrom();
  }
}

/** Numbers of eight bytes are safe integers here, all but the numbers of mailboxes, which are selected as text. */
function parserOf(oid: number): Parser {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, "text");
}

/** A value as the server reads it: bytes as they are, all else as text. */
function valueText(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  return Array.isArray(value) ? listText(value) : String(value);
}

function listText(values: readonly unknown[]): string {
  return `{${values.map(itemText).join()}}`;
}

function itemText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString("hex")}"`;
  return typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : String(value);
}
