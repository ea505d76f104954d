// A client of TURN that shares no code with the relay: it writes and reads bytes by itself, so that both would have to be wrong alike.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const COOKIE = Buffer.from("2112a442", "hex");

/** Types of requests as whole numbers, as they stand in a message. */
export const REQUESTS = { binding: 0x0001, allocate: 0x0003, refresh: 0x0004, permission: 0x0008, channel: 0x0009 } as const;

/** An answer, with its attributes by number. */
export interface TurnAnswer {
  readonly type: number;
  readonly transaction: string;
  readonly attributes: ReadonlyMap<number, Buffer>;
  /** Of ERROR-CODE; 0 without one. */
  readonly code: number;
  readonly bytes: Buffer;
}

/** Attributes of a request, by number. */
export type Attributes = readonly (readonly [number, Buffer])[];

export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** What a request is made of. */
export interface TurnRequest {
  readonly type: number;
  readonly attributes?: Attributes;
  readonly transaction?: Buffer;
  /** Signs it, with the nonce of the relay. */
  readonly credential?: Credential | undefined;
  readonly nonce?: string | undefined;
  readonly realm?: string;
  readonly hasFingerprint?: boolean;
}

export function turnRequest({
  type,
  attributes = [],
  transaction = randomBytes(12),
  credential,
  nonce = "",
  realm = "parley",
  hasFingerprint = false,
}: TurnRequest): Buffer {
  const own: Attributes =
    credential === undefined
      ? []
      : [
          [0x0006, Buffer.from(credential.username)],
          [0x0014, Buffer.from(realm)],
          [0x0015, Buffer.from(nonce)],
        ];
  let body = Buffer.concat([...attributes, ...own].map(([number, value]) => attribute(number, value)));
  const withHead = (more: number): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(type, 0);
    head.writeUInt16BE(body.length + more, 2);
    return Buffer.concat([head, COOKIE, transaction, body]);
  };
  if (credential !== undefined) {
    const key = createHash("md5").update(`${credential.username}:${realm}:${credential.password}`).digest();
    body = Buffer.concat([body, attribute(0x0008, createHmac("sha1", key).update(withHead(24)).digest())]);
  }
  if (hasFingerprint) {
    const value = Buffer.alloc(4);
    value.writeUInt32BE((crc32(withHead(8)) ^ 0x5354554e) >>> 0);
    body = Buffer.concat([body, attribute(0x8028, value)]);
  }
  return withHead(0);
}

export function attribute(number: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(number, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

export function readAnswer(bytes: Buffer): TurnAnswer {
  const attributes = new Map<number, Buffer>();
  for (let at = 20; at < bytes.length; ) {
    const size = bytes.readUInt16BE(at + 2);
    attributes.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + size));
    at += 4 + 4 * Math.ceil(size / 4);
  }
  const error = attributes.get(0x0009);
  return {
    type: bytes.readUInt16BE(0),
    transaction: bytes.subarray(8, 20).toString("hex"),
    attributes,
    code: error === undefined ? 0 : (error[2] ?? 0) * 100 + (error[3] ?? 0),
    bytes,
  };
}

/** XOR-PEER-ADDRESS and its like, of an address of IPv4. */
export function xorAddress(address: string, port: number): Buffer {
  const value = Buffer.from([0, 1, 0, 0, ...address.split(".").map(Number)]);
  value.writeUInt16BE(port ^ 0x2112, 2);
  for (let index = 0; index < 4; index += 1) value[4 + index] = (value[4 + index] ?? 0) ^ (COOKIE[index] ?? 0);
  return value;
}

/** The endpoint of such a value, as text. */
export function readXor(value: Buffer | undefined): string {
  if (value === undefined) return "";
  const bytes = [...value.subarray(4, 8)].map((byte, index) => byte ^ (COOKIE[index] ?? 0));
  return `${bytes.join(".")}:${value.readUInt16BE(2) ^ 0x2112}`;
}

/** REQUESTED-TRANSPORT of UDP. */
export const OVER_UDP: Attributes = [[0x0019, Buffer.from([17, 0, 0, 0])]];

/** Data of a channel. */
export function channelData(number: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(number, 0);
  head.writeUInt16BE(data.length, 2);
  return Buffer.concat([head, data]);
}

/** CHANNEL-NUMBER and XOR-PEER-ADDRESS. */
export function toChannel(number: number, address: string, port: number): Attributes {
  const value = Buffer.alloc(4);
  value.writeUInt16BE(number, 0);
  return [
    [0x000c, value],
    [0x0012, xorAddress(address, port)],
  ];
}
