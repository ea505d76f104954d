// A second window on a device's vault. The lock may fail, as in a window that slept: then both do what they do, and a write is made only to
// what was read. Whose state is older than the vault is refused, and nothing of what it did leaves.
import { createRandom, type Random } from "#test/support/host/random.ts";
import { type LaidEnvelope, MailNetwork, type SimulatedEnvelope } from "../network/mail-network.ts";
import { SimulatedDevice } from "./simulated-device.ts";

const STREAM = 0x3117d;

/** The windows of all devices of a schedule. */
export class Windows {
  readonly #random: Random;
  readonly #network: MailNetwork;
  readonly #checks: boolean;
  readonly #vaults = new Map<string, SharedVault>();
  readonly #second = new Map<string, SecondWindow>();
  /** Texts of writes that were refused. */
  readonly refused = new Set<string>();
  /** Windows that went on from what another one had written. */
  next = 0;

  constructor(seed: number, network: MailNetwork, checks: boolean) {
    this.#random = createRandom(seed ^ STREAM);
    this.#network = network;
    this.#checks = checks;
  }

  /** The window with the lock has written. */
  noteWrite({ name }: SimulatedDevice): void {
    const vault = this.#vaultOf(name);
    vault.write(vault.counter);
  }

  /** A second window of a device is opened, or does something. */
  act(device: SimulatedDevice, nowMs: number): void {
    const { name } = device;
    const second = this.#second.get(name);
    if (second === undefined) {
      if (this.#random.chance(0.2))
        this.#second.set(name, new SecondWindow(device, this.#vaultOf(name), { network: this.#network, random: this.#random }));
      return;
    }
    if (!this.#random.chance(0.1)) return;
    // The first one was closed, and this one has read what that left.
    if (this.#random.chance(0.3)) second.read();
    const id = Array.from({ length: 4 }, () => this.#random.between(0, 0xffff_ffff).toString(16).padStart(8, "0")).join("");
    const attempt = second.attempt(id, nowMs, this.#checks);
    if (attempt === "refused") this.refused.add(id);
    if (attempt !== "next") return;
    this.next += 1;
    device.step(nowMs);
    this.noteWrite(device);
  }

  #vaultOf(name: string): SharedVault {
    const vault = this.#vaults.get(name) ?? new SharedVault();
    this.#vaults.set(name, vault);
    return vault;
  }
}

/** The number of a vault's last write. */
class SharedVault {
  #counter = 0;

  get counter(): number {
    return this.#counter;
  }

  /** Writes to what had this number; false where another window was faster. */
  write(expected: number): boolean {
    if (expected !== this.#counter) return false;
    this.#counter += 1;
    return true;
  }
}

/** What became of the attempt of a window. */
type Attempt = "refused" | "next" | "written";

class SecondWindow {
  readonly #device: SimulatedDevice;
  readonly #network: MailNetwork;
  readonly #random: Random;
  readonly #vault: SharedVault;
  #read: { readonly counter: number; readonly image: SimulatedDevice["image"] };

  constructor(
    device: SimulatedDevice,
    vault: SharedVault,
    { network, random }: { readonly network: MailNetwork; readonly random: Random },
  ) {
    this.#device = device;
    this.#network = network;
    this.#random = random;
    this.#vault = vault;
    this.#read = { counter: vault.counter, image: device.image };
  }

  /** Reads the vault as it is now. */
  read(): void {
    this.#read = { counter: this.#vault.counter, image: this.#device.image };
  }

  /**
   * Writes a text and does what is due, as if it had the lock. Where nothing was written since it read the vault it is the `next` to run: the
   * device goes on from the same state. `checks` false: the vault takes what comes, as it must not.
   */
  attempt(id: string, nowMs: number, checks: boolean): Attempt {
    const { counter, image } = this.#read;
    if (counter === this.#vault.counter) return "next";
    const held = new HeldNetwork(this.#network, this.#random);
    const window = new SimulatedDevice(this.#device.name, this.#device.peers, {
      random: this.#random,
      network: held,
      chain: this.#device.chain,
      relations: this.#device.relations,
    });
    window.restore(image);
    window.skewMs = this.#device.skewMs;
    window.write({ text: id }, id, nowMs);
    window.step(nowMs);
    const isTaken = this.#vault.write(counter) || !checks;
    if (isTaken) {
      this.#device.restore(window.image);
      for (const envelope of held.handed) this.#network.put(envelope, nowMs);
    }
    this.read();
    return isTaken ? "written" : "refused";
  }
}

/** What a window sends waits for its write, and so does what it deletes from mailboxes. */
class HeldNetwork extends MailNetwork {
  readonly handed: SimulatedEnvelope[] = [];
  readonly #real: MailNetwork;

  constructor(real: MailNetwork, random: Random) {
    super(random, { loss: 0, doubling: 0, delayMs: 0 });
    this.#real = real;
  }

  override put(envelope: SimulatedEnvelope): boolean {
    this.handed.push(envelope);
    return true;
  }

  override take(device: string, boxes: readonly string[], nowMs: number): readonly LaidEnvelope[] {
    return this.#real.look(device, boxes, nowMs);
  }
}
