import { afterEach, describe, expect, it } from 'vitest';
import { mintAccount } from '../../ledger/genesis/genesis.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { PREFLIGHT } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import type { Eata } from '../../programs/ephemeral-token/state.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, addressOf, writeAddress } from '../../solana/address.ts';
import { deriveProjection } from '../projection/projections.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../testing/rollup-scene.ts';
import { type Claim, claimOf, MintClaims } from './claims.ts';
import { booksOf } from './solvency.ts';

const STEPS = 300;

/** Steps after which base is reset. */
const STEPS_OF_A_LEDGER = 140;

const NINE_MINT = addressOf(new Uint8Array(32).fill(99));
const MINTS = [USDC_MINT, NINE_MINT];

/** Tokens of the vaults: more than all eATAs together, so that everything settles. */
const VAULT_UNITS = 1_000_000n;

let scene: RollupScene;
afterEach(() => scene.close());

/** The bytes of an eATA of either layout. */
function eataAccount(program: Address, { owner, mint, amount }: Eata, size: number): Account {
  const data = new Uint8Array(size);
  writeAddress(data, 0, owner);
  writeAddress(data, 32, mint);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  return accountWith(program, data);
}

/** A delegation record: discriminator u64 = 100, validator 32, owner program 32, slot u64, lamports u64. */
function recordAccount(validator: Address, slot: number): Account {
  const data = new Uint8Array(96);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, 100n, true);
  writeAddress(data, 8, validator);
  writeAddress(data, 40, EPHEMERAL_TOKEN_PROGRAM);
  view.setBigUint64(72, BigInt(slot), true);
  view.setBigUint64(80, 2_000_000n, true);
  return accountWith(DELEGATION_PROGRAM, data);
}

const accountWith = (owner: Address, data: Uint8Array): Account => ({
  lamports: 2_000_000n,
  owner,
  data,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

/** Two mints whose vaults have enough. */
async function furnish(): Promise<void> {
  const { base, validator } = scene;
  await base.setAccounts([[NINE_MINT, mintAccount(base.faucet, 9)]]);
  for (const mint of MINTS) {
    await base.airdropTokens(accountsOf(validator.address, mint).vault, mint, VAULT_UNITS);
  }
}

/** Random actions of an operator on the eATAs of a few wallets, and of the wallets. */
class Happenings {
  readonly wallets: readonly Keypair[];
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(seed);
    this.wallets = Array.from({ length: 4 }, () => new Keypair(this.#random.bytes(32)));
  }

  /** Starts an action, which is visible at once; resolves when it is durable. */
  begin(step: number): Promise<unknown> {
    const rare = [this.#put, this.#putElsewhere, this.#takeAway, this.#try, this.#undelegate];
    const die = this.#random.integer(10);
    if (die < 3) return this.#delegate(step);
    return die < 5 ? this.#pick(rare)() : this.#pay();
  }

  #delegate(step: number): Promise<unknown> {
    const { eata, record, account } = this.#draw();
    const ours = scene.validator.address;
    const validator = this.#pick([ours, ours, ours, ours, scene.base.faucet]);
    return scene.base.setAccounts([
      [eata, { ...account, owner: DELEGATION_PROGRAM }],
      [record, recordAccount(validator, step)],
    ]);
  }

  /** Usually replaces an eATA by something that does not match its record. */
  readonly #put = (): Promise<unknown> => {
    const { eata, account } = this.#draw();
    return scene.base.setAccounts([[eata, account]]);
  };

  readonly #putElsewhere = (): Promise<unknown> =>
    scene.base.setAccounts([[addressOf(this.#random.bytes(32)), this.#draw().account]]);

  readonly #takeAway = (): Promise<unknown> => scene.base.setAccounts([[this.#draw().eata, GONE]]);

  /** A run on other accounts, which leaves nothing. */
  readonly #try = async (): Promise<void> => {
    const { wallet, eata, account } = this.#draw();
    const memo = buildTransaction(scene.base, [wallet], []);
    scene.base.simulate(memo, { ...PREFLIGHT, instead: [[eata, account]] });
  };

  readonly #pay = (): Promise<unknown> => {
    const { wallet, mint } = this.#draw();
    const amount = BigInt(this.#random.integer(50));
    const payment = scene.payment(wallet, this.#pick(this.wallets).address, amount, mint);
    return scene.submit(scene.rollup, wallet, payment);
  };

  readonly #undelegate = (): Promise<unknown> => {
    const { wallet, mint } = this.#draw();
    return scene.submit(scene.rollup, wallet, scene.undelegation(wallet, mint));
  };

  #draw() {
    const [wallet, mint] = [this.#pick(this.wallets), this.#pick(MINTS)];
    const { eata, delegation } = accountsOf(wallet.address, mint);
    const program = this.#pick([
      EPHEMERAL_TOKEN_PROGRAM,
      DELEGATION_PROGRAM,
      DELEGATION_PROGRAM,
      SYSTEM_PROGRAM,
    ]);
    const size = this.#pick([72, 80, 80, 81]);
    const amount = BigInt(this.#random.integer(1_000));
    const account = eataAccount(program, { owner: wallet.address, mint, amount }, size);
    return { wallet, mint, eata, record: delegation.record, account };
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#random.integer(all.length)] as T;
  }
}

describe('the claims that settlement uses', () => {
  it.each(['one', 'two', 'three'])(
    'are those of all eATAs, whatever operators set and wallets do: %s',
    async (seed) => {
      scene = await openScene(new CrashStores().open());
      await furnish();
      const { base, rollup } = scene;
      const happenings = new Happenings(seed);
      let gains = 0;
      for (let step = 1; step <= STEPS; step++) {
        const isReset = step % STEPS_OF_A_LEDGER === 0;
        if (isReset) await base.resetLedger();
        const done = isReset ? furnish() : happenings.begin(step);
        // The latest change is neither durable nor published yet.
        rollup.assertExactClaims();
        await done;
        rollup.assertExactClaims();
        if (step % 4 === 0) await rollup.settled();
        rollup.assertExactClaims();
        gains += happenings.wallets.filter(({ address }) => {
          const isProjected = rollup.projectionAt(accountsOf(address).eata) !== null;
          return isProjected && scene.tokens(rollup, address) !== scene.eataTokens(base, address);
        }).length;
      }
      expect(gains).toBeGreaterThan(STEPS / 10);
      expect(rollup.settlement.halted).toEqual([]);
    },
  );
});

describe('an eATA whose amount on the rollup cannot be read', () => {
  const mint = USDC_MINT;
  const owner = addressOf(new Uint8Array(32).fill(7));
  const { eata } = accountsOf(owner);
  const keys = { mint, tokenProgram: TOKEN_PROGRAM };
  const account = eataAccount(DELEGATION_PROGRAM, { owner, mint, amount: 5n }, 72);
  const projections = { ofEata: () => deriveProjection(eata, { owner, mint, amount: 5n }, TOKEN_PROGRAM) };

  it.each([
    ['it does not exist', undefined],
    ['it is too short', accountWith(SYSTEM_PROGRAM, new Uint8Array(0))],
  ])('does not count as empty: its mint is not settled (%s)', (_, ata) => {
    const claim = claimOf(eata, account, { rollup: { get: () => ata }, projections });
    expect(claim).toEqual({ mint, onBase: 5n, gained: null });
    const claims = new MintClaims();
    claims.add(eata, claim as Claim);
    expect(() => booksOf(keys, claims, { get: () => undefined })).toThrow('cannot be read');
    claims.remove(eata, claim as Claim);
    expect(booksOf(keys, claims, { get: () => undefined })).toMatchObject({ surplus: 0n, room: 0n });
  });
});
