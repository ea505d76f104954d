// SQL of the index of contracts: which exist, in the order of their deployment, and what they logged. Derived from blocks.

import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
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

/** A line that a successful call logged. */
export interface IndexedLog {
  readonly contractId: ContractId;
  /** Position of the transaction in its block. */
  readonly position: number;
  /** Position among the lines of the transaction. */
  readonly line: number;
  readonly message: string;
}

/** A logged line with its transaction. */
export interface ContractLog {
  readonly txId: string;
  readonly blockHeight: Height;
  readonly blockHash: HashHex;
  readonly blockTimeMs: number;
  readonly message: string;
}

const SUMMARY = "contract_id AS id, name, version, height AS deployedAt";

/** Reads and writes the index of contracts. */
export class ContractIndexRepository {
  readonly #insertContract;
  readonly #insertLog;
  readonly #remove;
  readonly #list;
  readonly #earliest;
  readonly #named;
  readonly #get;
  readonly #logs;

  constructor(database: SqliteDatabase) {
    this.#insertContract = database.prepare<[string, string, string, number]>(
      "INSERT INTO contracts (contract_id, name, version, height) VALUES (?, ?, ?, ?)",
    );
    this.#insertLog = database.prepare<[string, number, number, string]>(
      "INSERT INTO contract_logs (contract_num, seq, line, message) VALUES ((SELECT contract_num FROM contracts WHERE contract_id = ?), ?, ?, ?)",
    );
    this.#remove = [
      "DELETE FROM contract_logs WHERE contract_num IN (SELECT contract_num FROM contracts) AND seq >= @seq",
      "DELETE FROM contracts WHERE height > @height",
    ].map((sql) => database.prepare<{ readonly seq: number; readonly height: number }>(sql));
    this.#list = database.prepare<{ readonly after: string; readonly limit: number }, ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts
      WHERE contract_num > CASE @after WHEN '' THEN 0 ELSE (SELECT contract_num FROM contracts WHERE contract_id = @after) END
      ORDER BY contract_num LIMIT @limit`,
    );
    this.#earliest = database.prepare<[number], ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts WHERE contract_num IN (SELECT MIN(contract_num) FROM contracts GROUP BY name) ORDER BY contract_num LIMIT ?`,
    );
    this.#named = database.prepare<[string, string, number], ContractSummary>(
      `SELECT ${SUMMARY} FROM contracts WHERE name >= ? AND name <= ? ORDER BY name, contract_num LIMIT ?`,
    );
    this.#get = database.prepare<[string], ContractSummary>(`SELECT ${SUMMARY} FROM contracts WHERE contract_id = ?`);
    this.#logs = database.prepare<[string, number], ContractLog>(
      `SELECT t.id AS txId, b.height AS blockHeight, b.hash AS blockHash, b.time_ms AS blockTimeMs, l.message
      FROM contract_logs l JOIN transactions t ON t.seq = l.seq JOIN blocks b ON b.height = l.seq / ${SEQ_PER_BLOCK}
      WHERE l.contract_num = (SELECT contract_num FROM contracts WHERE contract_id = ?) ORDER BY l.seq DESC, l.line DESC LIMIT ?`,
    );
  }

  insert(height: Height, contracts: readonly IndexedContract[], logs: readonly IndexedLog[]): void {
    for (const { id, name, version } of contracts) this.#insertContract.run(id, name, version, height);
    for (const { contractId, position, line, message } of logs)
      this.#insertLog.run(contractId, height * SEQ_PER_BLOCK + position, line, message);
  }

  removeAbove(height: Height): void {
    for (const statement of this.#remove) statement.run({ seq: (height + 1) * SEQ_PER_BLOCK, height });
  }

  /** In order of deployment, after a contract when one is given. */
  list(limit: number, after: ContractId = ""): readonly ContractSummary[] {
    return this.#list.all({ after, limit });
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

  /** Newest first. */
  logs(contractId: ContractId, limit: number): readonly ContractLog[] {
    return this.#logs.all(contractId, limit);
  }
}
