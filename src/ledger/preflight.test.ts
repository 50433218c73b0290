import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { RENT_EXEMPT_EPOCH } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';
import type { EngineRun } from './engine/engine.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import { type BankBackend, loadBuiltins } from './initial-state.ts';
import type { Keypair } from './keypair.ts';
import type { Simulation } from './ledger.ts';
import { Accounts } from './state/accounts.ts';
import { advanceNonce } from './testing/instructions.ts';
import { nonceAccount } from './testing/nonce-account.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const SLOT_MS = 400;

let world: TestLedger;
let alice: Keypair;
let bob: Address;
beforeEach(async () => {
  world = await openTestLedger();
  alice = await world.fundedWallet();
  bob = addressOf(world.random.bytes(32));
});

const pay = (lamports: bigint): Transaction =>
  buildTransaction(world.ledger, [alice], [transferLamports(alice.address, bob, lamports)]);

/** Submits a transaction with a preflight that always accepts, after it has called `happen`. */
function submit(transaction: Transaction, happen: () => void = () => undefined) {
  const told: Simulation[] = [];
  const preflight = (simulation: Simulation): void => {
    told.push(simulation);
    happen();
  };
  return world.ledger.submit(transaction, { preflight }).then((submission) => ({ ...submission, told }));
}

/** A ledger that counts what it asks of its engine. */
async function openCounted() {
  const asked: string[] = [];
  class CountedEngine extends LiteSvmEngine {
    override hasValidSignatures(transaction: Transaction): boolean {
      asked.push('signatures');
      return super.hasValidSignatures(transaction);
    }

    override run(...run: Parameters<LiteSvmEngine['run']>): EngineRun {
      asked.push('run');
      return super.run(...run);
    }
  }
  const createBackend = (): BankBackend => {
    const [engine, accounts] = [new CountedEngine(), new Accounts()];
    loadBuiltins(engine, accounts);
    return { engine, accounts };
  };
  world = await openTestLedger({ createBackend });
  alice = await world.fundedWallet();
  asked.length = 0;
  return asked;
}

describe('a transaction that is submitted with a preflight', () => {
  it('leaves the same record as one without a preflight', async () => {
    const other = await openTestLedger();
    await other.fundedWallet();
    const transaction = pay(1_000_000n);
    const { signature } = await other.ledger.submit(transaction);
    expect(await submit(transaction)).toMatchObject({ signature, err: null, landed: true });
    expect(world.ledger.getTransaction(signature)).toEqual(other.ledger.getTransaction(signature));
    expect(world.ledger.getAccount(alice.address)).toEqual(other.ledger.getAccount(alice.address));
  });

  it('is checked once and run once', async () => {
    const asked = await openCounted();
    expect(await submit(pay(1_000_000n))).toMatchObject({ err: null, landed: true });
    expect(asked).toEqual(['signatures', 'run']);
  });

  it('does not run if the preflight throws', async () => {
    const before = world.ledger.getAccount(alice.address);
    const refusal = new Error('no');
    const preflight = (): never => {
      throw refusal;
    };
    await expect(world.ledger.submit(pay(1_000_000n), { preflight })).rejects.toBe(refusal);
    expect(world.ledger.getAccount(alice.address)).toEqual(before);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['another transaction took its funds', () => world.ledger.submit(pay(9_500_000_000n))],
    [
      'an account was set in the meantime',
      () =>
        world.ledger.setAccounts([
          [
            alice.address,
            {
              lamports: 900_000_000n,
              owner: SYSTEM_PROGRAM,
              data: new Uint8Array(0),
              executable: false,
              rentEpoch: RENT_EXEMPT_EPOCH,
            },
          ],
        ]),
    ],
  ])('is judged again if %s meanwhile', async (_, happen) => {
    const { told, err } = await submit(pay(1_000_000_000n), () => void happen());
    expect(told).toMatchObject([{ err: null }]);
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });

  it('lands in the slot that has started in the meantime, and not at all once its blockhash is too old', async () => {
    const passSlots = (count: number) => () => {
      world.clock.pass(count * SLOT_MS);
      world.ledger.head();
    };
    const { signature } = await submit(pay(1_000_000n), passSlots(3));
    expect(world.ledger.getTransaction(signature)?.slot).toBe(world.ledger.head().slot);
    const late = await submit(pay(2_000_000n), passSlots(200));
    expect(late).toMatchObject({ told: [{ err: null }], err: 'BlockhashNotFound', landed: false });
  });

  it('lands once', async () => {
    const transaction = pay(1_000_000n);
    const both = await Promise.all([submit(transaction), submit(transaction)]);
    expect(both.map(({ err }) => err)).toEqual([null, 'AlreadyProcessed']);
  });

  it('does not advance a nonce that equals an old blockhash that is still valid for submission', async () => {
    const nonce = addressOf(world.random.bytes(32));
    const blockhash = decodeBase58(world.ledger.head().blockhash);
    await world.ledger.setAccounts([[nonce, nonceAccount(alice.address, blockhash)]]);
    const before = world.ledger.getAccount(nonce);
    world.clock.pass(147 * SLOT_MS);
    const instructions = [
      advanceNonce(nonce, alice.address),
      transferLamports(alice.address, bob, 50_000_000_000n),
    ];
    const transaction = buildTransaction(world.ledger, [alice], instructions, blockhash);
    const failure = { InstructionError: [1, { Custom: 1 }] };
    expect(await submit(transaction)).toMatchObject({ told: [{ err: failure }], err: failure, landed: true });
    expect(world.ledger.getAccount(nonce)).toEqual(before);
  });

  it('is rejected for its signature, whatever the preflight accepts', async () => {
    const { wire } = pay(1_000_000n);
    const spoiled = new Uint8Array(wire);
    spoiled[5] = (spoiled[5] as number) ^ 1;
    const err = 'SignatureFailure';
    expect(await submit(decodeTransaction(spoiled))).toMatchObject({ told: [{ err }], err, landed: false });
  });

  it('is recorded with the balances at submission, not at the preflight', async () => {
    const { signature } = await submit(pay(1_000_000n), () => {
      void world.ledger.airdropTokens(alice.address, USDC_MINT, 5n);
    });
    const [before] = world.ledger.getTransaction(signature)?.preBalances ?? [];
    expect(world.ledger.getAccount(alice.address)?.lamports).toBe((before ?? 0n) - 1_005_000n);
  });
});
