import { beforeEach, describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { closeTokenAccount, transferTokens } from '../programs/token/instructions.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';
import { Keypair } from './keypair.ts';
import { type Execution, TransactionRejected } from './ledger.ts';
import { readTokenAmount } from './state/accounts.ts';
import { holdingsOf } from './testing/holdings-of.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const SLOT_MS = 400;
const CHECKED = { verifySignatures: true, replaceBlockhash: false };
const UNCHECKED = { verifySignatures: false, replaceBlockhash: false };
const REPLACED = { verifySignatures: false, replaceBlockhash: true };

let world: TestLedger;
let alice: Keypair;
let bob: Address;
beforeEach(async () => {
  world = await openTestLedger();
  alice = await world.fundedWallet();
  bob = addressOf(world.random.bytes(32));
});

const pay = (lamports: bigint, blockhash?: Uint8Array): Transaction =>
  buildTransaction(world.ledger, [alice], [transferLamports(alice.address, bob, lamports)], blockhash);
const run = (...instructions: Instruction[]): Transaction =>
  buildTransaction(world.ledger, [alice], instructions);
const lamportsOf = (address: Address): bigint => world.ledger.getAccount(address)?.lamports ?? 0n;
const passSlots = (count: number): void => world.clock.pass(count * SLOT_MS);

function spoilSignature(transaction: Transaction): Transaction {
  const wire = new Uint8Array(transaction.wire);
  wire[5] = (wire[5] as number) ^ 1;
  return decodeTransaction(wire);
}

describe('time', () => {
  it('starts at slot 512 and follows the clock, a block in every slot', () => {
    const first = world.ledger.head();
    expect(first).toMatchObject({ slot: 512, blockHeight: 512, lastValidBlockHeight: 662 });
    passSlots(1_000);
    const later = world.ledger.head();
    expect(later).toMatchObject({ slot: 1_512, blockHeight: 1_512, lastValidBlockHeight: 1_662 });
    expect(later.blockhash).not.toBe(first.blockhash);
  });

  it('accepts a blockhash for 150 blocks', () => {
    const { blockhash } = world.ledger.head();
    passSlots(150);
    expect(world.ledger.isBlockhashValid(blockhash)).toBe(true);
    passSlots(1);
    expect(world.ledger.isBlockhashValid(blockhash)).toBe(false);
    expect(world.ledger.isBlockhashValid('not a hash')).toBe(false);
  });

  it('shows the current slot in the Clock sysvar', () => {
    const clockSlot = (): bigint =>
      Buffer.from(
        world.ledger.getAccount('SysvarC1ock11111111111111111111111111111111' as Address)?.data ?? [],
      ).readBigUInt64LE();
    expect(clockSlot()).toBe(512n);
    passSlots(7);
    expect(clockSlot()).toBe(519n);
  });

  it('makes every sysvar rent-exempt', () => {
    for (const name of ['C1ock', 'Rent1', 'EpochSchedu1e', 'S1otHashes', 'S1otHistory', 'StakeHistory']) {
      const account = world.ledger.getAccount(`Sysvar${name}`.padEnd(43, '1') as Address);
      expect(account?.lamports, name).toBe(BigInt(128 + (account?.data.length ?? 0)) * 6_960n);
    }
  });
});

describe('submit', () => {
  it('runs a transaction and stores its record', async () => {
    passSlots(3);
    const transaction = pay(1_000_000_000n);
    const submission = await world.ledger.submit(transaction);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    expect(submission).toEqual({ signature, err: null, landed: true });
    expect(lamportsOf(bob)).toBe(1_000_000_000n);
    expect(lamportsOf(alice.address)).toBe(8_999_995_000n);
    expect(world.ledger.getTransaction(signature)).toEqual({
      signature,
      slot: 515,
      index: 0,
      blockTime: Math.floor((world.clock.now() - 0) / 1_000),
      wire: transaction.wire,
      err: null,
      fee: 5_000n,
      preBalances: [10_000_000_000n, 0n, 1n],
      postBalances: [8_999_995_000n, 1_000_000_000n, 1n],
      preTokenBalances: [],
      postTokenBalances: [],
      innerInstructions: [],
      logs: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
      loadedAddresses: { writable: [], readonly: [] },
      returnData: null,
      computeUnits: 150,
      loadedAccountsDataSize: 64 + 64 + 21,
    });
  });

  it('counts the transactions of a slot', async () => {
    passSlots(1);
    const indices: number[] = [];
    for (const lamports of [1_000_000n, 1_000_001n]) {
      indices.push(
        world.ledger.getTransaction((await world.ledger.submit(pay(lamports))).signature)?.index ?? -1,
      );
    }
    passSlots(1);
    indices.push(
      world.ledger.getTransaction((await world.ledger.submit(pay(1_000_002n))).signature)?.index ?? -1,
    );
    expect(indices).toEqual([0, 1, 0]);
  });

  it('charges a transaction that fails and changes nothing else', async () => {
    const failing = run(
      transferLamports(alice.address, bob, 5n * 10n ** 9n),
      transferLamports(alice.address, bob, 10n ** 12n),
    );
    const { signature, err, landed } = await world.ledger.submit(failing);
    expect([err, landed]).toEqual([{ InstructionError: [1, { Custom: 1 }] }, true]);
    expect(lamportsOf(bob)).toBe(0n);
    expect(lamportsOf(alice.address)).toBe(9_999_995_000n);
    const record = world.ledger.getTransaction(signature);
    expect(record?.postBalances).toEqual([9_999_995_000n, 0n, 1n]);
    expect(record?.logs.at(-1)).toContain('failed');
  });

  it.each<[string, (missing: Address) => Instruction, unknown]>([
    [
      'does not exist',
      (programId) => ({ programId, accounts: [], data: new Uint8Array(0) }),
      'ProgramAccountNotFound',
    ],
    [
      'is not a program',
      () => ({ programId: USDC_MINT, accounts: [], data: new Uint8Array(0) }),
      'InvalidProgramForExecution',
    ],
  ])('charges a transaction whose program %s', async (_, instruction, err) => {
    const { signature, ...rest } = await world.ledger.submit(run(instruction(bob)));
    expect(rest).toEqual({ err, landed: true });
    expect(world.ledger.getTransaction(signature)).toMatchObject({
      err,
      fee: 5_000n,
      logs: [],
      loadedAccountsDataSize: 0,
    });
    expect(lamportsOf(alice.address)).toBe(9_999_995_000n);
  });

  it.each<[string, () => Transaction, unknown]>([
    ['has an invalid signature', () => spoilSignature(pay(1_000_000n)), 'SignatureFailure'],
    [
      'cannot pay the fee',
      () => buildTransaction(world.ledger, [new Keypair(world.random.bytes(32))], [addMemo('?')]),
      'AccountNotFound',
    ],
    ['has an unknown blockhash', () => pay(1_000_000n, world.random.bytes(32)), 'BlockhashNotFound'],
    [
      'has an invalid compute budget instruction',
      () => run({ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(9) }),
      { InstructionError: [0, 'InvalidInstructionData'] },
    ],
  ])('neither charges nor keeps a transaction that %s', async (_, build, err) => {
    const transaction = build();
    const submission = await world.ledger.submit(transaction);
    expect(submission).toMatchObject({ err, landed: false });
    expect(world.ledger.getTransaction(submission.signature)).toBeNull();
    expect(lamportsOf(alice.address)).toBe(10_000_000_000n);
  });

  it('rejects a malformed message', async () => {
    const transaction = pay(1n);
    const wire = new Uint8Array(transaction.wire);
    wire[transaction.messageAt] = 9;
    await expect(world.ledger.submit(decodeTransaction(wire))).rejects.toThrow(TransactionRejected);
  });

  it('accepts a blockhash of at most 150 blocks', async () => {
    const { blockhash } = world.ledger.head();
    passSlots(150);
    const inTime = await world.ledger.submit(pay(1_000_000n, decodeBase58(blockhash)));
    passSlots(1);
    const late = await world.ledger.submit(pay(1_000_001n, decodeBase58(blockhash)));
    expect([inTime.err, late.err]).toEqual([null, 'BlockhashNotFound']);
  });

  it('lands a transaction once, also with different signatures', async () => {
    const transaction = pay(1_000_000n);
    const both = await Promise.all([world.ledger.submit(transaction), world.ledger.submit(transaction)]);
    expect(both.map(({ err, landed }) => [err, landed])).toEqual([
      [null, true],
      ['AlreadyProcessed', false],
    ]);
    passSlots(150);
    expect((await world.ledger.submit(transaction)).err).toBe('AlreadyProcessed');
    passSlots(1);
    expect((await world.ledger.submit(transaction)).err).toBe('BlockhashNotFound');
    expect(lamportsOf(bob)).toBe(1_000_000n);
  });

  it('accepts a transaction that failed before it was charged, once the fee can be paid', async () => {
    const poor = new Keypair(world.random.bytes(32));
    const transaction = buildTransaction(world.ledger, [poor], [addMemo('later')]);
    expect((await world.ledger.submit(transaction)).err).toBe('AccountNotFound');
    await world.ledger.airdrop(poor.address, 1_000_000_000n);
    expect((await world.ledger.submit(transaction)).err).toBeNull();
  });

  it('shows the owner of an account that was closed and funded again without a call of the system program', async () => {
    const carol = await world.fundedWallet();
    await world.ledger.airdropTokens(alice.address, USDC_MINT, 0n);
    await world.ledger.airdropTokens(carol.address, USDC_MINT, 0n);
    const [own, other] = [alice, carol].map(
      ({ address }) => deriveAta(address, USDC_MINT, TOKEN_PROGRAM).address,
    ) as [Address, Address];
    const close = (account: Address, destination: Address, authority: Address): Instruction =>
      closeTokenAccount(TOKEN_PROGRAM, { account, destination, authority });
    const transaction = buildTransaction(
      world.ledger,
      [alice, carol],
      [close(own, alice.address, alice.address), close(other, own, carol.address)],
    );
    expect(transaction.staticKeys).not.toContain(SYSTEM_PROGRAM);
    expect((await world.ledger.submit(transaction)).err).toBeNull();
    expect(world.ledger.getAccount(own)).toMatchObject({ owner: SYSTEM_PROGRAM, lamports: 2_039_280n });
    expect(world.ledger.getAccount(own)?.data).toHaveLength(0);
    expect(world.ledger.getAccount(other)).toBeNull();
    expect(holdingsOf(world.ledger, USDC_MINT)).toEqual([]);
  });

  it('empties an account that pays with its last lamport', async () => {
    const last = lamportsOf(alice.address) - 5_000n;
    await world.ledger.submit(pay(last));
    expect(world.ledger.getAccount(alice.address)).toBeNull();
    expect(lamportsOf(bob)).toBe(last);
  });
});

describe('simulate', () => {
  const balances = ({ preBalances, postBalances, fee, err }: Execution) => ({
    preBalances,
    postBalances,
    fee,
    err,
  });

  it('returns the result of a transaction and changes nothing', () => {
    const simulation = world.ledger.simulate(pay(1_000_000n), CHECKED);
    expect(balances(simulation)).toEqual({
      err: null,
      fee: 5_000n,
      preBalances: [10_000_000_000n, 0n, 1n],
      postBalances: [9_998_995_000n, 1_000_000n, 1n],
    });
    expect(simulation.slot).toBe(512);
    expect(simulation.replacementBlockhash).toBeNull();
    expect(simulation.accountAfter(bob)?.lamports).toBe(1_000_000n);
    expect(lamportsOf(bob)).toBe(0n);
    expect(lamportsOf(alice.address)).toBe(10_000_000_000n);
  });

  it('returns accounts outside the transaction unchanged', () => {
    const simulation = world.ledger.simulate(pay(1_000_000n), UNCHECKED);
    expect(simulation.accountAfter(USDC_MINT)).toEqual(world.ledger.getAccount(USDC_MINT));
    expect(simulation.accountAfter(addressOf(world.random.bytes(32)))).toBeNull();
  });

  it('checks signatures only if requested', () => {
    const unsigned = spoilSignature(pay(1_000_000n));
    expect(world.ledger.simulate(unsigned, UNCHECKED).err).toBeNull();
    expect(world.ledger.simulate(unsigned, CHECKED)).toMatchObject({
      err: 'SignatureFailure',
      fee: null,
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
      logs: [],
      computeUnits: 0,
    });
  });

  it('accepts a blockhash that is 144 blocks old and none older, unless it replaces the blockhash', () => {
    const transaction = pay(1_000_000n);
    passSlots(144);
    expect(world.ledger.simulate(transaction, UNCHECKED).err).toBeNull();
    passSlots(1);
    expect(balances(world.ledger.simulate(transaction, UNCHECKED))).toEqual({
      err: 'BlockhashNotFound',
      fee: null,
      preBalances: [10_000_000_000n, 0n, 1n],
      postBalances: [10_000_000_000n, 0n, 1n],
    });
    const { err, replacementBlockhash } = world.ledger.simulate(transaction, REPLACED);
    const { blockhash, lastValidBlockHeight } = world.ledger.head();
    expect(err).toBeNull();
    expect(replacementBlockhash).toEqual({ blockhash, lastValidBlockHeight });
  });

  it('reports that a transaction has landed, unless a new blockhash changes it', async () => {
    const transaction = pay(1_000_000n);
    await world.ledger.submit(transaction);
    expect(world.ledger.simulate(transaction, UNCHECKED).err).toBe('AlreadyProcessed');
    // The newest blockhash is the one it has.
    expect(world.ledger.simulate(transaction, REPLACED).err).toBe('AlreadyProcessed');
    passSlots(1);
    expect(world.ledger.simulate(transaction, UNCHECKED).err).toBe('AlreadyProcessed');
    expect(world.ledger.simulate(transaction, REPLACED).err).toBeNull();
  });

  it('returns the fee of a transaction that fails after it was charged, and its accounts', () => {
    const failing = run(transferLamports(alice.address, bob, 10n ** 12n));
    const simulation = world.ledger.simulate(failing, UNCHECKED);
    expect(balances(simulation)).toEqual({
      err: { InstructionError: [0, { Custom: 1 }] },
      fee: 5_000n,
      preBalances: [10_000_000_000n, 0n, 1n],
      postBalances: [9_999_995_000n, 0n, 1n],
    });
    expect(simulation.accountAfter(alice.address)?.lamports).toBe(9_999_995_000n);
  });

  it('rejects a malformed message before anything else', () => {
    const transaction = spoilSignature(pay(1_000_000n));
    expect(() => world.ledger.simulate({ ...transaction, signatures: [] }, CHECKED)).toThrow(
      'SanitizeFailure',
    );
  });

  it('shows token balances on both sides', async () => {
    const carol = await world.fundedWallet();
    await world.ledger.airdropTokens(alice.address, USDC_MINT, 1_000n);
    await world.ledger.airdropTokens(carol.address, USDC_MINT, 1n);
    const [source, destination] = [alice, carol].map(
      ({ address }) => deriveAta(address, USDC_MINT, TOKEN_PROGRAM).address,
    ) as [Address, Address];
    const transaction = run(
      transferTokens(TOKEN_PROGRAM, { source, destination, authority: alice.address }, 400n),
    );
    const amounts = (list: Execution['preTokenBalances']) =>
      Object.fromEntries((list ?? []).map(({ owner, amount }) => [owner, amount]));
    const simulation = world.ledger.simulate(transaction, UNCHECKED);
    expect(amounts(simulation.preTokenBalances)).toEqual({ [alice.address]: 1_000n, [carol.address]: 1n });
    expect(amounts(simulation.postTokenBalances)).toEqual({ [alice.address]: 600n, [carol.address]: 401n });
    await world.ledger.submit(transaction);
    expect(readTokenAmount(world.ledger.getAccount(destination)?.data ?? new Uint8Array(0))).toBe(401n);
    expect(holdingsOf(world.ledger, USDC_MINT).slice(0, 1)).toEqual([{ address: source, amount: 600n }]);
    // A blockhash that is too old leaves the balances as they are, token balances included.
    passSlots(151);
    const stale = world.ledger.simulate(transaction, UNCHECKED);
    expect(amounts(stale.preTokenBalances)).toEqual(amounts(stale.postTokenBalances));
    expect(amounts(stale.preTokenBalances)).toEqual({ [alice.address]: 600n, [carol.address]: 401n });
  });

  it('returns return data and inner instructions', async () => {
    const ata = deriveAta(alice.address, USDC_MINT, TOKEN_PROGRAM).address;
    // GetAccountDataSize of the token program answers by return data.
    const size = run({
      programId: TOKEN_PROGRAM,
      accounts: [{ address: USDC_MINT, signer: false, writable: false }],
      data: Uint8Array.of(21),
    });
    expect(world.ledger.simulate(size, UNCHECKED).returnData).toEqual({
      programId: TOKEN_PROGRAM,
      data: Uint8Array.of(165, 0, 0, 0, 0, 0, 0, 0),
    });
    const signature = await world.ledger.airdropTokens(alice.address, USDC_MINT, 1n);
    const record = world.ledger.getTransaction(signature);
    expect(record?.innerInstructions.map(({ index }) => index)).toEqual([0]);
    expect(record?.innerInstructions[0]?.instructions.map(({ stackHeight }) => stackHeight)).toEqual([
      2, 2, 2, 2,
    ]);
    expect(decodeTransaction(record?.wire ?? new Uint8Array(0)).staticKeys).toContain(ata);
  });
});
