import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '../../src/ledger/keypair.ts';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { signMissing } from '../../src/wallets/sign-missing.ts';
import { callLedger } from '../stack-process.ts';
import { type Answer, ask } from './ask.ts';
import type { KeyedSeen, Seen } from './checks.ts';
import type { Network } from './network.ts';

/** Loopback addresses that clients connect from. The proxy reports them to the replicas. */
const clients = (count: number, network: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.0.${network}.${at + 1}`);
const BUILDERS = clients(4, 1);
const KEYED = clients(16, 2);
const PAYERS = clients(3, 3);
const FLOOD = '127.0.4.1';

/** Pauses between the requests of a client, ms. All clients except the flood stay below the limit. */
const PAUSE_MS = { builder: 100, keyed: 100, retry: 500, payer: 500, flood: 20 };

/** Keys in use at the same time. Each stays in use until its lease ends if its replica is killed. */
const KEY_USERS = 8;
/** Requests with the same key at the same time. */
const AT_ONCE = 3;
/** Part of the keys that are used again later: one of this number. */
const LATER = 3;
/** Concurrent requests of the client that exceeds the limit. */
const FLOOD_CONNECTIONS = 8;

const AMOUNT_MAX = 1_000_000;
/** Minimum amount of a gasless transfer, in base units, so that it covers the fee. */
const GASLESS_AMOUNT = 1_000_000;

interface PlainSeen extends Seen {
  /** The phase of the run in which it was sent. */
  readonly phase: string;
  readonly text: string;
}

/** The address of a client, and the Idempotency-Key of its request. */
interface From {
  readonly client: string;
  readonly key?: string;
}

/** All requests and responses of the clients. */
export class Load {
  readonly builders: PlainSeen[] = [];
  readonly keyed: KeyedSeen[] = [];
  readonly flood: PlainSeen[] = [];
  /** The sponsor's signatures of gasless transactions, in base64. */
  readonly signed = new Set<string>();
  /** Gasless transfers that the budget did not allow. */
  overBudget = 0;
  /** Signed transactions that the ledger did not accept. */
  unlanded = 0;
  phase = '';
  readonly #url: string;
  readonly #network: Network;
  readonly #random: SeededRandom;
  readonly #agent = new Agent({ keepAlive: true });
  #isOver = false;
  #clients: Promise<void>[] = [];
  /** Number that makes each transfer unique. */
  #transfers = 0;

  constructor(url: string, network: Network, random: SeededRandom) {
    this.#url = url;
    this.#network = network;
    this.#random = random;
  }

  /** Starts all clients. */
  start(): void {
    this.#clients = [
      ...BUILDERS.map((client) => this.#repeat(PAUSE_MS.builder, () => this.#build(client))),
      ...Array.from({ length: KEY_USERS }, () => this.#repeat(PAUSE_MS.keyed, () => this.#useKey())),
      ...PAYERS.map((client, at) => this.#repeat(PAUSE_MS.payer, () => this.#pay(client, at))),
      ...Array.from({ length: FLOOD_CONNECTIONS }, () => this.#repeat(PAUSE_MS.flood, () => this.#exceed())),
    ];
  }

  /** Stops all clients after their current requests. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #repeat(pauseMs: number, act: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await act();
      await sleep(pauseMs);
    }
  }

  /** Sends one request. A failed connection has status 0 and the error's code as its text. */
  async #ask(operation: string, body: object, { client, key }: From) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const { phase } = this;
    const sentMs = performance.now();
    const failed = (error: NodeJS.ErrnoException): Answer => ({
      status: 0,
      headers: {},
      text: error.code ?? error.message,
    });
    const url = `${this.#url}/v1/spl/${operation}`;
    const answer = await ask(url, body, { headers, from: client, agent: this.#agent }).catch(failed);
    const retryAfter = answer.headers['retry-after'];
    return { phase, sentMs, endMs: performance.now(), ...answer, hasRetryAfter: retryAfter !== undefined };
  }

  #deposit(amount = 1 + this.#random.integer(AMOUNT_MAX)) {
    const { wallets } = this.#network;
    const { address } = wallets[this.#random.integer(wallets.length)] as Keypair;
    return { owner: address, mint: USDC_MINT, amount };
  }

  async #build(client: string): Promise<void> {
    this.builders.push(await this.#ask('deposit', this.#deposit(), { client }));
  }

  /** Sends a new key several times at once until it is answered, and then with another body, now and later. */
  async #useKey(): Promise<void> {
    const key = Buffer.from(this.#random.bytes(16)).toString('hex');
    const body = this.#deposit();
    const other = { ...body, amount: body.amount + 1 };
    const send = async (sent: object, isOther: boolean): Promise<number> => {
      const client = KEYED[this.#random.integer(KEYED.length)] as string;
      const seen = await this.#ask('deposit', sent, { client, key });
      this.keyed.push({ ...seen, key, isOther });
      return seen.status;
    };
    for (;;) {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => send(body, false)));
      if (statuses.includes(200)) break;
      if (this.#isOver) return;
      await sleep(PAUSE_MS.retry);
    }
    await Promise.all([send(body, false), send(other, true)]);
    if (this.#random.integer(LATER) !== 0) return;
    const laterMs = this.#random.integer(20_000);
    this.#clients.push(
      sleep(laterMs).then(async () => {
        if (!this.#isOver) await Promise.all([send(body, false), send(other, true)]);
      }),
    );
  }

  async #exceed(): Promise<void> {
    this.flood.push(await this.#ask('deposit', this.#deposit(), { client: FLOOD }));
  }

  /** Requests a gasless transfer, signs it and sends it to the ledger. */
  async #pay(client: string, at: number): Promise<void> {
    const { wallets, ledgerUrl } = this.#network;
    const [from, to] = [wallets[at] as Keypair, wallets[at + 1] as Keypair];
    this.#transfers += 1;
    const amount = GASLESS_AMOUNT + this.#transfers;
    const parties = { from: from.address, to: to.address, mint: USDC_MINT, amount };
    const { status, text } = await this.#ask(
      'transfer',
      { ...parties, visibility: 'public', gasless: true },
      { client },
    );
    const answer = (status === 0 ? {} : parse(text)) as { code?: string; transactionBase64?: string };
    if (answer.code === 'SPONSOR_UNAVAILABLE' && text.includes('hourly limit')) this.overBudget += 1;
    if (answer.transactionBase64 === undefined) return;
    const built = decodeTransaction(new Uint8Array(Buffer.from(answer.transactionBase64, 'base64')));
    // The sponsor pays the fee, so its signature is the first.
    this.signed.add(Buffer.from(built.signatures[0] ?? []).toString('base64'));
    const { wire } = signMissing(built, () => from);
    const sent = callLedger(ledgerUrl, 'sendTransaction', [
      Buffer.from(wire).toString('base64'),
      { encoding: 'base64' },
    ]);
    await sent.catch(() => (this.unlanded += 1));
  }
}

function parse(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    // The proxy answers with HTML if no replica is available.
    return {};
  }
}
