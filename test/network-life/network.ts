import { setTimeout as sleep } from 'node:timers/promises';
import { createSolanaRpc, lamports, type Address } from '@solana/kit';
import { mintTo, sendInstructions } from './mint.ts';
import { Person, Refused, type Built } from './person.ts';
import { checkEqual, note } from './report.ts';
import { callLedger } from '../stack-process.ts';
import type { NetworkStack } from './stack.ts';

/** A mint with the facts that are needed to distribute it and to find its accounts. */
export interface NetworkMint {
  readonly name: string;
  readonly address: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
}

/** The balances of a person for a mint, in base units. */
export interface Held {
  readonly base: bigint;
  readonly rollup: bigint;
}

type Place = keyof Held;

const BALANCE_TOOLS = { base: 'spl.getBalance', rollup: 'spl.getPrivateBalance' } as const;

/** Initial lamports of every wallet of {@link Network.person}. */
export const WALLET_LAMPORTS = lamports(5_000_000_000n);

/** Timeout of an arrival, in ms. */
const ARRIVAL_MS_MAX = 30_000;

/** Error codes for an account that the rollup does not have yet. */
const NOT_YET = new Set(['ACCOUNT_UNREADABLE', 'EATA_SETTLING']);

/** The time of a crash. */
export interface Crash {
  /** Number of the transaction during or after which it happens, from 1. */
  readonly at: number;
  /** Delay after that transaction was sent, in ms. */
  readonly delayMs: number;
}

/** A ledger of layout B with its rollup and its persons, for the scenarios. */
export class Network {
  readonly #stack: NetworkStack;
  readonly #people: Person[] = [];
  readonly #mintAuthority: Person;
  readonly #fees = new Map<Address, bigint>();
  readonly #expected = new Map<string, readonly [Person, NetworkMint, Held]>();
  /** Transactions sent so far. */
  sent = 0;
  crash: Crash | null = null;

  private constructor(stack: NetworkStack, mintAuthority: Person) {
    this.#stack = stack;
    this.#mintAuthority = mintAuthority;
  }

  /** Address of the sponsor of gasless payments. */
  get sponsor(): string {
    return this.#stack.sponsor;
  }

  static async open(stack: NetworkStack): Promise<Network> {
    const network = new Network(stack, await Person.create('Operator', stack));
    network.#people.push(network.#mintAuthority);
    await network.airdrop(network.#mintAuthority.address, 100_000_000_000n);
    return network;
  }

  /** Creates the mints and can freeze their accounts. */
  get operator(): Person {
    return this.#mintAuthority;
  }

  /** Whether the rollup is another program; see {@link NetworkStack.isExternal}. */
  get isExternal(): boolean {
    return this.#stack.isExternal;
  }

  get ledgerUrl(): string {
    return this.#stack.ledgerUrl;
  }

  /** Fees that have stayed in the vault of a mint, in base units. */
  feesIn(mint: NetworkMint): bigint {
    return this.#fees.get(mint.address) ?? 0n;
  }

  /** Returns the last known balances of a mint. */
  holdersOf(mint: NetworkMint): readonly (readonly [Person, Held])[] {
    return [...this.#expected.values()]
      .filter(([, of]) => of.address === mint.address)
      .map(([person, , held]) => [person, held]);
  }

  /** Creates a wallet with SOL and optionally `amount` base units of `mint` on base. */
  async person(name: string, mint?: NetworkMint, amount = 0n): Promise<Person> {
    const person = await this.pauper(name);
    await this.airdrop(person.address, WALLET_LAMPORTS);
    if (mint !== undefined && amount > 0n) await this.fund(person.address, mint, amount);
    return person;
  }

  /** Creates a wallet without any lamports or tokens. */
  async pauper(name: string): Promise<Person> {
    const person = await Person.create(name, this.#stack);
    this.#people.push(person);
    return person;
  }

  /** Gives a wallet base units of a mint on base. */
  async fund(to: string, mint: NetworkMint, amount: bigint): Promise<void> {
    if (mint.name === 'USDC') {
      await callLedger(this.ledgerUrl, 'requestTokenAirdrop', [to, mint.address, amount.toString()]);
      return;
    }
    const { address, tokenProgram } = mint;
    const terms = { mint: address, owner: to as Address, amount, tokenProgram };
    await sendInstructions(this.ledgerUrl, this.operator.wallet, await mintTo(this.operator.wallet, terms));
  }

  async airdrop(to: string, amount: bigint): Promise<void> {
    await createSolanaRpc(this.ledgerUrl)
      .requestAirdrop(to as Address, lamports(amount))
      .send();
  }

  /** Builds, signs and sends a transaction. Returns the built one. */
  async do(person: Person, tool: string, args: object): Promise<Built> {
    const built = await person.call<Built>(tool, args);
    await this.send(person, built);
    return built;
  }

  /**
   * Signs and sends a built transaction. If a crash is due, kills the stack during or after it, then sends
   * the same bytes again, which must not execute twice.
   */
  async send(person: Person, built: Built): Promise<void> {
    const signed = await person.sign(built);
    if (this.crash?.at !== ++this.sent) {
      await person.land(signed);
      return;
    }
    const { delayMs } = this.crash;
    const landing = person.land(signed).then(
      () => 'acknowledged',
      () => 'in flight',
    );
    await sleep(delayMs);
    await this.#stack.crash();
    note(`kill -9, ${delayMs} ms after a transaction was sent`, await landing);
    for (const each of this.#people) each.forgetToken();
    const endpoint = signed.sendTo === 'base' ? undefined : this.#stack.rollupUrl;
    await person.land({ ...signed, endpoint });
    note('started again', 'the same bytes are sent again');
  }

  /** Makes an external rollup process the transfer queue of a mint. The embedded one does so by itself. */
  async startQueue({ address: mint }: NetworkMint): Promise<void> {
    await this.operator.call('spl.ensureTransferQueueCrank', { mint });
  }

  /** Counts a fee that stays in the vault. */
  keepFee(mint: NetworkMint, fee: bigint): void {
    this.#fees.set(mint.address, this.feesIn(mint) + fee);
  }

  async tokens(person: Person, mint: NetworkMint, place: Place): Promise<bigint> {
    const asked = { address: person.address, mint: mint.address };
    const { balance } = await person.call<{ balance: string }>(BALANCE_TOOLS[place], asked);
    return BigInt(balance);
  }

  /** Waits until a person has exactly these balances. Fails after a timeout. */
  async expect(person: Person, mint: NetworkMint, held: Held): Promise<void> {
    const until = performance.now() + ARRIVAL_MS_MAX;
    for (const place of ['base', 'rollup'] as const) {
      const read = () => this.#tokensSoFar(person, mint, place);
      const found = await untilEqual(read, held[place], until);
      checkEqual(`${person.name}, ${mint.name} on ${place}`, found, held[place]);
    }
    this.#expected.set(`${person.address} ${mint.address}`, [person, mint, held]);
  }

  /** Waits until a wallet has exactly so many lamports. */
  async expectLamports(person: Person, expected: bigint): Promise<void> {
    const read = () => this.lamportsOf(person.address);
    const found = await untilEqual(read, expected, performance.now() + ARRIVAL_MS_MAX);
    checkEqual(`${person.name}, lamports`, found, expected);
  }

  async lamportsOf(wallet: string): Promise<bigint> {
    const { value } = await createSolanaRpc(this.ledgerUrl)
      .getBalance(wallet as Address)
      .send();
    return value;
  }

  /** Verifies that all known balances are unchanged. */
  async checkAll(): Promise<void> {
    let count = 0;
    for (const [person, mint, held] of this.#expected.values()) {
      for (const place of ['base', 'rollup'] as const) {
        const found = await this.tokens(person, mint, place);
        if (found === held[place]) count++;
        else checkEqual(`${person.name}, ${mint.name} on ${place}`, found, held[place]);
      }
    }
    note('balances that are still what they were', count);
  }

  async #tokensSoFar(person: Person, mint: NetworkMint, place: Place): Promise<bigint | null> {
    try {
      return await this.tokens(person, mint, place);
    } catch (error) {
      if (error instanceof Refused && NOT_YET.has(error.code ?? '')) return null;
      throw error;
    }
  }
}

/** Reads repeatedly until the value is the expected one, or until a time. Returns the last value. */
async function untilEqual<T>(read: () => Promise<T>, expected: T, until: number): Promise<T> {
  let found = await read();
  while (found !== expected && performance.now() < until) {
    await sleep(20);
    found = await read();
  }
  return found;
}
