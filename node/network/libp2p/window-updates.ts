// Fewer window updates of Yamux. The library sends one for every frame of data: a packet, encrypted and written, for twelve bytes. A window
// that is still half open needs none; what was read is announced together once it comes to half of the smallest window.
import type { MessageStream } from "@libp2p/interface";

/** Half of the window with which every stream begins (256 KiB by the specification). */
const ANNOUNCED_BYTES = 131_072;
/** Streams whose bytes wait to be announced; beyond, all are announced, so that streams of the past are forgotten. */
const MAX_STREAMS = 64;
const HEADER_BYTES = 12;
const TYPE_AT = 1;
const FLAGS_AT = 2;
const STREAM_AT = 4;
const LENGTH_AT = 8;
const WINDOW_UPDATE = 1;

type Sent = Parameters<MessageStream["send"]>[0];

/** Makes a muxer's connection hold back window updates that no sender waits for. Everything else passes as it is. */
export function withFewerWindowUpdates(connection: MessageStream): MessageStream {
  const send = connection.send.bind(connection);
  const held = new Map<number, number>();
  connection.send = (data): boolean => {
    const update = windowUpdateOf(data);
    if (update === undefined) return send(data);
    const bytes = (held.get(update.stream) ?? 0) + update.bytes;
    if (bytes >= ANNOUNCED_BYTES) {
      held.delete(update.stream);
      return send(windowUpdate(update.stream, bytes));
    }
    held.set(update.stream, bytes);
    if (held.size <= MAX_STREAMS) return true;
    const all = [...held];
    held.clear();
    return all.map(([stream, waiting]) => send(windowUpdate(stream, waiting))).every(Boolean);
  };
  return connection;
}

/** Stream and bytes of a frame that does nothing but open a window further. */
function windowUpdateOf(data: Sent): { readonly stream: number; readonly bytes: number } | undefined {
  if (!(data instanceof Uint8Array) || data.length !== HEADER_BYTES || data[TYPE_AT] !== WINDOW_UPDATE) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, HEADER_BYTES);
  return view.getUint16(FLAGS_AT) === 0 ? { stream: view.getUint32(STREAM_AT), bytes: view.getUint32(LENGTH_AT) } : undefined;
}

function windowUpdate(stream: number, bytes: number): Uint8Array {
  const frame = new Uint8Array(HEADER_BYTES);
  const view = new DataView(frame.buffer);
  view.setUint8(TYPE_AT, WINDOW_UPDATE);
  view.setUint32(STREAM_AT, stream);
  view.setUint32(LENGTH_AT, bytes);
  return frame;
}
