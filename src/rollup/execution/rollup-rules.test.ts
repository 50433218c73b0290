import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { describeTransactionError } from '../../ledger/transaction-errors.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { EATA_TABLE } from '../../programs/ephemeral-token/table/eata.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { scheduleCommitAndUndelegate } from '../../programs/magic/testing/instructions.ts';
import { addMemo } from '../../programs/memo.ts';
import { transferLamports } from '../../programs/system.ts';
import { closeTokenAccount, mintTo } from '../../programs/token/instructions.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from '../../solana/instruction.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../testing/rollup-scene.ts';

let scene: RollupScene;
let alice: Keypair;
let bob: Keypair;
beforeEach(async () => {
  scene = await openScene(new CrashStores().open());
  alice = await scene.depositor(1_000n);
  bob = await scene.depositor(10n);
});
afterEach(() => scene.close());

const ataOf = ({ address }: Keypair): Address => accountsOf(address).ownerAta;

/** SPL Token `SetAuthority` (tag 6) of kind `AccountOwner` (2). */
function giveAta(from: Keypair, to: Address): Instruction {
  return {
    programId: TOKEN_PROGRAM,
    accounts: [writable(ataOf(from)), signer(from.address)],
    data: Uint8Array.of(6, 2, 1, ...addressBytes(to)),
  };
}

/** Tokens in all four accounts. */
const amounts = () => [
  scene.tokens(scene.rollup, alice.address),
  scene.tokens(scene.rollup, bob.address),
  scene.eataTokens(scene.rollup, alice.address),
  scene.eataTokens(scene.rollup, bob.address),
];

describe('a transaction on the rollup', () => {
  it('moves tokens between projected ATAs, and the eATAs show it', async () => {
    await scene.must(scene.rollup, alice, scene.payment(alice, bob.address, 300n));
    expect(amounts()).toEqual([700n, 310n, 700n, 310n]);
  });

  it('can be paid for by anyone, and is free', async () => {
    const nobody = new Keypair(scene.random.bytes(32));
    const transaction = buildTransaction(
      scene.rollup,
      [nobody, alice],
      [scene.payment(alice, bob.address, 1n)],
    );
    expect(await scene.rollup.submit(transaction)).toMatchObject({ err: null, landed: true });
    expect(scene.rollup.getTransaction((await scene.rollup.submit(transaction)).signature)?.fee).toBe(0n);
    expect(scene.rollup.getAccount(nobody.address)).toBeNull();
  });

  it('has a blockhash that is valid for one minute', async () => {
    const transaction = buildTransaction(scene.rollup, [alice], [scene.payment(alice, bob.address, 1n)]);
    const { blockHeight, lastValidBlockHeight } = scene.rollup.head();
    expect(lastValidBlockHeight - blockHeight).toBe(1_200);
    scene.clock.pass(60_000);
    expect(await scene.rollup.submit(transaction)).toMatchObject({ err: null });
    scene.clock.pass(50);
    expect(await scene.rollup.submit(transaction)).toMatchObject({ err: 'BlockhashNotFound' });
  });

  it('that spends more than there is fails with the token program’s error', async () => {
    const { err } = await scene.submit(scene.rollup, alice, scene.payment(alice, bob.address, 1_001n));
    expect(describeTransactionError(err as never)).toBe(
      'Error processing Instruction 0: custom program error: 0x1',
    );
    expect(amounts()).toEqual([1_000n, 10n, 1_000n, 10n]);
  });

  it('that spends someone else’s tokens fails with the token program’s error', async () => {
    const theft = { ...scene.payment(bob, alice.address, 1n) };
    const accounts = [writable(ataOf(alice)), writable(ataOf(bob)), signer(bob.address)];
    const { err } = await scene.submit(scene.rollup, bob, { ...theft, accounts });
    expect(err).toEqual({ InstructionError: [0, { Custom: 4 }] });
  });
});

describe('an account that is not delegated', () => {
  const NOT_WRITABLE = 'Transaction loads a writable account that cannot be written';

  it.each<[string, () => Promise<Instruction> | Instruction]>([
    [
      'the ATA of a recipient who is not delegated',
      async () => scene.payment(alice, (await scene.wallet(5n)).address, 1n),
    ],
    ['the ATA of a recipient who has none', () => scene.payment(alice, scene.validator.address, 1n)],
    [
      'the mint',
      () =>
        mintTo(TOKEN_PROGRAM, { mint: USDC_MINT, destination: ataOf(alice), authority: alice.address }, 1n),
    ],
    ['the vault', () => scene.withdrawal(alice, 1n)],
    [
      'a new account',
      () =>
        createAtaIdempotent({
          payer: alice.address,
          ata: accountsOf(scene.validator.address).ownerAta,
          owner: scene.validator.address,
          mint: USDC_MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
    ],
    [
      'the delegation record',
      () => ({ ...addMemo('x'), accounts: [writable(accountsOf(alice.address).delegation.record)] }),
    ],
  ])('cannot be written: %s', async (_, instructionOf) => {
    const instruction = await instructionOf();
    const before = amounts();
    const { err, signature, landed } = await scene.submit(scene.rollup, alice, instruction);
    expect(describeTransactionError(err as never)).toBe(NOT_WRITABLE);
    // It has the status of a failed transaction.
    expect(landed).toBe(true);
    expect(scene.rollup.getTransaction(signature)).toMatchObject({ err: 'InvalidWritableAccount', fee: 0n });
    expect(amounts()).toEqual(before);
  });

  it('cannot be written in a simulation', async () => {
    const wallet = await scene.wallet(5n);
    const transaction = buildTransaction(scene.rollup, [alice], [scene.payment(alice, wallet.address, 1n)]);
    const run = scene.rollup.simulate(transaction, { verifySignatures: true, replaceBlockhash: false });
    expect(run.err).toBe('InvalidWritableAccount');
  });

  it('can be read in its current state on base', async () => {
    const wallet = await scene.wallet(5n);
    expect(scene.tokens(scene.rollup, wallet.address)).toBe(5n);
    await scene.base.airdropTokens(wallet.address, USDC_MINT, 1n);
    expect(scene.tokens(scene.rollup, wallet.address)).toBe(6n);
    expect(scene.rollup.getAccount(USDC_MINT)).toEqual(scene.base.getAccount(USDC_MINT));
  });
});

describe('the fee payer', () => {
  it('may be named as writable and is not written', async () => {
    const instruction = transferLamports(alice.address, alice.address, 5n);
    await scene.must(scene.rollup, alice, instruction);
  });

  it('cannot transfer lamports to a wallet that is not delegated, with MagicBlock’s error', async () => {
    const { err, landed } = await scene.submit(
      scene.rollup,
      alice,
      transferLamports(alice.address, bob.address, 1n),
    );
    expect([describeTransactionError(err as never), landed]).toEqual([
      'This account may not be used to pay transaction fees',
      true,
    ]);
  });

  it('is not blamed for lamports of another wallet', async () => {
    const transfer = transferLamports(bob.address, scene.validator.address, 1n);
    const transaction = buildTransaction(scene.rollup, [alice, bob], [transfer]);
    expect((await scene.rollup.submit(transaction)).err).toBe('InvalidWritableAccount');
  });

  it('cannot give away its lamports, not even to a writable ATA', async () => {
    const lamports = scene.rollup.getAccount(ataOf(bob))?.lamports;
    const { err } = await scene.submit(scene.rollup, alice, transferLamports(alice.address, ataOf(bob), 1n));
    expect(err).toBe('InvalidAccountForFee');
    expect(scene.rollup.getAccount(ataOf(bob))?.lamports).toBe(lamports);
  });
});

describe('a projected ATA', () => {
  it('cannot be closed, even if it is empty', async () => {
    await scene.must(scene.rollup, bob, scene.payment(bob, alice.address, 10n));
    const close = closeTokenAccount(TOKEN_PROGRAM, {
      account: ataOf(bob),
      destination: ataOf(alice),
      authority: bob.address,
    });
    expect((await scene.submit(scene.rollup, bob, close)).err).toBe('InvalidWritableAccount');
    expect(scene.tokens(scene.rollup, bob.address)).toBe(0n);
  });

  it('cannot be given to another wallet', async () => {
    expect((await scene.submit(scene.rollup, alice, giveAta(alice, bob.address))).err).toBe(
      'InvalidWritableAccount',
    );
  });

  it('can have a delegate, who may spend', async () => {
    const approve: Instruction = {
      programId: TOKEN_PROGRAM,
      accounts: [writable(ataOf(alice)), readonly(bob.address), signer(alice.address)],
      data: Uint8Array.of(4, 50, 0, 0, 0, 0, 0, 0, 0),
    };
    await scene.must(scene.rollup, alice, approve);
    const spend = {
      ...scene.payment(alice, bob.address, 50n),
      accounts: [writable(ataOf(alice)), writable(ataOf(bob)), signer(bob.address)],
    };
    await scene.must(scene.rollup, bob, spend);
    expect(amounts()).toEqual([950n, 60n, 950n, 60n]);
  });
});

describe('an undelegation', () => {
  it('freezes the ATA immediately', async () => {
    const { rollup } = scene;
    const pay = scene.payment(alice, bob.address, 1n);
    const accepted = scene.submit(rollup, alice, scene.undelegation(alice));
    expect(rollup.delegationStatus(ataOf(alice))).toEqual({ isDelegated: true, isUndelegating: true });
    expect((await scene.submit(rollup, alice, pay)).err).toBe('InvalidWritableAccount');
    expect((await scene.submit(rollup, bob, scene.payment(bob, alice.address, 1n))).err).toBe(
      'InvalidWritableAccount',
    );
    expect((await accepted).err).toBeNull();
  });

  it('includes the other changes of the same transaction', async () => {
    await scene.must(scene.rollup, alice, scene.undelegation(alice), scene.payment(alice, bob.address, 100n));
    await scene.rollup.settled();
    expect(scene.eataTokens(scene.base, alice.address)).toBe(900n);
  });

  it('is rejected the second time', async () => {
    const [first, second] = await Promise.all([
      scene.submit(scene.rollup, alice, scene.undelegation(alice)),
      scene.submit(scene.rollup, alice, scene.undelegation(alice)),
    ]);
    expect([first.err, second.err]).toEqual([null, 'InvalidWritableAccount']);
    await scene.rollup.settled();
    const third = await scene.submit(scene.rollup, alice, scene.undelegation(alice));
    expect(third.err).toBe('InvalidWritableAccount');
  });

  it('is one request if a transaction asks twice', async () => {
    await scene.must(scene.rollup, alice, scene.undelegation(alice), scene.undelegation(alice));
    expect(scene.rollup.settlement.pending).toBe(1);
  });

  it('is rejected a second time even if the ATA is named as read-only', async () => {
    const { accounts, ...instruction } = scene.undelegation(alice);
    const readonlyAccounts = accounts.map((meta) => ({ ...meta, writable: meta.address === MAGIC_CONTEXT }));
    const quiet = { ...instruction, accounts: readonlyAccounts };
    const [first, second] = await Promise.all([
      scene.submit(scene.rollup, alice, quiet),
      scene.submit(scene.rollup, alice, quiet),
    ]);
    expect([first.err, second.err]).toEqual([null, 'InvalidWritableAccount']);
  });

  it.each<[string, () => { owner: Address; ownerAta: Address; eata: Address }, string]>([
    [
      'with the accounts of the owner',
      () => ({ owner: bob.address, ownerAta: ataOf(alice), eata: accountsOf(alice.address).eata }),
      'InvalidSeeds',
    ],
    [
      'with their own eATA',
      () => ({ owner: bob.address, ownerAta: ataOf(alice), eata: accountsOf(bob.address).eata }),
      'InvalidAccountData',
    ],
  ])('is rejected for a stranger: %s', async (_, accountsFor, reason) => {
    const { err } = await scene.submit(scene.rollup, bob, encode(EATA_TABLE.undelegateEata, accountsFor()));
    expect(err).toEqual({ InstructionError: [0, reason] });
    expect(scene.rollup.settlement.pending).toBe(0);
  });

  it('cannot be requested by other programs through the Magic program', async () => {
    const call = scheduleCommitAndUndelegate(bob.address, [ataOf(alice)], 'readonly');
    const { err } = await scene.submit(scene.rollup, bob, call);
    expect(err).toEqual({ InstructionError: [0, 'InvalidInstructionData'] });
    expect(scene.rollup.settlement.pending).toBe(0);
    expect(scene.rollup.delegationStatus(ataOf(alice)).isUndelegating).toBe(false);
  });

  it('of an account that is not delegated is rejected', async () => {
    const wallet = await scene.wallet(5n);
    const { accounts, ...instruction } = scene.undelegation(wallet);
    await scene.must(scene.base, wallet, ...scene.deposit(wallet, 1n).slice(0, 1));
    const named = accounts.map((meta) => ({ ...meta, writable: meta.address === MAGIC_CONTEXT }));
    const { err } = await scene.submit(scene.rollup, wallet, { ...instruction, accounts: named });
    expect(err).toEqual({ InstructionError: [0, 'InvalidAccountOwner'] });
  });

  it('cannot be caused by writing the Magic context', async () => {
    const write: Instruction = {
      programId: MAGIC_PROGRAM,
      accounts: [writableSigner(alice.address), writable(MAGIC_CONTEXT)],
      // Noop(0), which anyone may send.
      data: Uint8Array.of(10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    };
    const before = scene.rollup.getAccount(MAGIC_CONTEXT);
    await scene.must(scene.rollup, alice, write);
    expect(scene.rollup.getAccount(MAGIC_CONTEXT)).toEqual(before);
  });
});

it('shows an eATA as its own program’s, and not among those of the delegation program', () => {
  const { eata } = accountsOf(alice.address);
  expect(scene.rollup.getAccount(eata)?.owner).toBe(EPHEMERAL_TOKEN_PROGRAM);
  const owned = [...scene.rollup.programAccounts(EPHEMERAL_TOKEN_PROGRAM)].map(([address]) => address);
  expect(owned.filter((address) => address === eata)).toHaveLength(1);
});

it('rejects airdrops', async () => {
  await expect(scene.rollup.airdrop()).rejects.toThrow('free airdrop faucet is disabled');
  await expect(scene.rollup.airdropTokens()).rejects.toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
});
