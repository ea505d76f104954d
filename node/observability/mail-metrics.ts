// Metrics of mail at keepers: what waits for them, what this node carries for others, and what keepers sign for each other.
import { Counter, Gauge, type Registry } from "prom-client";

type Labelled = () => Iterable<readonly [string, number]>;

/** Values that are read when the metrics are asked for. Counts are since the start. */
export interface MailSources {
  /** Envelopes on their way to keepers, and their bytes. */
  queuedMail(): number;
  queuedMailBytes(): number;
  /** What became of such envelopes, by outcome. */
  readonly outgoingMail: Labelled;
  /** Requests that this node carried for others, by outcome, their bytes, and watches that it passes on for them now. */
  readonly carriedMail: Labelled;
  carriedBytes(): number;
  carriedWatches(): number;
  /** What this node asked of carriers, by outcome. */
  readonly askedCarriers: Labelled;
  /** Digests of what keepers have, by what was done with them. */
  readonly signedDigests: Labelled;
  /** Keepers whose receipts do not count at this node now. */
  doubtedKeepers(): number;
  /** Keepers of which this node has evidence that they lied. */
  keptLies(): number;
}

/** Adds them to a registry. */
export function registerMail(registry: Registry, sources: MailSources): void {
  const registers = [registry];
  const gauges: readonly (readonly [string, string, () => number])[] = [
    ["parley_mail_queue_envelopes", "Envelopes on their way to keepers.", sources.queuedMail],
    ["parley_mail_queue_bytes", "Bytes of the envelopes on their way to keepers.", sources.queuedMailBytes],
    ["parley_carry_watches", "Watches that the node passes on for others.", sources.carriedWatches],
    ["parley_keepers_doubted", "Keepers that dropped what they had signed for to the node.", sources.doubtedKeepers],
    ["parley_keeper_lies", "Keepers of which the node has evidence that they lied.", sources.keptLies],
  ];
  for (const [name, help, read] of gauges)
    new Gauge({
      name,
      help,
      registers,
      collect(): void {
        this.set(read());
      },
    });
  const counters: readonly (readonly [string, string, string, Labelled])[] = [
    ["parley_mail_queue_total", "outcome", "Envelopes for keepers since the start, by what became of them.", sources.outgoingMail],
    ["parley_carry_requests_total", "outcome", "Requests that the node carried for others since the start.", sources.carriedMail],
    ["parley_carry_asked_total", "outcome", "Requests that the node sent through carriers since the start.", sources.askedCarriers],
    ["parley_keeper_digests_total", "kind", "Digests of keepers since the start, by what was done with them.", sources.signedDigests],
  ];
  for (const [name, label, help, read] of counters)
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect(): void {
        this.reset();
        for (const [value, count] of read()) this.inc({ [label]: value }, count);
      },
    });
  new Counter({
    name: "parley_carry_bytes_total",
    help: "Bytes of these requests and of their answers since the start.",
    registers,
    collect(): void {
      this.reset();
      this.inc(sources.carriedBytes());
    },
  });
}
