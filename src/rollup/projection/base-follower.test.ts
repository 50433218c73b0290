import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mintAccount } from '../../ledger/genesis/genesis.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { TransactionLanded } from '../../ledger/ledger-events.ts';
import { isDifferent } from '../../ledger/state/accounts.ts';
import { HeldStore } from '../../ledger/testing/held-store.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import {
  DELEGATION_PROGRAM,
  LOCALNET_VALIDATOR,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { transferLamports } from '../../programs/system.ts';
import { mintTo, syncNative } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { type Account, rentExemptMinimum } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { isOfBooks } from '../books/item.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../testing/rollup-scene.ts';

let errors: string[];
const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
let stores: CrashStores;
let scene: RollupScene;
beforeEach(async () => {
  errors = [];
  stores = new CrashStores();
  scene = await openScene(stores.open(), { logger });
});
afterEach(() => scene.close());

const at = (address: Address): Account => scene.rollup.getAccount(address) as Account;

describe('a projection', () => {
  it('exists as soon as the deposit is durable, as a plain token account', async () => {
    const alice = await scene.wallet(100n);
    const { ownerAta, eata } = accountsOf(alice.address);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 40n));
    expect(decodeTokenAccount(at(ownerAta).data)).toEqual({
      mint: USDC_MINT,
      owner: alice.address,
      amount: 40n,
      delegate: null,
      state: 'initialized',
      rentExemptReserve: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    });
    expect(at(ownerAta).lamports).toBe(rentExemptMinimum(165));
    expect(scene.rollup.projectionAt(ownerAta)).toMatchObject({
      owner: alice.address,
      mint: USDC_MINT,
      eata,
    });
    expect(scene.rollup.projectionAt(eata)).toBe(scene.rollup.projectionAt(ownerAta));
    expect(scene.rollup.delegationStatus(eata)).toEqual({ isDelegated: true, isUndelegating: false });
    expect(scene.tokens(scene.base, alice.address)).toBe(60n);
  });

  it('is not created while the eATA is not delegated', async () => {
    const alice = await scene.wallet(100n);
    const { eata } = accountsOf(alice.address);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 40n).slice(0, 4));
    expect(scene.rollup.projectionAt(eata)).toBeNull();
    expect(scene.tokens(scene.rollup, alice.address)).toBe(60n);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 40n).slice(4));
    expect(scene.tokens(scene.rollup, alice.address)).toBe(40n);
  });

  it('is not created for a delegation to another validator', async () => {
    const alice = await scene.wallet(100n);
    const accounts = accountsOf(alice.address);
    const { eata, eataBump, delegation } = accounts;
    await scene.must(
      scene.base,
      alice,
      ...scene.deposit(alice, 40n).slice(0, 4),
      encode(
        EATA_TABLE_A.delegateEata,
        { payer: alice.address, eata, delegation },
        { eataBump, validator: LOCALNET_VALIDATOR },
      ),
    );
    expect(scene.rollup.projectionAt(eata)).toBeNull();
    expect(scene.rollup.getAccount(eata)).toEqual(scene.base.getAccount(eata));
  });

  it('of wrapped SOL has the lamports of its tokens, and moves them', async () => {
    const { base, rollup } = scene;
    const [alice, bob] = [await scene.wallet(), await scene.wallet()] as const;
    const tokens = (wallet: Keypair) => accountsOf(wallet.address, NATIVE_MINT);
    for (const [wallet, lamports] of [
      [alice, 1_000_000_000n],
      [bob, 0n],
    ] as const) {
      const { ownerAta: ata } = tokens(wallet);
      const owner = wallet.address;
      await scene.must(
        base,
        wallet,
        createAtaIdempotent({ payer: owner, ata, owner, mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM }),
        ...(lamports === 0n ? [] : [transferLamports(owner, ata, lamports), syncNative(TOKEN_PROGRAM, ata)]),
      );
      await scene.must(base, wallet, ...scene.deposit(wallet, lamports, tokens(wallet)));
    }
    const reserve = rentExemptMinimum(165);
    expect(at(tokens(alice).ownerAta).lamports).toBe(reserve + 1_000_000_000n);
    await scene.must(rollup, alice, scene.payment(alice, bob.address, 300_000_000n, NATIVE_MINT));
    expect(at(tokens(alice).ownerAta).lamports).toBe(reserve + 700_000_000n);
    expect(at(tokens(bob).ownerAta).lamports).toBe(reserve + 300_000_000n);
    await scene.must(rollup, bob, scene.undelegation(bob, NATIVE_MINT));
    await rollup.settled();
    const { vaultBump, ...accounts } = tokens(bob);
    await scene.must(base, bob, encode(EATA_TABLE_A.withdraw, accounts, { amount: 300_000_000n, vaultBump }));
    expect(base.getAccount(tokens(bob).ownerAta)?.lamports).toBe(reserve + 300_000_000n);
    expect(errors).toEqual([]);
  });

  it('of a mint with 9 decimals goes the whole way with amounts near the end of u64', async () => {
    const { base, rollup } = scene;
    const mint = addressOf(new Uint8Array(32).fill(9));
    await base.setAccounts([[mint, mintAccount(base.faucet, 9)]]);
    const much = 2n ** 64n - 2n;
    const [alice, bob] = [await scene.wallet(much, mint), await scene.wallet(1n, mint)] as const;
    await scene.must(base, alice, ...scene.deposit(alice, much, accountsOf(alice.address, mint)));
    await scene.must(base, bob, ...scene.deposit(bob, 1n, accountsOf(bob.address, mint)));
    await scene.must(rollup, alice, scene.payment(alice, bob.address, much, mint));
    expect(scene.tokens(rollup, bob.address, mint)).toBe(2n ** 64n - 1n);
    await scene.must(rollup, bob, scene.undelegation(bob, mint));
    await rollup.settled();
    expect(scene.eataTokens(base, bob.address, mint)).toBe(2n ** 64n - 1n);
  });

  it('of a Token-2022 mint is an ATA of that program; the eATA program accepts no such tokens', async () => {
    const { base, rollup } = scene;
    const alice = await scene.wallet();
    const mint = addressOf(new Uint8Array(32).fill(22));
    await base.setAccounts([[mint, { ...mintAccount(alice.address, 6), owner: TOKEN_2022_PROGRAM }]]);
    const accounts = accountsOf(alice.address, mint, TOKEN_2022_PROGRAM);
    const { ownerAta: ata, tokenProgram } = accounts;
    const owner = alice.address;
    await scene.must(
      base,
      alice,
      createAtaIdempotent({ payer: owner, ata, owner, mint, tokenProgram }),
      mintTo(tokenProgram, { mint, destination: ata, authority: owner }, 5n),
    );
    const refused = await scene.submit(base, alice, ...scene.deposit(alice, 5n, accounts));
    expect(refused.err).toEqual({ InstructionError: [3, 'InvalidAccountData'] });
    const onBase = base.getAccount(ata) as Account;
    await scene.must(base, alice, ...scene.deposit(alice, 0n, accounts));
    expect(at(ata)).toMatchObject({ owner: TOKEN_2022_PROGRAM, lamports: onBase.lamports });
    expect(at(ata).data.subarray(72)).toEqual(onBase.data.subarray(72));
    expect(decodeTokenAccount(at(ata).data)?.amount).toBe(0n);
    expect([...rollup.tokenAccounts({ holder: 'owner', address: owner, program: tokenProgram })]).toEqual([
      [ata, at(ata)],
    ]);
  });
});

describe('a write of base that fails', () => {
  it('is not projected: an event comes after the write', async () => {
    const alice = await scene.wallet(10n);
    const pending = scene.submit(scene.base, alice, ...scene.deposit(alice, 10n));
    expect(scene.rollup.projectionAt(accountsOf(alice.address).eata)).toBeNull();
    await pending;
    expect(scene.rollup.projectionAt(accountsOf(alice.address).eata)).not.toBeNull();
  });

  it('ends no projection: a settlement that base has not written yet has no event', async () => {
    const held = new HeldStore();
    await scene.close();
    scene = await openScene({ ...new CrashStores().open(), base: held }, { logger });
    const [alice, bob] = [await scene.depositor(100n), await scene.depositor(0n)] as const;
    await scene.must(scene.rollup, alice, scene.payment(alice, bob.address, 30n));
    held.held = [];
    const told = scene.base.airdropTokens(alice.address, USDC_MINT, 5n);
    await held.untilHeld(1);
    await scene.must(scene.rollup, alice, scene.undelegation(alice));
    await held.untilHeld(2);
    held.held[0]?.();
    await told;
    // The rollup only has the five base units in her ATA on base.
    const { eata } = accountsOf(alice.address);
    expect(scene.rollup.delegationStatus(eata)).toEqual({ isDelegated: true, isUndelegating: true });
    const [, ...later] = held.held;
    held.held = null;
    for (const letThrough of later) letThrough();
    await scene.rollup.settled();
    expect(scene.eataTokens(scene.base, alice.address)).toBe(70n);
    expect(errors).toEqual([]);
  });
});

describe('a rollup that is opened', () => {
  it('finds delegations made while it was closed, and its own state', async () => {
    const [alice, bob] = [await scene.depositor(100n), await scene.depositor(0n)] as const;
    await scene.must(scene.rollup, alice, scene.payment(alice, bob.address, 30n));
    await scene.rollup.close();
    const carol = await scene.depositor(7n);
    await scene.base.close();

    scene = await openScene(stores.open(), { logger });
    const amounts = [alice, bob, carol].map(({ address }) => scene.tokens(scene.rollup, address));
    expect(amounts).toEqual([70n, 30n, 7n]);
    await scene.must(scene.rollup, carol, scene.payment(carol, bob.address, 7n));
    expect(errors).toEqual([]);
  });

  it('has the same state if nothing but time has passed', async () => {
    await scene.depositor(100n);
    const before = new Map(scene.rollup.accounts());
    await scene.close();
    scene = await openScene(stores.open(), { logger });
    const changed = [...scene.rollup.accounts()].filter(
      ([address, account]) =>
        !address.startsWith('Sysvar') && isDifferent(account, before.get(address) as Account),
    );
    // The start itself is stored, on base and here.
    expect(changed.map(([address]) => isOfBooks(address))).toEqual([true, true]);
    expect(scene.rollup.accountCount()).toBe(before.size);
  });

  it('starts over on another base ledger', async () => {
    const alice = await scene.depositor(100n);
    const { genesisHash } = scene.rollup;
    await scene.rollup.close();
    await scene.base.resetLedger();
    await scene.base.close();
    scene = await openScene(stores.open(), { logger });
    expect(scene.rollup.genesisHash).not.toBe(genesisHash);
    expect(scene.tokens(scene.rollup, alice.address)).toBeNull();
    expect(scene.rollup.transactionCount()).toBe(0);
    await scene.depositor(5n);
    expect(errors).toEqual([]);
  });
});

describe('an operator of base', () => {
  it('who resets it also resets the rollup', async () => {
    const [alice, bob] = [await scene.depositor(100n), await scene.depositor(0n)] as const;
    await scene.must(scene.rollup, alice, scene.payment(alice, bob.address, 30n));
    const { genesisHash, identity } = scene.rollup;
    await scene.base.resetLedger();
    expect(scene.rollup.projectionAt(accountsOf(alice.address).eata)).toBeNull();
    expect(scene.tokens(scene.rollup, alice.address)).toBeNull();
    await scene.rollup.settled();
    expect(scene.rollup.genesisHash).not.toBe(genesisHash);
    expect(scene.rollup.identity).toBe(identity);

    const carol = await scene.depositor(9n);
    expect(scene.tokens(scene.rollup, carol.address)).toBe(9n);
    await scene.must(scene.rollup, carol, scene.undelegation(carol));
    await scene.rollup.settled();
    await scene.must(scene.base, carol, scene.withdrawal(carol, 9n));
    expect(errors).toEqual([]);
  });

  it('who resets it twice in a row resets the rollup for the later one', async () => {
    await scene.depositor(100n);
    await scene.base.resetLedger();
    await scene.base.resetLedger();
    await scene.rollup.settled();
    const carol = await scene.depositor(9n);
    expect(scene.tokens(scene.rollup, carol.address)).toBe(9n);
    expect(errors).toEqual([]);
  });

  it('can end a delegation by hand, which ends the projection and logs an error', async () => {
    const alice = await scene.depositor(100n);
    const { eata, delegation } = accountsOf(alice.address);
    const record = scene.base.getAccount(delegation.record) as Account;
    await scene.base.setAccounts([[delegation.record, { ...record, lamports: 0n }]]);
    expect(scene.rollup.projectionAt(eata)).toBeNull();
    expect(errors).toEqual([expect.stringContaining('ended on base without the rollup')]);
    await scene.base.setAccounts([[delegation.record, record]]);
    expect(scene.tokens(scene.rollup, alice.address)).toBe(100n);
  });
});

/**
 * Makes base write without a pause from before `begin` until a condition holds: another write always waits
 * behind the current one.
 */
async function keepBusy(store: HeldStore, begin: () => void, until: () => boolean): Promise<void> {
  const { base } = scene;
  const wallet = await scene.wallet();
  const held: (() => void)[] = [];
  store.held = held;
  const writes: Promise<unknown>[] = [base.airdrop(wallet.address, 1n)];
  await store.untilHeld(1);
  begin();
  for (let round = 0; round < 50 && !until(); round++) {
    writes.push(base.airdrop(wallet.address, 1n));
    await store.untilHeld(2);
    held.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect([...base.unpublished()]).not.toEqual([]);
  }
  store.held = null;
  for (const letThrough of held) letThrough();
  await Promise.all(writes);
}

describe('a base ledger with constant traffic', () => {
  it('processes deposits that arrive during a reset of the rollup (bug: it waited for a pause)', async () => {
    const [store, rollup] = [new HeldStore(), new HeldStore()];
    await scene.close();
    scene = await openScene({ base: store, rollup }, { logger });
    await scene.depositor(5n);
    rollup.held = [];
    await scene.base.resetLedger();
    await rollup.untilHeld(1);
    const alice = await scene.depositor(100n);
    const { eata } = accountsOf(alice.address);
    const letRollup = rollup.held;
    const beginAnew = (): void => {
      rollup.held = null;
      for (const letThrough of letRollup) letThrough();
    };
    let isThere = false;
    await keepBusy(store, beginAnew, () => (isThere = scene.rollup.projectionAt(eata) !== null));
    expect(isThere).toBe(true);
    await scene.rollup.settled();
    expect(scene.tokens(scene.rollup, alice.address)).toBe(100n);
    expect(errors).toEqual([]);
  });

  it('processes an edit as soon as it is published', async () => {
    const store = new HeldStore();
    await scene.close();
    scene = await openScene({ base: store, rollup: new CrashStores().open().rollup }, { logger });
    const alice = await scene.depositor(100n);
    const { eata, delegation } = accountsOf(alice.address);
    const record = scene.base.getAccount(delegation.record) as Account;
    await scene.base.setAccounts([[delegation.record, { ...record, lamports: 0n }]]);
    expect(scene.rollup.projectionAt(eata)).toBeNull();
    store.held = [];
    const edit = scene.base.setAccounts([[delegation.record, record]]);
    const later = scene.base.airdrop(alice.address, 1n);
    await store.untilHeld(2);
    const [letEdit, letLater] = store.held;
    letEdit?.();
    await edit;
    const found = [[...scene.base.unpublished()].length > 0, scene.rollup.projectionAt(eata)?.owner];
    store.held = null;
    letLater?.();
    await later;
    expect(found).toEqual([true, alice.address]);
  });
});

describe('an operator of base who edits delegations', () => {
  it('causes nothing on the rollup that base has not stored yet (bug: a crash left it on the rollup only)', async () => {
    const store = new HeldStore();
    await scene.close();
    scene = await openScene({ base: store, rollup: new CrashStores().open().rollup }, { logger });
    const [alice, bob] = [await scene.wallet(100n), await scene.depositor(5n)] as const;
    const { record } = accountsOf(bob.address).delegation;
    const edited = scene.base.getAccount(record) as Account;
    store.held = [];
    const edit = scene.base.setAccounts([[record, { ...edited, lamports: edited.lamports + 1n }]]);
    await store.untilHeld(1);
    const deposit = scene.must(scene.base, alice, ...scene.deposit(alice, 40n));
    await store.untilHeld(2);
    const [letEdit, letDeposit] = store.held;
    letEdit?.();
    await edit;
    const { eata } = accountsOf(alice.address);
    // Base shows the deposit, which a crash would undo.
    const shown = [scene.base.getAccount(eata)?.owner, scene.rollup.projectionAt(eata)];
    store.held = null;
    letDeposit?.();
    await deposit;
    expect(shown).toEqual([DELEGATION_PROGRAM, null]);
    expect(scene.tokens(scene.rollup, alice.address)).toBe(40n);
  });
});

describe('events of the rollup', () => {
  it('report its own transactions, projections that start and end, and base accounts read through it', async () => {
    const { base, rollup } = scene;
    const bob = await scene.depositor(0n);
    const events: { kind: string; changes: readonly { address: Address; after: Account | null }[] }[] = [];
    rollup.subscribe((event) => events.push(event));
    const after = (address: Address) =>
      events.flatMap(({ kind, changes }) =>
        changes
          .filter((change) => change.address === address)
          .map((change) => [kind, change.after && decodeTokenAccount(change.after.data)?.amount]),
      );
    const alice = await scene.wallet(100n);
    const { ownerAta } = accountsOf(alice.address);
    await scene.must(base, alice, ...scene.deposit(alice, 40n));
    await scene.must(rollup, alice, scene.payment(alice, bob.address, 15n));
    await scene.must(rollup, alice, scene.undelegation(alice));
    await rollup.settled();
    await scene.must(base, alice, scene.withdrawal(alice, 25n));
    expect(after(ownerAta)).toEqual([
      ['accounts', 100n],
      ['accounts', 40n],
      ['transaction', 25n],
      ['transaction', 60n],
      ['accounts', 85n],
    ]);
    const [paid] = events.filter(({ kind }) => kind === 'transaction') as unknown as TransactionLanded[];
    expect(paid?.changes.map(({ address }) => address)).toContain(accountsOf(bob.address).eata);
  });

  it('end after unsubscribing', async () => {
    const events: unknown[] = [];
    const end = scene.rollup.subscribe((event) => events.push(event));
    end();
    await scene.depositor(1n);
    expect(events).toEqual([]);
  });
});
