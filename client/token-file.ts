// The token of a program in a file that its user alone can read, and beside it the request that still waits for the person.
import { rmSync } from "node:fs";
import { ParleyError } from "./client-error.ts";
import { readOwnFile, writeOwnFile } from "./own-file.ts";

/** A request that waits: a program that starts again goes on waiting for it instead of asking twice. */
export interface OpenRequest {
  readonly id: string;
  readonly secret: string;
  readonly code: string;
  /** Unix seconds. */
  readonly expires_at: number;
  /** What was asked for. */
  readonly asked: string;
}

/** A request holds what was asked for: up to 16 scopes. */
const MAX_BYTES = 65_536;
const TOKEN = /^parley_app_[0-9a-z]{1,64}_[\w-]{43}$/i;

/** The files of one program. */
export class TokenFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The token; undefined when there is no file. @throws ParleyError TOKEN_FILE for one that others can read, or that holds no token */
  read(): string | undefined {
    const text = this.#read(this.path);
    const token = text?.split(/\r?\n/, 1)[0]?.trim();
    if (token === undefined || TOKEN.test(token)) return token;
    throw new ParleyError("TOKEN_FILE", `The first line of ${this.path} is no token: remove the file, and the program asks again`);
  }

  /** Keeps a token and forgets the request. @throws ParleyError TOKEN_FILE */
  write(token: string): void {
    this.#write(this.path, `${token}\n`);
    this.forgetRequest();
  }

  /** Removes both. */
  remove(): void {
    rmSync(this.path, { force: true });
    this.forgetRequest();
  }

  /** The request that waits; undefined when there is none that still can. */
  readRequest(): OpenRequest | undefined {
    try {
      const request = JSON.parse(this.#read(this.#requestPath) ?? "null") as Partial<OpenRequest> | null;
      const { id, secret, code, asked, expires_at: expires } = request ?? {};
      if (typeof id !== "string" || typeof secret !== "string" || typeof code !== "string") return undefined;
      return typeof asked === "string" && typeof expires === "number" ? { id, secret, code, asked, expires_at: expires } : undefined;
    } catch {
      return undefined;
    }
  }

  /** @throws ParleyError TOKEN_FILE */
  writeRequest(request: OpenRequest): void {
    this.#write(this.#requestPath, `${JSON.stringify(request)}\n`);
  }

  forgetRequest(): void {
    rmSync(this.#requestPath, { force: true });
  }

  get #requestPath(): string {
    return `${this.path}.request`;
  }

  #read(path: string): string | undefined {
    const read = readOwnFile(path, MAX_BYTES);
    if ("text" in read) return read.text;
    if (read.problem === "missing") return undefined;
    throw new ParleyError("TOKEN_FILE", `${path} must be a regular file that only this user can read: chmod 600, or remove it`);
  }

  #write(path: string, text: string): void {
    try {
      writeOwnFile(path, text);
    } catch (cause) {
      throw new ParleyError("TOKEN_FILE", `${path} cannot be written: check its folder and the free space`, { cause });
    }
  }
}
