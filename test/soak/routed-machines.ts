// Machines of their own for a test, made of network namespaces: a public one, and two behind routers that translate addresses and let
// nothing in that was not asked for. Linux, root, iproute2 and nft are needed.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Public address of the machine that all can dial. */
export const PUBLIC_ADDRESS = "11.0.0.1";
/** Address of a router on the public network. */
export const routerAddress = (n: number): string => `11.0.0.1${n}`;

const ROUTERS = [1, 2];
const RULES = `table ip nat {
  chain post {
    type nat hook postrouting priority 100;
    oifname "wan" masquerade;
  }
}
table ip filter {
  chain input {
    type filter hook input priority 0; policy accept;
    iifname "wan" ct state new drop;
  }
  chain forward {
    type filter hook forward priority 0; policy drop;
    iifname "lan" accept;
    ct state established,related accept;
  }
}`;

/** The machines: `wan` is public, `h1` and `h2` are behind the routers `r1` and `r2`. */
export class RoutedMachines implements AsyncDisposable {
  readonly #prefix = `ply${process.pid}`;
  readonly #made: string[] = [];

  /** Makes the machines and wires them. @throws Error without the rights and the programs that this needs. */
  async start(): Promise<void> {
    for (const name of ["wan", ...ROUTERS.flatMap((n) => [`r${n}`, `h${n}`])]) {
      await ip("netns", "add", this.namespaceOf(name));
      this.#made.push(name);
      await this.#ip(name, "link set lo up");
    }
    await this.#ip("wan", "link add br0 type bridge");
    await this.#ip("wan", `addr add ${PUBLIC_ADDRESS}/24 dev br0`);
    await this.#ip("wan", "link set br0 up");
    for (const n of ROUTERS) await this.#wire(n);
  }

  /** Namespace of a machine, for `ip netns exec`. */
  namespaceOf(name: string): string {
    return `${this.#prefix}-${name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#made) await ip("netns", "del", this.namespaceOf(name));
  }

  async #wire(n: number): Promise<void> {
    const [router, home] = [`r${n}`, `h${n}`];
    await this.#ip("wan", `link add p${n} type veth peer name wan netns ${this.namespaceOf(router)}`);
    await this.#ip("wan", `link set p${n} master br0 up`);
    await this.#ip(router, `addr add ${routerAddress(n)}/24 dev wan`);
    await this.#ip(router, "link set wan up");
    await this.#ip(router, `link add lan type veth peer name eth0 netns ${this.namespaceOf(home)}`);
    await this.#ip(router, `addr add 192.168.${n}.1/24 dev lan`);
    await this.#ip(router, "link set lan up");
    await this.#ip(home, `addr add 192.168.${n}.2/24 dev eth0`);
    await this.#ip(home, "link set eth0 up");
    await this.#ip(home, `route add default via 192.168.${n}.1`);
    await ip("netns", "exec", this.namespaceOf(router), "sysctl", "-qw", "net.ipv4.ip_forward=1");
    await ip("netns", "exec", this.namespaceOf(router), "nft", RULES);
  }

  async #ip(machine: string, command: string): Promise<void> {
    await ip("-n", this.namespaceOf(machine), ...command.split(" "));
  }
}

async function ip(...args: readonly string[]): Promise<void> {
  await run("ip", args);
}
