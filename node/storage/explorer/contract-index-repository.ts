// SQL of the index of contracts: which exist, in the order of their deployment. Derived from blocks.

import type { Height } from "#shared/protocol/chain/header.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** A contract that a block brought. */
export interface IndexedContract {
  readonly id: ContractId;
  /** Name and version of its ABI. */
  readonly name: string;
  readonly version: string;
}

export interface ContractSummary extends IndexedContract {
  readonly deployedAt: Height;
}

const SUMMARY = "lower(hex(contract_id)) AS id, name, version, height AS deployedAt";

/** Reads and writes the index of contracts. */
export class ContractIndexRepository {
  readonly #insertContract;
  readonly #numberOf;
  readonly #renumber;
  readonly #remove;
  readonly #list;
  readonly #newest;
  readonly #earliest;
  readonly #named;
  readonly #get;
  readonly #count;

  constructor(database: SqliteDatabase) {
    this.#insertContract = database.prepare<[string, string, string, number]>(
      "INSERT INTO contracts (contract_id, name, version, height) VALUES (unhex(?), ?, ?, ?)",
    );
    this.#numberOf = database.prepare<[string], number>("SELECT contract_num FROM contracts WHERE contract_id = unhex(?)").pluck();
    this.#renumber = ["contracts", "contract_logs", "contract_events"].map((table) =>
      database.prepare<[number, number]>(`UPDATE ${table} SET contract_num = ? WHERE contract_num = ?`),
    );
    this.#remove = database.prepare<[number]>("DELETE FROM contracts WHERE height > ?");
    this.#list = database.prepare<{ readonly after: string; readonly limit: number }, ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts
      WHERE contract_num > CASE @after WHEN '' THEN 0 ELSE (SELECT contract_num FROM contracts WHERE contract_id = unhex(@after)) END
      ORDER BY contract_num LIMIT @limit`,
    );
    this.#newest = database.prepare<{ readonly after: string; readonly limit: number }, ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts
      WHERE @after = '' OR contract_num < (SELECT contract_num FROM contracts WHERE contract_id = unhex(@after))
      ORDER BY contract_num DESC LIMIT @limit`,
    );
    this.#earliest = database.prepare<[number], ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts WHERE contract_num IN (SELECT MIN(contract_num) FROM contracts GROUP BY name) ORDER BY contract_num LIMIT ?`,
    );
    this.#named = database.prepare<[string, string, number], ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts WHERE name >= ? AND name <= ? ORDER BY name, contract_num LIMIT ?`,
    );
    this.#get = database.prepare<[string], ContractSummary>(`SELECT ${SUMMARY} FROM contracts WHERE contract_id = unhex(?)`);
    this.#count = database.prepare<[], number>("SELECT COUNT(*) FROM contracts").pluck();
  }

  insert(height: Height, contracts: readonly IndexedContract[]): void {
    for (const { id, name, version } of contracts) this.#insertContract.run(id, name, version, height);
  }

  /** Puts contracts that one block brought into the order of their deployment, which a state does not know. */
  order(deployed: readonly ContractId[]): void {
    const numbers = deployed.flatMap((id) => this.#numberOf.get(id) ?? []);
    const ordered = numbers.toSorted((a, b) => a - b);
    const moved = numbers.flatMap((from, index) => (from === ordered[index] ? [] : [{ from, to: ordered[index] ?? from }]));
    for (const { from } of moved) for (const statement of this.#renumber) statement.run(-from, from);
    for (const { from, to } of moved) for (const statement of this.#renumber) statement.run(to, -from);
  }

  removeAbove(height: Height): void {
    this.#remove.run(height);
  }

  /** In order of deployment or, for `desc`, the newest first; after a contract when one is given. */
  list(limit: number, after: ContractId = "", order: "asc" | "desc" = "asc"): readonly ContractSummary[] {
    return (order === "asc" ? this.#list : this.#newest).all({ after, limit });
  }

  /** How many there are. */
  count(): number {
    return this.#count.get() ?? 0;
  }

  /** The first contract of every name, in order of deployment. */
  earliestOfNames(limit: number): readonly ContractSummary[] {
    return this.#earliest.all(limit);
  }

  /** Contracts whose name begins with a text, in the order of names, then of deployment. */
  named(beginning: string, limit: number): readonly ContractSummary[] {
    return this.#named.all(beginning, `${beginning}\u{10ffff}`, limit);
  }

  /** The first contract of a name. */
  earliestNamed(name: string): ContractSummary | undefined {
    return this.#named.get(name, name, 1);
  }

  get(contractId: ContractId): ContractSummary | undefined {
    return this.#get.get(contractId);
  }
}
