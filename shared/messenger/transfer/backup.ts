// The encrypted backup file: conversations, messages, files, notes, settings, never a key of a device. Restoring only adds what is missing.
//   "PARLEYBK" | version u8 = 1 | header length u32 | header (deterministic CBOR) | parts: length u32 | nonce 24 | XChaCha20-Poly1305
// Every part is bound to the header, to its number and to whether it is the last one, so none can be changed, moved, or cut off.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { keyed, map } from "#shared/codec/maps.ts";
import { bytesUpTo, integer, textUpTo } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BackupKeyRequest } from "#shared/keyring/keyring-api.ts";
import { openPart, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { concatBytes, equalBytes, fromUtf8, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

const MAGIC = utf8("PARLEYBK");
const VERSION = 1;
const HEAD_BYTES = MAGIC.length + 5;
const SALT_BYTES = 16;
const MAX_HEADER_BYTES = 4_096;

/** Cost of the password of new files. */
const COST = { memoryKib: 65_536, iterations: 3, parallelism: 1 } as const;

/** Bytes of a backup at most: it is made, and read again, in memory. docs/limits.md lists it. */
const MAX_BACKUP_BYTES = 1_000_000_000;

/** Whose backup it is, and its password, of which the keyring derives the key. */
export interface BackupOptions {
  readonly owner: string;
  readonly chainId: string;
  readonly password: string;
  readonly deriveKey: (request: BackupKeyRequest) => Promise<Uint8Array>;
}

interface Header extends Omit<BackupKeyRequest, "password"> {
  readonly owner: string;
  readonly chainId: string;
}

const headerCodec: Codec<Header> = map({
  owner: textUpTo(),
  chainId: keyed("chain", textUpTo()),
  salt: bytesUpTo(),
  memoryKib: keyed("memory_kib", integer()),
  iterations: integer(),
  parallelism: integer(),
});

/** A file of these values, for the owner of a master key on one network. @throws CodedError PAYLOAD_TOO_LARGE */
export async function sealBackup(
  parts: AsyncIterable<unknown>,
  {
    owner,
    chainId,
    password,
    deriveKey,
    random,
    maxBytes = MAX_BACKUP_BYTES,
  }: BackupOptions & { readonly random: RandomBytes; readonly maxBytes?: number },
): Promise<Uint8Array> {
  const header: Header = { owner, chainId, salt: random(SALT_BYTES), ...COST };
  const head = encodeHeader(header);
  const key = await deriveKey({ password, salt: header.salt, ...COST });
  const sealed: Uint8Array[] = [head];
  let index = 0;
  let bytes = 0;
  const add = (value: unknown, isLast: boolean): void => {
    const part = sealPart(key, utf8(JSON.stringify(value)), associatedDataOf(head, index, isLast), random);
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.length);
    sealed.push(length, part);
    index += 1;
    bytes += length.length + part.length;
    if (bytes > maxBytes) throw new CodedError("PAYLOAD_TOO_LARGE", `A backup has ${maxBytes} bytes at most: make it without files`);
  };
  try {
    for await (const value of parts) add(value, false);
    add(null, true);
  } finally {
    key.fill(0);
  }
  return concatBytes(...sealed);
}

/**
 * The values of a file.
 * @throws CodedError BACKUP_FOREIGN of another identity or network, BACKUP_WRONG_PASSWORD, BACKUP_DAMAGED when cut off, changed or none.
 */
export async function openBackup(file: Uint8Array, { owner, chainId, password, deriveKey }: BackupOptions): Promise<readonly unknown[]> {
  const { header, head } = readHeader(file);
  if (header.owner !== owner) throw new CodedError("BACKUP_FOREIGN", "This backup belongs to another identity");
  if (header.chainId !== chainId)
    throw new CodedError("BACKUP_FOREIGN", "This backup was made on another network", { details: { network: header.chainId } });
  const { salt, memoryKib, iterations, parallelism } = header;
  const key = await deriveKey({ password, salt, memoryKib, iterations, parallelism });
  const values: unknown[] = [];
  let offset = head.length;
  for (let index = 0; ; index += 1) {
    const part = partAt(file, offset);
    offset += 4 + part.length;
    const isLast = offset === file.length;
    const plain = openPart(key, part, associatedDataOf(head, index, isLast));
    if (plain === undefined && index === 0)
      throw new CodedError("BACKUP_WRONG_PASSWORD", "Wrong password for this backup, or the file is damaged");
    if (plain === undefined) throw damaged();
    if (isLast) break;
    values.push(JSON.parse(fromUtf8(plain)));
  }
  key.fill(0);
  return values;
}

function associatedDataOf(head: Uint8Array, index: number, isLast: boolean): Uint8Array {
  return concatBytes(head, encodeCbor([index, isLast]));
}

function partAt(file: Uint8Array, offset: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = offset + 4 <= file.length ? view.getUint32(offset) : 0;
  if (length === 0 || offset + 4 + length > file.length) throw damaged();
  return file.subarray(offset + 4, offset + 4 + length);
}

function encodeHeader(header: Header): Uint8Array {
  const encoded = encode(headerCodec, header);
  const start = new Uint8Array(HEAD_BYTES);
  start.set(MAGIC);
  start[MAGIC.length] = VERSION;
  new DataView(start.buffer).setUint32(MAGIC.length + 1, encoded.length);
  return concatBytes(start, encoded);
}

function readHeader(file: Uint8Array): { readonly header: Header; readonly head: Uint8Array } {
  if (file.length < HEAD_BYTES || !equalBytes(file.subarray(0, MAGIC.length), MAGIC)) throw damaged();
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint8(MAGIC.length) > VERSION)
    throw new CodedError("STORAGE_NEWER", "The backup was written by a newer version of Parley: install that version");
  const end = HEAD_BYTES + view.getUint32(MAGIC.length + 1);
  if (end > file.length || end > MAX_HEADER_BYTES) throw damaged();
  try {
    return { header: decode(headerCodec, file.subarray(HEAD_BYTES, end)), head: file.subarray(0, end) };
  } catch {
    throw damaged();
  }
}

function damaged(): CodedError {
  return new CodedError("BACKUP_DAMAGED", "This file is not a Parley backup, or it is damaged or incomplete; nothing was restored");
}
