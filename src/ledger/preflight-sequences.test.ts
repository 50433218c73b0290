import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { lengthOf } from '../../test/length.ts';
import { ServiceError } from '../errors/service-error.ts';
import { LOCALNET_VALIDATOR, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import type { Account } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { Keypair } from './keypair.ts';
import { PREFLIGHT, type Preflight, type Simulation, TransactionRejected } from './ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import { buildV0 } from './testing/build-v0.ts';
import {
  advanceNonce,
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
} from './testing/instructions.ts';
import { accountOf, tokenAccount } from './testing/make-account.ts';
import { nonceAccount } from './testing/nonce-account.ts';
import { SeededRandom } from './testing/seeded-random.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const STEPS = lengthOf({ short: 150, long: 3_000 });
const seed = process.env['PREFLIGHT_SEED'] ?? 'preflight';

/** How a transaction is simulated: the three ways there are. */
const WAYS = [
  { verifySignatures: true, replaceBlockhash: false },
  { verifySignatures: false, replaceBlockhash: false },
  { verifySignatures: false, replaceBlockhash: true },
] as const;

const SOL = 1_000_000_000n;
const wallets = ['alice', 'bob', 'carol'].map((name) => new Keypair(new SeededRandom(name).bytes(32)));
const nonce = addressOf(new SeededRandom('nonce').bytes(32));
const tokensOf = ({ address }: Keypair): Address => deriveAta(address, USDC_MINT, TOKEN_PROGRAM).address;

/** A transaction that its preflight rejected, with the result of the simulation. */
class Refused extends Error {
  constructor(simulation: Simulation) {
    super(inspect({ ...simulation, accountAfter: null }, { depth: null }));
  }
}

const preflight: Preflight = (simulation) => {
  if (simulation.err !== null) throw new Refused(simulation);
};

/** Submits a transaction, after a preflight or without. */
type Submit = (ledger: EmbeddedLedger, transaction: Transaction, hasPreflight: boolean) => Promise<unknown>;

const inOneCall: Submit = (ledger, transaction, hasPreflight) =>
  ledger.submit(transaction, hasPreflight ? { preflight } : {});

const inTwoCalls: Submit = async (ledger, transaction, hasPreflight) => {
  if (hasPreflight) preflight(ledger.simulate(transaction, PREFLIGHT));
  return await ledger.submit(transaction);
};

/** A ledger, the transactions that were made for it, and how they are submitted. */
interface Side {
  readonly submit: Submit;
  readonly world: TestLedger;
  readonly store: MemoryStore;
  readonly made: Transaction[];
}

async function openSide(submit: Submit): Promise<Side> {
  const store = new MemoryStore();
  const world = await openTestLedger({ place: { store } });
  for (const { address } of wallets) {
    await world.ledger.airdrop(address, SOL);
    await world.ledger.airdropTokens(address, USDC_MINT, 1_000n);
  }
  return { submit, world, store, made: [] };
}

/** An action on both ledgers, whose answers are compared. */
type Step = (side: Side) => unknown;

/** Draws the steps. What a step decides it decides when it is drawn, so that both ledgers get the same. */
class Course {
  readonly random: SeededRandom;
  table: Address | null = null;

  constructor(name: string) {
    this.random = new SeededRandom(name);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.random.integer(from.length)] as T;
  }

  /** Wire bytes of a new transaction; `head` is that of the ledger it is for. */
  makeTransaction({ ledger }: TestLedger): Uint8Array {
    const payer = this.pick(wallets);
    const blockhash = decodeBase58(ledger.head().blockhash);
    if (this.table !== null && this.random.integer(5) === 0)
      return this.payByTable(payer, blockhash, this.table);
    const stored = ledger.getAccount(nonce)?.data.subarray(40, 72);
    const carried = stored !== undefined && this.random.integer(4) === 0 ? stored : null;
    const before = carried === null ? [] : [advanceNonce(nonce, payer.address)];
    const count = 1 + this.random.integer(2);
    const instructions = Array.from({ length: count }, () => this.makeInstruction(payer, ledger.head().slot));
    const { wire } = buildTransaction(ledger, [payer], [...before, ...instructions], carried ?? blockhash);
    const bytes = new Uint8Array(wire);
    if (this.random.integer(12) === 0) bytes[5] = (bytes[5] as number) ^ 1;
    return bytes;
  }

  makeInstruction(payer: Keypair, slot: number): Instruction {
    const to = this.pick(wallets);
    const table = this.table ?? to.address;
    switch (this.random.integer(8)) {
      case 0:
      case 1:
        return transferLamports(payer.address, to.address, this.pick([0n, 1n, SOL / 3n, 2n * SOL]));
      case 2:
      case 3:
        return transferTokens(
          TOKEN_PROGRAM,
          { source: tokensOf(payer), destination: tokensOf(to), authority: payer.address },
          this.pick([0n, 1n, 400n, 5_000n]),
        );
      case 4:
        return createAtaIdempotent({
          payer: payer.address,
          ata: tokensOf(to),
          owner: to.address,
          mint: USDC_MINT,
          tokenProgram: TOKEN_PROGRAM,
        });
      case 5: {
        // Reads the slot hashes and the Clock.
        const created = createLookupTable(payer.address, BigInt(slot - 1));
        this.table = created.table;
        return created.instruction;
      }
      case 6:
        return this.random.integer(3) === 0
          ? deactivateLookupTable(table, payer.address)
          : extendLookupTable(table, payer.address, [tokensOf(to), to.address, LOCALNET_VALIDATOR]);
      default:
        return addMemo(`${this.random.integer(3)}`);
    }
  }

  payByTable(payer: Keypair, blockhash: Uint8Array, table: Address): Uint8Array {
    const { data } = transferLamports(payer.address, payer.address, 7n);
    return buildV0({
      payer,
      keys: [SYSTEM_PROGRAM],
      readonlyCount: 1,
      blockhash,
      instructions: [{ program: 1, accounts: [0, 2], data }],
      lookups: [{ table, writable: [this.random.integer(4)], readonly: [] }],
    }).wire;
  }

  /** A number for one of the transactions made so far, mostly the last. */
  recent(count: number): number {
    return this.random.integer(3) > 0 ? count - 1 : this.random.integer(count);
  }

  /** An account that an operator sets. */
  makeAccount({ ledger }: TestLedger): [Address, Account] {
    const wallet = this.pick(wallets);
    switch (this.random.integer(4)) {
      case 0:
        return [wallet.address, accountOf(SYSTEM_PROGRAM, new Uint8Array(0), this.pick([0n, 890_880n, SOL]))];
      case 1: {
        const state = this.pick([1, 1, 2]);
        const account = tokenAccount({ mint: USDC_MINT, owner: wallet.address }, 600n, { state });
        return [tokensOf(wallet), this.random.integer(4) === 0 ? { ...account, lamports: 0n } : account];
      }
      default: {
        // A nonce that is a blockhash of the ledger is one that only an operator can make.
        const value = this.pick([decodeBase58(ledger.head().blockhash), new Uint8Array(32).fill(9)]);
        return [nonce, nonceAccount(wallet.address, value)];
      }
    }
  }

  next(model: Side): Step {
    const count = model.made.length;
    if (count === 0 || this.random.integer(3) === 0) {
      const wire = this.makeTransaction(model.world);
      return ({ made }) => made.push(decodeTransaction(wire));
    }
    const at = this.recent(count);
    const other = this.recent(count);
    const [hasPreflight, otherHas] = [this.random.integer(2) === 0, this.random.integer(2) === 0];
    switch (this.random.integer(16)) {
      case 0:
      case 7:
      case 8: {
        // Right before a submission, which may have been simulated before the step.
        const entry = this.makeAccount(model.world);
        return async (side) => {
          await side.world.ledger.setAccounts([entry]);
          return submit(side, at, hasPreflight);
        };
      }
      case 1: {
        const ms = this.pick([1, 400, 400, 4_000, 58_800, 60_000]);
        return ({ world }) => world.clock.pass(ms);
      }
      case 2: {
        const { address } = this.pick(wallets);
        return ({ world }) => world.ledger.airdrop(address, SOL / 10n);
      }
      case 3: {
        const { address } = this.pick(wallets);
        return ({ world }) => world.ledger.airdropTokens(address, USDC_MINT, 5n);
      }
      case 4: {
        if (this.random.integer(8) > 0) return ({ world }) => world.clock.pass(400);
        const slot = model.world.ledger.head().slot + this.pick([1, 2, 500]);
        return ({ world }) => world.ledger.travelTo({ slot });
      }
      case 5:
        return ({ world: { ledger } }) => (ledger.isClockPaused ? ledger.resumeClock() : ledger.pauseClock());
      case 6:
        // Two at once: the second runs on what the first has left behind.
        return (side) => Promise.allSettled([submit(side, at, hasPreflight), submit(side, other, otherHas)]);
      default:
        return (side) => submit(side, at, hasPreflight);
    }
  }
}

const submit = ({ submit: by, world, made }: Side, at: number, hasPreflight: boolean): Promise<unknown> =>
  by(world.ledger, made[at] as Transaction, hasPreflight);

const EXPECTED = [Refused, TransactionRejected, ServiceError];

/** The result of a step, or the text of its rejection. */
async function answerOf(take: Step, side: Side): Promise<unknown> {
  try {
    return await take(side);
  } catch (error) {
    if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
    throw error;
  }
}

function simulate({ world, made }: Side, course: Course): void {
  const transaction = made[course.recent(made.length)] as Transaction;
  try {
    world.ledger.simulate(transaction, course.pick(WAYS));
  } catch (error) {
    if (!(error instanceof TransactionRejected)) throw error;
  }
}

/** Every account, its data as a digest: comparing programs byte by byte takes seconds. */
const accountsOf = ({ store }: Side): Map<Address, object> =>
  new Map(
    [...store.accounts()].map(([address, { data, ...rest }]) => [
      address,
      { ...rest, data: hash('sha256', data, 'hex') },
    ]),
  );

describe(`a ledger after ${STEPS} random steps (PREFLIGHT_SEED ${seed})`, () => {
  it('is the same whether or not transactions were simulated in between, and before or in the call that submits', async () => {
    const [plain, rehearsing] = await Promise.all([openSide(inTwoCalls), openSide(inOneCall)]);
    const course = new Course(seed);
    const rehearsals = new Course(`${seed} rehearsals`);
    for (let step = 0; step < STEPS; step++) {
      for (let times = rehearsals.random.integer(3); times > 0 && rehearsing.made.length > 0; times--) {
        simulate(rehearsing, rehearsals);
      }
      const take = course.next(plain);
      const expected = await answerOf(take, plain);
      expect(await answerOf(take, rehearsing), `step ${step}`).toEqual(expected);
    }
    expect([...rehearsing.store.recordsFrom(0)]).toEqual([...plain.store.recordsFrom(0)]);
    expect(accountsOf(rehearsing)).toEqual(accountsOf(plain));
    const landed = [...plain.store.recordsFrom(0)].map(({ err }) => err);
    expect(landed.filter((err) => err === null).length).toBeGreaterThan(STEPS / 50);
    expect(landed.filter((err) => err !== null).length).toBeGreaterThan(STEPS / 50);
  });
});
