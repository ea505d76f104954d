// IndexedDB in memory, as the global one. The package keeps all transactions that a database ever had, with what they read and wrote, and
// looks through them before each new one: here those that ended are dropped.
import "fake-indexeddb/auto";

/** What the package has behind a connection. */
interface Connection extends IDBDatabase {
  readonly _rawDatabase: { transactions: readonly { readonly _state: string }[] };
}

/** So many stay until they are looked through. */
const KEPT = 32;

const { transaction } = IDBDatabase.prototype;

IDBDatabase.prototype.transaction = function begin(this: Connection, ...request: Parameters<typeof transaction>): IDBTransaction {
  const database = this._rawDatabase;
  if (database.transactions.length > KEPT) database.transactions = database.transactions.filter(({ _state }) => _state !== "finished");
  return transaction.apply(this, request);
};
