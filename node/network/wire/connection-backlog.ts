// What a connection has not sent yet. A stream says when its own buffer is empty, but a peer can have it emptied without reading: it opens the
// window of the stream, and the bytes move down to the socket, where they stay. So the buffers below the streams are counted too.
import type { Connection } from "@libp2p/interface";

/** Bytes of one connection. */
export interface ConnectionBacklog {
  /** Bytes that wait below the streams. */
  readonly waiting: number;
  /** Bytes that the system has taken since the connection began. */
  readonly sent: number;
}

interface Buffered {
  readonly writeBufferLength?: number;
}

/** Members of the library's connections that its interface does not name. */
interface Layers {
  readonly maConn?: Buffered & { readonly socket?: { readonly writableLength: number; readonly bytesWritten: number } };
  readonly muxer?: { readonly maConn?: Buffered };
}

/** Backlog of a connection. One over a relay counts with the connection to the relay. */
export function backlogOf(connection: Connection): ConnectionBacklog {
  const { maConn, muxer } = connection as unknown as Layers;
  const unwritten = maConn?.socket?.writableLength ?? 0;
  return {
    waiting: unwritten + (maConn?.writeBufferLength ?? 0) + (muxer?.maConn?.writeBufferLength ?? 0),
    sent: (maConn?.socket?.bytesWritten ?? 0) - unwritten,
  };
}
