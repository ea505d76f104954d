// How many TCP connections are open at once, in all and from one address: one that opens more than its share keeps no other address out.
import type { Server, Socket } from "node:net";
import type { ResolvedApiOptions } from "../options.ts";
import { addressGroup, isLoopbackAddress } from "../security/client-address.ts";

/** Connections beyond the cap that programs of this machine can still open: a user at the node reaches it. */
const LOCAL_RESERVE = 64;

/** Closes connections beyond the limits as soon as they come. Must be called before the server listens. */
export function capConnections(server: Server, options: Pick<ResolvedApiOptions, "limits" | "limitsLoopback" | "trustedProxies">): void {
  const { tcpConnections, tcpPerAddress } = options.limits;
  const perAddress = new Map<string, number>();
  let open = 0;
  server.maxConnections = tcpConnections + LOCAL_RESERVE;
  server.on("connection", (socket: Socket) => {
    const remote = socket.remoteAddress ?? "";
    const isLocal = isLoopbackAddress(remote);
    const address = addressGroup(remote);
    const ofAddress = (perAddress.get(address) ?? 0) + 1;
    // A proxy brings the connections of many; the limits on requests know them apart.
    const isExempt = (isLocal && !options.limitsLoopback) || options.trustedProxies.includes(remote);
    if ((!isLocal && open >= tcpConnections) || (!isExempt && ofAddress > tcpPerAddress)) {
      socket.destroy();
      return;
    }
    open += 1;
    perAddress.set(address, ofAddress);
    socket.once("close", () => {
      open -= 1;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  });
}
