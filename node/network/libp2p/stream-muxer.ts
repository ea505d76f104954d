// Yamux over connections that may end at any moment. The library opens a stream in a task of its own, where no caller can catch that
// the connection has just closed: the whole process would end (js-libp2p issues 3415 and 3512 are of the same kind).
import { type MessageStream, type StreamMuxer, type StreamMuxerFactory, StreamStateError } from "@libp2p/interface";
import { yamux } from "@libp2p/yamux";
import { withCheapLengths } from "./cheap-lengths.ts";
import { withFewerWindowUpdates } from "./window-updates.ts";

/** Makes the factory of muxers that libp2p asks for. */
export function createMuxerFactory(): StreamMuxerFactory {
  const factory: StreamMuxerFactory = yamux()();
  const createMuxer = factory.createStreamMuxer.bind(factory);
  factory.createStreamMuxer = (connection): StreamMuxer =>
    createMuxer(withFewerWindowUpdates(withoutLateFailures(withCheapLengths(connection))));
  return factory;
}

/** What is sent after the end gets lost, as what is under way does; the streams get the end from the connection itself. */
function withoutLateFailures(connection: MessageStream): MessageStream {
  const send = connection.send.bind(connection);
  connection.send = (data): boolean => {
    try {
      return send(data);
    } catch (error) {
      if (error instanceof StreamStateError) return true;
      throw error;
    }
  };
  return connection;
}
