// Headers of sealed blocks with their commits, as they stay when their blocks are dropped.
import { encode } from "#shared/codec/codec.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { DropTables } from "../../history/sealing/drop-segments.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { BlockRepository } from "../block-repository.ts";

/** Reads through a connection. */
export function headerSource(database: SqliteDatabase): DropTables["header"] {
  const blocks = new BlockRepository(database);
  return (height) => {
    const header = blocks.header(height);
    assertInvariant(header !== undefined, `Block ${height} is in a segment, and has no header`);
    return { height, header: encode(headerCodec, header), commitRecord: blocks.encodedCommit(height) ?? null };
  };
}
