import { eventIdOf } from '../../src/checkout/events.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { signBuilt } from '../../src/rollup/testing/payment-scene.ts';
import { paymentIdOf } from '../../src/settlement/payment-id.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { freePort } from '../../src/state/testing/server-process.ts';
import type { Replica } from '../replicas/replica.ts';
import { callLedger } from '../stack-process.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { Receiver } from './receiver.ts';
import { addRefund, ask, type Manner, newSale, type Sale, Shop, type Transfer } from './shop.ts';

const LAMPORTS = 1_000_000_000;

/** Base units of USDC that each wallet deposits. */
const FUNDS = 1_000_000_000n;

/** Maximum price of an order, in base units. */
const PRICE_MAX = 100_000;

const ORDERS_AT_ONCE = 4;
const REFUNDED_AT_ONCE = 2;

/** A process is killed at a random response among this many of a round. */
const ANSWERS = 24;

/** In one of this many rounds, a process is killed at the first event, before the receiver answers. */
const EVENT_ROUNDS = 3;

/** One of this many clients never returns after the kill. */
const LEAVING_SHARE = 4;

const MANNERS: readonly Manner[] = ['once', 'once', 'twice', 'two transactions'];

/** Maximum signatures per status request (Agave MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS). */
const STATUSES_MAX = 256;

/** Where the rounds run. */
interface Place {
  readonly folder: string;
  /** PostgreSQL database of two replicas. Default: one process with a data folder and its own ledgers. */
  readonly stateUrl?: string;
}

/**
 * Kills services `rounds` times while a merchant receives payments and refunds them. Then compares their
 * responses with the ledger and with the merchant's events. The lists contain the mismatches.
 */
export async function runCheckoutKills(rounds: number, seed: string, { folder, stateUrl }: Place) {
  const random = new SeededRandom(seed);
  const receiverPort = await freePort();
  const origin = `http://127.0.0.1:${receiverPort}`;
  const secret = Buffer.from(random.bytes(32)).toString('hex');
  const env = { CHECKOUT_SECRET: secret, WEBHOOK_ORIGINS: origin, LOG_LEVEL: 'warn' };
  const fleet = await startFleet({ folder, stateUrl, env });
  const kills = new Rounds(fleet, random);
  try {
    await kills.open(receiverPort, `${origin}/events`);
    for (let round = 0; round < rounds; round += 1) await kills.run(round);
    return await kills.judge();
  } finally {
    await fleet.stop();
    await kills.close();
  }
}

/** When a process can be killed: at a response to a client, or when an event arrives at the merchant. */
type Moment = 'answer' | 'event';

class Rounds {
  readonly #fleet: Fleet;
  readonly #random: SeededRandom;
  readonly #receiver: Receiver;
  readonly #merchant: Keypair;
  readonly #buyer: Keypair;
  readonly #shop: Shop;
  readonly #sales: Sale[] = [];
  /** Payments and refunds whose signer never returned after the kill. */
  readonly #left: Transfer[] = [];
  readonly #counts = { rounds: 0, openAtKill: 0 };
  #onMoment = (_moment: Moment): void => undefined;

  constructor(fleet: Fleet, random: SeededRandom) {
    this.#fleet = fleet;
    this.#random = random;
    [this.#merchant, this.#buyer] = [new Keypair(random.bytes(32)), new Keypair(random.bytes(32))];
    this.#receiver = new Receiver(random, () => this.#onMoment('event'));
    this.#shop = new Shop({
      urls: fleet.urls,
      merchant: this.#merchant,
      buyer: this.#buyer,
      random,
      onAnswer: () => this.#onMoment('answer'),
    });
  }

  /** Funds both wallets, and registers the merchant. */
  async open(port: number, webhookUrl: string): Promise<void> {
    await this.#receiver.listen(port);
    for (const wallet of [this.#merchant, this.#buyer]) await fund(this.#fleet, wallet);
    this.#receiver.secret = await this.#shop.register(webhookUrl);
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  /** Pays and refunds orders, kills a process meanwhile, restarts it, and lets most clients return. */
  async run(round: number): Promise<void> {
    const random = this.#random;
    const paid = this.#sales.filter(({ isToldPaid }) => isToldPaid);
    const sales = Array.from({ length: ORDERS_AT_ONCE }, (_, at) =>
      newSale(`order ${round} ${at}`, BigInt(1 + random.integer(PRICE_MAX))),
    );
    const refunds = Array.from({ length: Math.min(paid.length, REFUNDED_AT_ONCE) }, () => {
      const sale = paid[random.integer(paid.length)] as Sale;
      return { sale, refund: addRefund(sale, BigInt(1 + random.integer(Number(sale.amount)))) };
    });
    this.#sales.push(...sales);
    const victim = this.#fleet.replicas[round % this.#fleet.replicas.length] as Replica;
    const isEventRound = round % EVENT_ROUNDS === 1;
    const killed = isEventRound
      ? this.#killAt(victim, 'event', 1)
      : this.#killAt(victim, 'answer', 1 + random.integer(ANSWERS));
    // A call rejects if the kill interrupts it.
    const ignore = (): undefined => undefined;
    await Promise.all([
      ...sales.map((sale) => this.#shop.pay(sale, pick(MANNERS, random)).catch(ignore)),
      ...refunds.map(({ sale, refund }) => this.#shop.refund(sale, refund).catch(ignore)),
    ]);
    // There are fewer answers if clients have nothing more to do. An event always follows.
    if (!isEventRound) killed.now();
    await killed.done;
    await victim.start();
    this.#counts.rounds += 1;
    const returns = (transfer: Transfer): boolean => {
      const isOpen = transfer.signed.size > 0 && !transfer.isToldPaid;
      if (isOpen) this.#counts.openAtKill += 1;
      if (random.integer(LEAVING_SHARE) > 0) return true;
      if (isOpen) this.#left.push(transfer);
      return false;
    };
    await Promise.all([
      ...sales.filter(returns).map((sale) => this.#shop.payToTheEnd(sale)),
      ...refunds
        .filter(({ refund }) => returns(refund))
        .map(({ sale, refund }) => this.#shop.refundToTheEnd(sale, refund)),
    ]);
  }

  /** Waits for all outcomes and all events, and compares them with the ledger. */
  async judge() {
    for (const sale of this.#sales) await this.#shop.untilOver(sale);
    const refunds = this.#sales.flatMap((sale) => sale.refunds);
    const transfers = [...this.#sales, ...refunds];
    const landed = await this.#landed(transfers);
    const landedOf = ({ signed }: Transfer) => [...signed].filter((each) => landed.has(each));
    const isLanded = (transfer: Transfer): boolean => landedOf(transfer).length > 0;
    const sum = (some: readonly Transfer[]): bigint =>
      some.filter(isLanded).reduce((total, { amount }) => total + amount, 0n);
    const name = ({ reference, status }: Transfer): string => `${reference} (${status})`;
    const moved = sum(this.#sales) - sum(refunds);
    return {
      ...this.#counts,
      orders: this.#sales.length,
      paid: this.#sales.filter(isLanded).length,
      refunds: refunds.length,
      refunded: refunds.filter(isLanded).length,
      refusedRefunds: refunds.filter(({ status }) => status === 'refused').length,
      paidWithoutClient: this.#left.filter(isLanded).length,
      ...this.#judgeEvents(transfers, landed),
      lost: transfers
        .filter((each) => isLanded(each) !== (each.status === 'paid') || (each.isToldPaid && !isLanded(each)))
        .map(name),
      doubled: transfers.filter((each) => landedOf(each).length > 1).map(name),
      refundedTooMuch: this.#sales.filter((sale) => sum(sale.refunds) > sale.amount).map(name),
      merchantSurplus: (await balanceOf(this.#fleet, this.#merchant)) - FUNDS - moved,
      buyerSurplus: (await balanceOf(this.#fleet, this.#buyer)) - FUNDS + moved,
    };
  }

  /** Compares the events with the transactions: each has one id, which follows from the message. */
  #judgeEvents(transfers: readonly Transfer[], landed: ReadonlySet<string>) {
    const { deliveries, refused } = this.#receiver;
    const ids = new Set(deliveries.map(({ id }) => id));
    const expected = new Map(
      transfers.flatMap(({ signed }) => [...signed].map((each) => [eventIdOf({ id: idOf(each) }), each])),
    );
    const isTrue = ({ id, body, isSigned }: (typeof deliveries)[number]): boolean => {
      const { type } = JSON.parse(body) as { readonly type: string };
      const transaction = expected.get(id);
      if (transaction === undefined || !isSigned) return false;
      return landed.has(transaction) ? type.endsWith('.paid') : type.endsWith('.expired');
    };
    const bodies = new Set(deliveries.map(({ id, body }) => `${id} ${body}`));
    return {
      events: ids.size,
      attempts: deliveries.length,
      refusedAttempts: refused.size,
      repeatedAttempts: deliveries.length - ids.size - refused.size,
      missingEvents: [...expected].filter(([id, each]) => landed.has(each) && !ids.has(id)).map(([id]) => id),
      wrongEvents: deliveries.filter((each) => !isTrue(each)).map(({ id }) => id),
      eventsWithTwoBodies: bodies.size - ids.size,
    };
  }

  /** Returns the signed transactions that landed and succeeded. */
  async #landed(transfers: readonly Transfer[]): Promise<ReadonlySet<string>> {
    const all = transfers.flatMap(({ signed }) => [...signed]);
    const landed = new Set<string>();
    for (let at = 0; at < all.length; at += STATUSES_MAX) {
      const asked = all.slice(at, at + STATUSES_MAX);
      const { value } = await callLedger<{ value: ({ readonly err: unknown } | null)[] }>(
        this.#fleet.rollupUrl,
        'getSignatureStatuses',
        [asked.map(signatureOf), { searchTransactionHistory: true }],
      );
      for (const [index, each] of asked.entries()) if (value[index]?.err === null) landed.add(each);
    }
    return landed;
  }

  /** Kills a process at the moment with this number, or as soon as `now` is called. */
  #killAt(victim: Replica, moment: Moment, count: number): { now(): void; readonly done: Promise<void> } {
    let left = count;
    let now = (): void => undefined;
    const done = new Promise<void>((resolve, reject) => {
      now = () => {
        now = this.#onMoment = () => undefined;
        victim.kill().then(resolve, reject);
      };
    });
    this.#onMoment = (each) => {
      if (each === moment) left -= 1;
      if (left === 0) now();
    };
    return { now: () => now(), done };
  }
}

const pick = <T>(items: readonly T[], random: SeededRandom): T => items[random.integer(items.length)] as T;

const decode = (transaction: string) => decodeTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
const idOf = (transaction: string): string => paymentIdOf(decode(transaction));
const signatureOf = (transaction: string): string =>
  encodeBase58(decode(transaction).signatures[0] as Uint8Array);

/** Gives a wallet SOL and USDC, and deposits all of the USDC. */
async function fund({ localnetUrl, ledgerUrl }: Fleet, wallet: Keypair): Promise<void> {
  const owner = wallet.address;
  await callLedger(ledgerUrl, 'requestAirdrop', [owner, LAMPORTS]);
  await callLedger(ledgerUrl, 'requestTokenAirdrop', [owner, USDC_MINT, Number(FUNDS)]);
  const deposit = { owner, amount: String(FUNDS), private: true, initVaultIfMissing: true };
  const built = await ask(`${localnetUrl}/v1/spl/deposit`, deposit);
  const transactionBase64 = signBuilt(wallet, String(built['transactionBase64']));
  const { sendTo, recentBlockhash, lastValidBlockHeight } = built;
  const sent = { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight, confirm: true };
  const { outcome } = await ask(`${localnetUrl}/v1/transaction/send`, sent);
  if (outcome !== 'confirmed') throw new Error(`the deposit was ${String(outcome)}`);
}

/** Returns the private balance of a wallet, in base units of USDC. */
async function balanceOf({ localnetUrl }: Fleet, wallet: Keypair): Promise<bigint> {
  const spl = `${localnetUrl}/v1/spl`;
  const pubkey = wallet.address;
  const { challenge } = await ask(`${spl}/challenge?pubkey=${pubkey}`, undefined);
  const signature = encodeBase58(wallet.sign(Buffer.from(String(challenge))));
  const { token } = await ask(`${spl}/login`, { pubkey, challenge, signature });
  const place = `address=${pubkey}&mint=${USDC_MINT}`;
  const as = { authorization: `Bearer ${String(token)}` };
  return BigInt(String((await ask(`${spl}/private-balance?${place}`, undefined, as))['balance']));
}
