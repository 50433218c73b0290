import {
  array,
  assert,
  asyncProperty,
  constant,
  integer,
  oneof,
  type Scheduler,
  scheduler as schedulers,
} from 'fast-check';
import { expect, it } from 'vitest';
import { lengthOf } from '../../test/length.ts';
import { MapChain, MapRollup, mintData } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { isServiceError } from '../errors/service-error.ts';
import { Keypair, signTransaction } from '../ledger/keypair.ts';
import { silentLogger } from '../ports/logger.ts';
import { MemoryTables } from '../ports/tables.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { u64 } from '../programs/instruction-data.ts';
import { addMemo } from '../programs/memo.ts';
import { transferChecked } from '../programs/token/instructions.ts';
import { PaymentFollower } from '../settlement/payment-follower.ts';
import { paymentIdOf } from '../settlement/payment-id.ts';
import { type Payment, type PaymentStore, TablePaymentStore } from '../settlement/payment-store.ts';
import {
  drawFrom,
  FaultyProcesses,
  type Life,
  STORE_IS_GONE,
} from '../settlement/testing/faulty-processes.ts';
import { type Draw, ScriptedLedger } from '../settlement/testing/scripted-ledger.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import { compileLegacyMessage } from '../solana/message.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { Checkout } from './checkout.ts';
import { eventIdOf } from './events.ts';
import { type Merchant, Merchants } from './merchants.ts';
import type { Order } from './order.ts';
import { type RecordStore, TableRecordStore } from './record-store.ts';
import { Refunds } from './refunds.ts';
import { TransferSender } from './transfer-sender.ts';
import { WebhookSender } from './webhooks.ts';

const RUNS = lengthOf({ short: 100, long: 1_000 });

const ORDERS = ['one', 'two'];
const REFUNDS = ['a', 'b', 'c'];
const PRICE = 10_000n;

/** Time for which the orders can be paid, in ms. Some walks are longer. */
const ORDER_MS = 45_000;

/** Blocks for which a blockhash is valid: 18 s. */
const BLOCKHASH_BLOCKS = 360;

const MERCHANT = new Keypair(new Uint8Array(32).fill(1));
const PAYER = new Keypair(new Uint8Array(32).fill(2));
const SECRET = new Uint8Array(32).fill(3);
const SHOP = 'https://shop.example.com';

/** A process that serves a merchant. */
interface Replica extends Life {
  readonly checkout: Checkout;
  readonly refunds: Refunds;
}

/** A signed transaction, and the order or the refund (`order reference`) that it is for. */
interface Signed {
  readonly id: string;
  readonly subject: string;
  readonly amount: bigint;
  readonly signature: string;
  readonly text: string;
}

const STEPS = [
  [40, 'run'],
  [12, 'wait'],
  [3, 'long wait'],
  [4, 'pay'],
  [2, 'send again'],
  [6, 'refund'],
  [1, 'hang up'],
  [1, 'kill'],
  [1, 'set clock back'],
] as const;

type Step = (typeof STEPS)[number][1];

const steps = oneof(...STEPS.map(([weight, step]) => ({ weight, arbitrary: constant<Step>(step) })));

/** Two replicas with one store, one rollup, one receiver, and one scheduler for everything they wait for. */
class World {
  readonly processes: FaultyProcesses;
  readonly ledger: ScriptedLedger;
  readonly signed: Signed[] = [];
  /** Outcomes that clients received, by id of the payment. */
  readonly told: { readonly id: string; readonly state: Payment['state'] }[] = [];
  /** The events that the receiver got, and whether it accepted them. */
  readonly got: { readonly id: string; readonly body: string; readonly isAccepted: boolean }[] = [];
  /** Codes of rejected calls. */
  readonly refusals: string[] = [];
  /** Errors that no caller should get. */
  readonly faults: unknown[] = [];
  readonly #draw: Draw;
  readonly #tables = new MemoryTables();
  readonly #hangUps: AbortController[] = [];
  readonly #replicas: Replica[];
  readonly #startMs: number;

  private constructor(scheduler: Scheduler, draw: Draw) {
    this.#draw = draw;
    this.processes = new FaultyProcesses(scheduler, draw);
    this.ledger = new ScriptedLedger('rollup', draw, () => this.processes.nowMs, readWire);
    this.#startMs = this.processes.clock.now();
    this.#replicas = [this.#start(), this.#start()];
  }

  static async open(scheduler: Scheduler, draw: Draw): Promise<World> {
    const world = new World(scheduler, draw);
    await world.#merchants.create(MERCHANT_RECORD);
    for (const id of ORDERS) await world.#orders.create(orderOf(id, world.#startMs));
    // One order has a payment before anything fails, so that there is time for refunds.
    world.#pay('one', undefined);
    await world.calmDown();
    world.ledger.isHonest = false;
    world.processes.isCalm = false;
    return world;
  }

  get #merchants(): RecordStore<Merchant> {
    return new TableRecordStore(this.#tables, 'merchants');
  }

  get #orders(): RecordStore<Order> {
    return new TableRecordStore(this.#tables, 'orders');
  }

  async take(step: Step): Promise<void> {
    const { processes } = this;
    if (step === 'run') await processes.run();
    else if (step === 'wait') processes.pass(this.#draw(1_200));
    else if (step === 'long wait') processes.pass(5_000);
    else if (step === 'pay') this.#pay(processes.pick(ORDERS), undefined);
    else if (step === 'send again') this.#payAgain();
    else if (step === 'refund') this.#refundTwice(processes.pick(ORDERS));
    else if (step === 'hang up') this.#hangUps.pop()?.abort();
    else if (step === 'kill') this.#kill(this.#draw(2));
    else processes.setClockBack(60_000);
  }

  /** Makes the ledger and the receiver honest until all payments are final and all events have arrived. */
  async calmDown(): Promise<readonly Payment[]> {
    this.ledger.isHonest = true;
    this.processes.isCalm = true;
    for (let look = 0; look < 600; look += 1) {
      await this.processes.waitIdle();
      const payments = this.payments;
      const isPending = payments.some(({ state }) => state === 'signed');
      if (!isPending && payments.every(({ delivery }) => delivery?.state === 'delivered')) return payments;
      // After some failed attempts, the next one is due in hours.
      this.processes.pass(isPending ? 1_000 : 60_000);
    }
    throw new Error('a payment stays pending, or an event is not sent');
  }

  get payments(): readonly Payment[] {
    return this.#tables
      .open<Payment>('payments')
      .entries()
      .map(([, payment]) => payment);
  }

  #start(): Replica {
    const { processes } = this;
    const { clock } = processes;
    const life: Life = { isOver: false };
    const timer = processes.timerOf(life);
    const payments = processes.through<PaymentStore>(life, new TablePaymentStore(this.#tables, clock), true);
    const orders = processes.through(life, this.#orders, true);
    const chain = new MapChain();
    chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
    chain.rollup = processes.through(life, new Rollup(this.ledger, this.#draw), false);
    const clusters = new Clusters([chain]);
    const follower = new PaymentFollower({
      payments,
      ledgerOf: () => chain.rollup as Rollup,
      clock,
      timer,
      logger: silentLogger,
    });
    const sender = new TransferSender(follower, clock);
    const parts = { orders, follower, sender, clusters, clock };
    const links = new TableRecordStore<never>(this.#tables, 'links');
    const checkout = new Checkout({ ...parts, links, mints: [], secret: SECRET });
    const random = { bytes: (count: number) => new Uint8Array(count).fill(this.#draw(256)) };
    const webhooks = new WebhookSender({
      payments,
      checkout,
      merchants: new Merchants({
        store: processes.through(life, this.#merchants, true),
        secret: SECRET,
        allowed: [],
        webhookOrigins: [SHOP],
        clock,
        random,
      }),
      fetch: this.#fetchOf(life),
      clock,
      timer,
      random,
      logger: silentLogger,
    });
    follower.start();
    webhooks.start();
    return Object.assign(life, { checkout, refunds: new Refunds(parts) });
  }

  /** The receiver: it accepts, rejects, never answers, or answers after the sender has ended. */
  #fetchOf(life: Life): typeof globalThis.fetch {
    return async (_, { headers, body, signal } = {}) => {
      await this.processes.deliver(life, false);
      const behavior = this.processes.isCalm ? 0 : this.#draw(6);
      const isAccepted = behavior < 4;
      const { 'webhook-id': id = '' } = headers as Record<string, string>;
      this.got.push({ id, body: String(body), isAccepted });
      if (behavior === 5) {
        await new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      }
      await this.processes.deliver(life, false);
      return new Response(null, { status: isAccepted ? 204 : 500 });
    };
  }

  /** Pays an order with a transaction that was signed before, or with a new one. */
  #pay(order: string, known: Signed | undefined): void {
    const signed = known ?? this.#sign({ from: PAYER, to: MERCHANT }, PRICE, `payment:${order}`, order);
    this.#ask(async ({ checkout }, gone) => {
      const found = await checkout.find(order);
      return found && (await checkout.settle(found, signed.text, gone));
    });
  }

  #payAgain(): void {
    const [known] = this.signed.filter(({ subject }) => ORDERS.includes(subject)).slice(-1 - this.#draw(3));
    if (known !== undefined) this.#pay(known.subject, known);
  }

  /** Two concurrent refunds may together exceed the price. */
  #refundTwice(order: string): void {
    for (let count = 0; count < 2; count += 1) this.#refund(order, this.processes.pick(REFUNDS));
  }

  /** Creates or finds a refund of at least a third of the price, and signs and sends it. */
  #refund(order: string, reference: string): void {
    const amount = (PRICE * BigInt(1 + this.#draw(3))) / 3n;
    this.#ask(async ({ checkout, refunds }, gone) => {
      const refund = await refunds.create(order, reference, String(amount));
      const found = await checkout.find(order);
      if (found === undefined) return undefined;
      const way = { from: MERCHANT, to: PAYER };
      const { text } = this.#sign(way, amount, `refund:${refund.id}`, `${order} ${reference}`);
      return (await refunds.settle(found.order, refund.id, text, gone)).payment;
    });
  }

  /** Signs the transfer that the service would build on the newest blockhash. */
  #sign({ from, to }: Way, amount: bigint, memo: string, subject: string): Signed {
    const ataOf = ({ address }: Keypair) => deriveAta(address, USDC_MINT, TOKEN_PROGRAM).address;
    const authority = from.address;
    const accounts = { source: ataOf(from), mint: USDC_MINT, destination: ataOf(to), authority };
    const message = compileLegacyMessage({
      feePayer: authority,
      blockhash: blockhashAt(this.ledger.height),
      instructions: [transferChecked(TOKEN_PROGRAM, accounts, amount, 6), addMemo(memo)],
    });
    const transaction = signTransaction(message, [from]);
    const { signature } = readWire(transaction.wire);
    const text = Buffer.from(transaction.wire).toString('base64');
    const signed = { id: paymentIdOf(transaction), subject, amount, signature, text };
    this.signed.push(signed);
    return signed;
  }

  #ask(ask: (replica: Replica, gone: AbortSignal) => Promise<Payment | undefined>): void {
    const hangUp = new AbortController();
    this.#hangUps.push(hangUp);
    ask(this.processes.pick(this.#replicas), hangUp.signal).then(
      (payment) => {
        if (payment !== undefined) this.told.push(payment);
      },
      (error: unknown) => {
        if (isServiceError(error)) this.refusals.push(error.code);
        else if ((error as Error).message !== STORE_IS_GONE) this.faults.push(error);
      },
    );
  }

  #kill(at: number): void {
    const replica = this.#replicas[at];
    if (replica !== undefined) replica.isOver = true;
    this.#replicas[at] = this.#start();
  }
}

interface Way {
  readonly from: Keypair;
  readonly to: Keypair;
}

/** The scripted ledger as the rollup of a cluster. A simulation may wrongly fail. */
class Rollup extends MapRollup {
  readonly #ledger: ScriptedLedger;
  readonly #draw: Draw;

  constructor(ledger: ScriptedLedger, draw: Draw) {
    super();
    this.#ledger = ledger;
    this.#draw = draw;
  }

  override blockHeight = (): Promise<number> => this.#ledger.blockHeight();
  override sendTransaction = (wire: Uint8Array): Promise<string> => this.#ledger.sendTransaction(wire);
  // A map of accounts has no statuses, so its type is only null.
  override signatureStatus = ((signature: string) =>
    this.#ledger.signatureStatus(signature)) as MapRollup['signatureStatus'];

  async lastHeightOf(blockhash: string): Promise<number | null> {
    const lastHeight = heightOf(decodeBase58(blockhash)) + BLOCKHASH_BLOCKS;
    return (await this.#ledger.blockHeight()) <= lastHeight ? lastHeight : null;
  }

  override simulateTransaction(): ReturnType<MapRollup['simulateTransaction']> {
    const err = this.#draw(8) === 0 ? 'AccountNotFound' : null;
    return Promise.resolve({ err, logs: [], computeUnits: null, accounts: null });
  }
}

/** A blockhash encodes its height. */
const blockhashAt = (height: number): Uint8Array =>
  new Uint8Array(32).fill(9).map((byte, at) => u64(BigInt(height))[at] ?? byte);

const heightOf = (blockhash: Uint8Array): number => Number(Buffer.from(blockhash).readBigUInt64LE());

function readWire(wire: Uint8Array) {
  const { signatures, blockhashAt: at } = decodeTransaction(wire);
  return {
    signature: encodeBase58(signatures[0] as Uint8Array),
    lastValidHeight: heightOf(wire.subarray(at, at + 32)) + BLOCKHASH_BLOCKS,
  };
}

const MERCHANT_RECORD: Merchant = {
  id: MERCHANT.address,
  owner: MERCHANT.address,
  version: 0,
  createdMs: 0,
  untilMs: null,
  keyHash: '',
  usedChallenge: '',
  webhookUrl: `${SHOP}/events`,
};

const orderOf = (id: string, createdMs: number): Order => ({
  id,
  owner: MERCHANT.address,
  version: 0,
  createdMs,
  untilMs: null,
  payer: PAYER.address,
  amount: String(PRICE),
  mint: USDC_MINT,
  decimals: 6,
  cluster: 'localnet',
  externalReference: id,
  description: null,
  resource: SHOP,
  requestHash: null,
  expiresMs: createdMs + ORDER_MS,
  inputHash: '',
  linkId: null,
  refunds: [],
});

/**
 * Walks, calms down, and compares everything with the ledger. If it fails, fast-check prints the seed and the
 * path of the walk: `assert` repeats it with both.
 */
async function walk(scheduler: Scheduler, taken: readonly Step[], seed: number): Promise<World> {
  const world = await World.open(scheduler, drawFrom(seed));
  for (const step of taken) await world.take(step);
  const early = world.payments;
  const payments = await world.calmDown();
  // Everything that can land has landed.
  world.processes.pass(3_600_000);
  const { ledger, signed } = world;
  expect(world.faults).toEqual([]);
  expect(world.refusals, 'a refund that was created').not.toContain('REFUND_NOT_FOUND');
  for (const { id, state, signature } of payments) {
    const outcome = ledger.outcomeOf(signature);
    expect(state, id).toBe(outcome === null ? 'expired' : outcome.err === null ? 'settled' : 'failed');
  }
  const stateOf = new Map(payments.map(({ id, state }) => [id, state]));
  for (const { id, state } of [...early, ...world.told])
    if (state !== 'signed') expect(stateOf.get(id), 'a final state').toBe(state);
  const stored = new Set(payments.map(({ signature }) => signature));
  for (const signature of ledger.received.values()) expect(stored.has(signature), 'stored first').toBe(true);
  const landed = signed.filter(({ signature }) => ledger.outcomeOf(signature) !== null);
  // A refund may have been signed twice on one blockhash, which is the same transaction.
  const ids = new Map(landed.map((each) => [each.id, each]));
  const subjects = [...ids.values()].map(({ subject }) => subject);
  expect(new Set(subjects).size, 'transactions that landed of one order or refund').toBe(subjects.length);
  for (const order of ORDERS) {
    const refunded = [...ids.values()]
      .filter(({ id, subject }) => subject.startsWith(`${order} `) && stateOf.get(id) === 'settled')
      .reduce((sum, { amount }) => sum + amount, 0n);
    const isPaid = payments.some(
      ({ identifier, state }) => identifier === `order:${order}` && state === 'settled',
    );
    expect(refunded <= (isPaid ? PRICE : 0n), 'refunds').toBe(true);
  }
  const accepted = new Set(world.got.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
  expect(accepted, 'events').toEqual(new Set(payments.map(eventIdOf)));
  const bodies = new Set(world.got.map(({ id, body }) => `${id} ${body}`));
  expect(bodies.size, 'bodies').toBe(new Set(world.got.map(({ id }) => id)).size);
  return world;
}

const walks = [
  schedulers(),
  array(steps, { minLength: 30, maxLength: 300, size: 'max' }),
  integer(),
] as const;

it(
  'lets one payment for each order and refund land, returns no more than was paid, and sends every event',
  { timeout: 300_000 },
  async () => {
    const kinds = new Set<string>();
    let repeated = 0;
    await assert(
      asyncProperty(...walks, async (scheduler, taken, seed) => {
        const { payments, refusals, got } = await walk(scheduler, taken, seed);
        for (const { state, order } of payments)
          kinds.add(`${order?.refundId === null ? 'payment' : 'refund'} ${state}`);
        for (const code of refusals) kinds.add(code);
        repeated += got.length - payments.length;
      }),
      { numRuns: RUNS, seed: 1_234 },
    );
    // The walks would prove nothing without these.
    for (const state of ['settled', 'failed', 'expired'])
      for (const subject of ['payment', 'refund']) expect(kinds).toContain(`${subject} ${state}`);
    expect(kinds).toContain('PAYMENT_TRANSACTION_CONFLICT');
    expect(kinds).toContain('REFUND_TOO_LARGE');
    expect(kinds).toContain('PAYMENT_EXPIRED');
    expect(repeated).toBeGreaterThan(0);
  },
);

it('walks with the same seed are identical', { timeout: 300_000 }, async () => {
  const tracesOf = async (): Promise<readonly string[]> => {
    const traces: string[] = [];
    const property = asyncProperty(...walks, async (scheduler, taken, seed) => {
      const { payments, got, told, refusals } = await walk(scheduler, taken, seed);
      traces.push(JSON.stringify([payments.map(({ id, state }) => [id, state]), got, told.length, refusals]));
    });
    await assert(property, { numRuns: 3, seed: 4_321 });
    return traces;
  };
  expect(await tracesOf()).toEqual(await tracesOf());
});
