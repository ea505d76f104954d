// A folder of an older schema that a test file makes once, with what its chain was before; each test has a copy of its own.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { CHAIN_FILE, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { SCHEMA_VERSION } from "#node/storage/chain-schema.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { expectEqual } from "../host/expect-equal.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../host/temporary-folder.ts";
import { CONTRACTS_GENESIS } from "./contract-calls.ts";
import { databaseRows } from "./database-rows.ts";
import { explorerResponses } from "./explorer-responses.ts";
import { openTestChain, type TestChain } from "./test-chain.ts";
import { hasUnfinished, schemaVersion } from "./version-0.ts";

/** What the folder's database names. */
export const OLDER_IDENTITY = { chainId: CONTRACTS_GENESIS.chain_id, genesisHash: genesisHash(CONTRACTS_GENESIS) };

/** How the folder comes about. */
export interface OlderChainOptions {
  readonly blocks: number;
  grow(chain: TestChain): void | Promise<void>;
  /** Makes its chain one of the older schema. */
  readonly write: (directory: string) => void;
}

/** Opens the chain of such a folder. */
export function openOlderChain(directory: string): TestChain {
  return openTestChain(directory, { genesis: CONTRACTS_GENESIS });
}

/** Runs SQL on the chain of a folder. */
export function changeChain(directory: string, sql: string): void {
  const database = new Database(join(directory, CHAIN_FILE));
  database.exec(sql);
  database.close();
}

/** The folder, and what its chain was. */
export class OlderChain {
  readonly #folder: TemporaryFolder;
  readonly #blocks: number;
  readonly #rows: unknown;
  readonly #responses: unknown;

  private constructor(folder: TemporaryFolder, known: { readonly blocks: number; readonly rows: unknown; readonly responses: unknown }) {
    this.#folder = folder;
    this.#blocks = known.blocks;
    this.#rows = known.rows;
    this.#responses = known.responses;
  }

  static async create({ blocks, grow, write }: OlderChainOptions): Promise<OlderChain> {
    const folder = await createTemporaryFolder();
    const path = join(folder.path, "old");
    mkdirSync(path);
    writeFileSync(join(path, "genesis.json"), JSON.stringify(CONTRACTS_GENESIS));
    let responses: unknown;
    {
      using chain = openOlderChain(path);
      await grow(chain);
      responses = explorerResponses(chain, blocks);
    }
    const rows = databaseRows(path);
    write(path);
    return new OlderChain(folder, { blocks, rows, responses });
  }

  /** A copy of the folder, or the same content in place of what became of an earlier copy. */
  copy(path: string = mkdtempSync(join(this.#folder.path, "copy-"))): string {
    cpSync(join(this.#folder.path, "old"), path, { recursive: true, force: true });
    return path;
  }

  /** Brings a copy up to date by opening it, and holds rows and responses to those of before. */
  expectCurrent(path: string): void {
    openChainDatabase(path, OLDER_IDENTITY).close();
    expectEqual(databaseRows(path), this.#rows);
    this.expectResponses(path);
    expect([schemaVersion(path), hasUnfinished(path)]).toEqual([SCHEMA_VERSION, false]);
  }

  expectResponses(path: string): void {
    using chain = openOlderChain(path);
    expectEqual(explorerResponses(chain, this.#blocks), this.#responses);
  }

  remove(): Promise<void> {
    return this.#folder.remove();
  }
}
