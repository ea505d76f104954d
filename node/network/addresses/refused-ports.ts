// Ports that are not dialled where a stranger names them. A node never listens there unless its operator chose so, but other services do: one
// who advertises such an address would have the whole network connect to another party's mail server, and get that network banned there.

/** Ports below this belong to system services (RFC 6335). */
const FIRST_USER_PORT = 1_024;

/** User ports of services that people run: the lists of browsers (fetch, "port blocking") and of Bitcoin Core, databases, remote access. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  ...[1_080, 1_194, 1_433, 1_521, 1_719, 1_720, 1_723, 1_883, 2_049, 2_181, 2_375, 2_376, 2_379, 2_380, 3_128, 3_268, 3_269, 3_306, 3_389],
  ...[3_659, 4_045, 4_190, 4_369, 5_060, 5_061, 5_222, 5_269, 5_432, 5_672, 5_900, 5_901, 5_984, 5_985, 5_986, 6_000, 6_379, 6_443, 6_566],
  ...[6_665, 6_666, 6_667, 6_668, 6_669, 6_697, 8_000, 8_008, 8_080, 8_081, 8_086, 8_332, 8_333, 8_443, 8_545, 8_888, 9_042, 9_092],
  ...[9_200, 9_300, 9_418, 10_000, 10_080, 10_250, 11_211, 15_672, 25_565, 27_017],
]);

/** True for a port at which another service is expected. */
export function isServicePort(port: number): boolean {
  return port < FIRST_USER_PORT || SERVICE_PORTS.has(port);
}
