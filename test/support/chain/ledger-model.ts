// A second, simple account of what transactions do: plain maps, written from docs/protocol.md and docs/contracts.md, not from the code.
// Signatures are not its business: steps only hold what their signers would have signed.

const DAY = 86_400;

/** One transaction as the model sees it. Numbers are small choices that the test maps to keys, ids and amounts. */
export type ModelStep =
  | { readonly kind: "transfer"; readonly from: string; readonly to: string; readonly amount: number }
  | { readonly kind: "heartbeat"; readonly from: string }
  | { readonly kind: "bind"; readonly from: string; readonly wallet: string }
  | { readonly kind: "relay"; readonly from: string }
  | {
      readonly kind: "proof";
      readonly from: string;
      readonly claims: readonly { readonly sender: string; readonly id: string; readonly fee: number }[];
    }
  | { readonly kind: "add"; readonly from: string; readonly target: string; readonly cosigners: readonly string[] }
  | { readonly kind: "remove"; readonly from: string; readonly target: string; readonly cosigners: readonly string[] }
  | { readonly kind: "rotate"; readonly from: string; readonly to: string }
  | { readonly kind: "slash"; readonly from: string; readonly offender: string; readonly height: number; readonly round: number }
  | {
      readonly kind: "open";
      readonly from: string;
      readonly to: string;
      readonly id: string;
      readonly amount: number;
      readonly lifeS: number;
    }
  | {
      readonly kind: "close";
      readonly from: string;
      readonly to: string;
      readonly id: string;
      readonly paid: number;
      readonly hasVoucher: boolean;
    }
  | { readonly kind: "register"; readonly from: string; readonly name: string; readonly amount: number }
  | { readonly kind: "release"; readonly from: string; readonly name: string }
  | { readonly kind: "give"; readonly from: string; readonly name: string; readonly to: string }
  | { readonly kind: "issue"; readonly from: string; readonly token: string; readonly supply: number }
  | { readonly kind: "send"; readonly from: string; readonly token: string; readonly to: string; readonly amount: number }
  | { readonly kind: "burn"; readonly from: string; readonly token: string; readonly amount: number }
  | {
      readonly kind: "deal";
      readonly from: string;
      readonly id: string;
      readonly seller: string;
      readonly arbiter: string;
      readonly amount: number;
      readonly lifeS: number;
    }
  | {
      readonly kind: "settle";
      readonly from: string;
      readonly id: string;
      readonly how: "release" | "refund" | "dispute" | "resolve" | "timeout";
    };

interface Channel {
  readonly payer: string;
  readonly payee: string;
  readonly deposit: number;
  readonly expiresAt: number;
  isOpen: boolean;
}

interface Deal {
  readonly buyer: string;
  readonly seller: string;
  readonly arbiter: string;
  readonly amount: number;
  readonly deadline: number;
  state: "a" | "d" | "r" | "f";
}

/** What the model starts with. */
export interface ModelStart {
  readonly balances: Readonly<Record<string, number>>;
  readonly validators: readonly string[];
  readonly bondUt: number;
  readonly rewardUt: number;
}

/** The model. Amounts are µT, times unix seconds. */
export class LedgerModel {
  readonly balances: Map<string, number>;
  readonly bonds: Map<string, number>;
  readonly unbonding = new Map<string, { amount: number; readonly at: number }>();
  readonly names = new Map<string, string>();
  readonly tokens = new Map<string, Map<string, number>>();
  readonly deals = new Map<string, Deal>();
  readonly channels = new Map<string, Channel>();
  supply: number;
  height = 0;
  now = 0;
  readonly #bondUt: number;
  readonly #rewardUt: number;
  readonly #wallets = new Map<string, string>();
  readonly #relays = new Set<string>();
  readonly #claims = new Set<string>();
  readonly #approvals = new Map<string, Map<string, number>>();
  readonly #changedAt = new Map<string, number>();
  readonly #bannedUntil = new Map<string, number>();
  readonly #votedAt = new Map<string, Set<number>>();
  readonly #offences = new Set<string>();
  /** When a key took over from another one, by height, and when another one took over from it. */
  readonly #rotatedIn = new Map<string, number>();
  readonly #successors = new Map<string, { readonly key: string; readonly at: number }>();

  constructor({ balances, validators, bondUt, rewardUt }: ModelStart) {
    this.balances = new Map(Object.entries(balances));
    this.bonds = new Map(validators.map((key) => [key, bondUt]));
    this.supply = [...this.balances.values(), ...this.bonds.values()].reduce((sum, amount) => sum + amount, 0);
    this.#bondUt = bondUt;
    this.#rewardUt = rewardUt;
  }

  /** Begins a block: the members of the set now vote on it. */
  begin(height: number, now: number): void {
    this.height = height;
    this.now = now;
    for (const key of this.bonds.keys()) this.#votedAt.set(key, (this.#votedAt.get(key) ?? new Set()).add(height));
  }

  /** Ends a block that held something. */
  end(proposer: string, feesUt: number): void {
    this.#pay(this.#wallets.get(proposer) ?? proposer, feesUt + this.#rewardUt);
    this.supply += this.#rewardUt;
  }

  balance(key: string): number {
    return this.balances.get(key) ?? 0;
  }

  /** Executes a step whose fee and gas are `costUt`, of which up to `reserveUt` must be affordable. True when it succeeds. */
  run(step: ModelStep, feeUt: number, reserveUt: number): boolean | "not included" {
    if (this.balance(step.from) < feeUt) return "not included";
    this.#pay(step.from, -feeUt);
    if (this.balance(step.from) < amountOf(step) + reserveUt) return false;
    return this.#apply(step);
  }

  /** Takes the price of the gas that was used. */
  payGas(key: string, gasUt: number): void {
    this.#pay(key, -gasUt);
  }

  #apply(step: ModelStep): boolean {
    switch (step.kind) {
      case "transfer":
        return this.#move(step.from, step.to, step.amount);
      case "heartbeat":
        return true;
      case "bind":
        this.#wallets.set(step.from, step.wallet);
        return true;
      case "relay":
        this.#relays.add(step.from);
        return true;
      case "proof":
        return this.#proof(step);
      case "add":
        return this.#add(step);
      case "remove":
        return this.#remove(step);
      case "rotate":
        return this.#rotate(step);
      case "slash":
        return this.#slash(step);
      case "open":
        return this.#open(step);
      case "close":
        return this.#close(step);
      case "register":
      case "release":
      case "give":
        return this.#name(step);
      case "issue":
      case "send":
      case "burn":
        return this.#token(step);
      case "deal":
        return this.#deal(step);
      case "settle":
        return this.#settle(step);
    }
  }

  #proof({ from, claims }: Extract<ModelStep, { kind: "proof" }>): boolean {
    if (!this.#relays.has(from)) return false;
    let paid = 0;
    for (const { sender, id, fee } of claims) {
      if (this.#claims.has(`${sender} ${id}`) || this.balance(sender) < fee) continue;
      this.#claims.add(`${sender} ${id}`);
      this.#move(sender, this.#wallets.get(from) ?? from, fee);
      paid += 1;
    }
    return paid > 0;
  }

  #add({ from, target, cosigners }: Extract<ModelStep, { kind: "add" }>): boolean {
    if (this.bonds.has(target) || this.#successors.has(target) || this.now < (this.#bannedUntil.get(target) ?? 0)) return false;
    const approvals = this.#tally("add", from, target, cosigners);
    if (approvals === undefined) return false;
    const isDecided = this.#isQuorum(approvals) && approvals.has(target);
    const missing = Math.max(0, this.#bondUt - (this.unbonding.get(target)?.amount ?? 0));
    if (isDecided && this.balance(target) < missing) return false;
    if (!isDecided) {
      this.#approvals.set(`add ${target}`, approvals);
      return true;
    }
    this.#pay(target, -missing);
    this.bonds.set(target, missing + (this.unbonding.get(target)?.amount ?? 0));
    this.unbonding.delete(target);
    this.#changed(target);
    return true;
  }

  #remove({ from, target, cosigners }: Extract<ModelStep, { kind: "remove" }>): boolean {
    const back = this.unbonding.get(target);
    if (!this.bonds.has(target)) {
      if (back === undefined || from !== target || this.now < back.at) return false;
      this.#pay(target, back.amount);
      return this.unbonding.delete(target);
    }
    if (this.bonds.size === 1) return false;
    const approvals = this.#tally("remove", from, target, cosigners);
    if (approvals === undefined) return false;
    if (this.#isQuorum(approvals) || approvals.has(target)) this.#leave(target);
    else this.#approvals.set(`remove ${target}`, approvals);
    return true;
  }

  #rotate({ from, to }: Extract<ModelStep, { kind: "rotate" }>): boolean {
    const bond = this.bonds.get(from);
    const isUsed = this.bonds.has(to) || this.#changedAt.has(to) || this.unbonding.has(to);
    if (bond === undefined || isUsed || this.height < (this.#rotatedIn.get(from) ?? Number.NEGATIVE_INFINITY) + 1_000) return false;
    const removal = new Map([...(this.#approvals.get(`remove ${from}`) ?? [])].filter(([key]) => key !== from));
    const ban = this.#bannedUntil.get(from);
    const wallet = this.#wallets.get(from);
    this.bonds.delete(from);
    this.bonds.set(to, bond);
    this.#changed(from);
    this.#changed(to);
    if (removal.size > 0) this.#approvals.set(`remove ${to}`, removal);
    if (ban !== undefined) this.#bannedUntil.set(to, ban);
    if (wallet !== undefined && !this.#wallets.has(to)) this.#wallets.set(to, wallet);
    this.#rotatedIn.set(to, this.height);
    this.#successors.set(from, { key: to, at: this.now });
    return true;
  }

  /** Whose bond answers for what a key has signed: its last successor's, for 21 days. */
  #liable(offender: string): string {
    const first = this.#successors.get(offender);
    if (first === undefined || this.now >= first.at + 21 * DAY) return offender;
    let { key } = first;
    for (let next = this.#successors.get(key); next !== undefined; next = this.#successors.get(key)) key = next.key;
    return key;
  }

  #slash({ from, offender, height, round }: Extract<ModelStep, { kind: "slash" }>): boolean {
    const offence = `${offender} ${height} ${round}`;
    if (!this.#votedAt.get(offender)?.has(height) || this.#offences.has(offence)) return false;
    this.#offences.add(offence);
    const liable = this.#liable(offender);
    const back = this.unbonding.get(liable);
    const bond = this.bonds.get(liable) ?? back?.amount ?? 0;
    const lost = Math.floor(bond / 10);
    const reward = from === offender || from === liable ? 0 : Math.floor(lost / 10);
    if (this.bonds.has(liable)) {
      this.bonds.set(liable, bond - lost);
      if (this.bonds.size > 1) this.#leave(liable);
    } else if (back !== undefined) back.amount -= lost;
    this.#bannedUntil.set(liable, Math.max(this.#bannedUntil.get(liable) ?? 0, this.now + 7 * DAY));
    this.#pay(from, reward);
    this.supply -= lost - reward;
    return true;
  }

  #open({ from, to, id, amount, lifeS }: Extract<ModelStep, { kind: "open" }>): boolean {
    if (this.channels.has(id) || lifeS <= 0 || lifeS > 365 * DAY) return false;
    this.#pay(from, -amount);
    this.channels.set(id, { payer: from, payee: to, deposit: amount, expiresAt: this.now + lifeS, isOpen: true });
    return true;
  }

  #close({ from, to, id, paid, hasVoucher }: Extract<ModelStep, { kind: "close" }>): boolean {
    const channel = this.channels.get(id);
    if (channel === undefined || !channel.isOpen || paid > channel.deposit) return false;
    const byPayee = channel.payee === from && channel.payer === to && (hasVoucher || paid === 0);
    const byPayer = channel.payer === from && channel.payee === to && this.now >= channel.expiresAt;
    if (!byPayee && !byPayer) return false;
    channel.isOpen = false;
    this.#pay(channel.payee, paid);
    this.#pay(channel.payer, channel.deposit - paid);
    return true;
  }

  #name(step: Extract<ModelStep, { kind: "register" | "release" | "give" }>): boolean {
    const hasName = (key: string): boolean => [...this.names.values()].includes(key);
    const { from, name } = step;
    if (step.kind === "register") {
      const isValid = /^[a-z0-9][a-z0-9._-]{2,30}[a-z0-9]$/.test(name) && !/[._-]{2}/.test(name);
      if (step.amount !== 10_000 || !isValid || this.names.has(name) || hasName(from)) return false;
      this.#pay(from, -10_000);
      this.supply -= 10_000;
      this.names.set(name, from);
      return true;
    }
    if (this.names.get(name) !== from) return false;
    if (step.kind === "release") return this.names.delete(name);
    if (hasName(step.to)) return false;
    this.names.set(name, step.to);
    return true;
  }

  #token(step: Extract<ModelStep, { kind: "issue" | "send" | "burn" }>): boolean {
    const { from, token } = step;
    const holders = this.tokens.get(token);
    if (step.kind === "issue") {
      if (holders !== undefined || step.supply === 0) return false;
      this.tokens.set(token, new Map([[from, step.supply]]));
      return true;
    }
    const balance = holders?.get(from) ?? 0;
    if (holders === undefined || step.amount === 0 || balance < step.amount) return false;
    holders.set(from, balance - step.amount);
    if (step.kind === "send") holders.set(step.to, (holders.get(step.to) ?? 0) + step.amount);
    return true;
  }

  #deal({ from, id, seller, arbiter, amount, lifeS }: Extract<ModelStep, { kind: "deal" }>): boolean {
    const isThree = seller !== from && arbiter !== from && arbiter !== seller;
    if (amount === 0 || this.deals.has(id) || !isThree || lifeS <= 0 || lifeS > 365 * DAY) return false;
    this.#pay(from, -amount);
    this.deals.set(id, { buyer: from, seller, arbiter, amount, deadline: this.now + lifeS, state: "a" });
    return true;
  }

  #settle({ from, id, how }: Extract<ModelStep, { kind: "settle" }>): boolean {
    const deal = this.deals.get(id);
    if (deal === undefined || deal.state === "r" || deal.state === "f") return false;
    const isAllowed = {
      release: from === deal.buyer,
      refund: from === deal.seller,
      dispute: deal.state === "a" && (from === deal.buyer || from === deal.seller),
      resolve: deal.state === "d" && from === deal.arbiter,
      timeout: deal.state === "a" && this.now >= deal.deadline,
    }[how];
    if (!isAllowed) return false;
    if (how === "dispute") {
      deal.state = "d";
      return true;
    }
    deal.state = how === "release" || how === "resolve" ? "r" : "f";
    this.#pay(deal.state === "r" ? deal.seller : deal.buyer, deal.amount);
    return true;
  }

  /** Approvals with this transaction's, or undefined when it brings none that counts. */
  #tally(action: string, from: string, target: string, cosigners: readonly string[]): Map<string, number> | undefined {
    const mayApprove = (key: string): boolean => this.bonds.has(key) || key === target;
    const brought = [from, ...cosigners.filter(() => this.now > (this.#changedAt.get(target) ?? 0))].filter(mayApprove);
    const known = [...(this.#approvals.get(`${action} ${target}`) ?? [])].filter(([key, at]) => mayApprove(key) && at > this.now - 7 * DAY);
    return brought.length === 0 ? undefined : new Map([...known, ...brought.map((key) => [key, this.now] as const)]);
  }

  #isQuorum(approvals: ReadonlyMap<string, number>): boolean {
    return 3 * [...approvals.keys()].filter((key) => this.bonds.has(key)).length > 2 * this.bonds.size;
  }

  #leave(key: string): void {
    const amount = this.bonds.get(key) ?? 0;
    this.bonds.delete(key);
    if (amount > 0) this.unbonding.set(key, { amount, at: this.now + 21 * DAY });
    this.#changed(key);
  }

  #changed(key: string): void {
    this.#changedAt.set(key, this.now);
    this.#approvals.delete(`add ${key}`);
    this.#approvals.delete(`remove ${key}`);
  }

  #move(from: string, to: string, amount: number): true {
    this.#pay(from, -amount);
    this.#pay(to, amount);
    return true;
  }

  #pay(key: string, amount: number): void {
    const balance = this.balance(key) + amount;
    if (balance < 0) throw new Error(`The model lets ${key} owe ${-balance} µT`);
    this.balances.set(key, balance);
  }
}

/** Amount of the transaction that a step becomes. */
function amountOf(step: ModelStep): number {
  return step.kind === "transfer" || step.kind === "open" || step.kind === "register" || step.kind === "deal" ? step.amount : 0;
}
