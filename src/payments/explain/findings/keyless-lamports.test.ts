import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clusters } from '../../../chain/clusters.ts';
import type { Keypair } from '../../../ledger/keypair.ts';
import { LedgerChain } from '../../../ledger/ledger-chain.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../../ledger/testing/test-ledger.ts';
import { LOCALNET_VALIDATOR, NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../programs/associated-token.ts';
import { deriveVault } from '../../../programs/ephemeral-token/pdas.ts';
import { transferLamports } from '../../../programs/system.ts';
import { closeTokenAccount, syncNative } from '../../../programs/token/instructions.ts';
import { RENT_EXEMPT_EPOCH } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { findPda } from '../../../solana/pda.ts';
import { createExplainTransaction } from '../../explain-transaction.ts';
import { RENT_PDA } from '../../fees/costs.ts';
import { ANONYMOUS } from '../../operation.ts';

let stack: TestLedger;
let owner: Keypair;
let friend: Keypair;

beforeAll(async () => {
  stack = await openTestLedger();
  [owner, friend] = [await stack.fundedWallet(), await stack.fundedWallet()];
  for (const { address } of [owner, friend]) await stack.ledger.airdropTokens(address, USDC_MINT, 5n);
});
afterAll(() => stack.ledger.close());

const ataOf = (of: Address, mint: Address): Address => deriveAta(of, mint, TOKEN_PROGRAM).address;
const pay = (to: Address): Instruction => transferLamports(owner.address, to, 2_000_000_000n);

/** The findings about the recipients, and the verdict. */
async function judge(...instructions: Instruction[]): Promise<[verdict: string, findings: string[]]> {
  const transaction = buildTransaction(stack.ledger, [owner], instructions);
  const chain = new LedgerChain('localnet', stack.ledger, LOCALNET_VALIDATOR);
  const clusters = new Clusters([chain]);
  const operation = createExplainTransaction({ clusters, operations: [], sponsor: null });
  const transactionBase64 = Buffer.from(transaction.wire).toString('base64');
  const { output } = await operation.run(
    operation.input.parse({ transactionBase64, sendTo: 'base' }),
    ANONYMOUS,
  );
  const found = output.findings.filter(({ code }) => code === 'RECIPIENT_KEYLESS');
  return [output.verdict, found.map(({ level, message }) => `${level}: ${message}`)];
}

describe('SOL sent to an address without a key is a danger (bug: it was clear)', () => {
  it.each<[string, () => Address, string]>([
    ['a mint', () => USDC_MINT, 'a mint: no key can withdraw them again'],
    ['a program', () => TOKEN_PROGRAM, 'a program'],
    ['a vault', () => deriveVault(USDC_MINT).address, 'a vault of private balances'],
    [
      "one's own token account",
      () => ataOf(owner.address, USDC_MINT),
      `a token account of mint ${USDC_MINT}: they do not count as tokens there, and return only when its holder`,
    ],
  ])('to %s', async (_, to, words) => {
    const [verdict, [found]] = await judge(pay(to()));
    expect(verdict).toBe('danger');
    expect(found).toContain(
      `danger: Instruction 0 (transferLamports): 2000000000 lamports (2 SOL) go to ${to()}`,
    );
    expect(found).toContain(words);
  });

  it('from an account that is closed', async () => {
    const destination = USDC_MINT;
    const account = ataOf(owner.address, NATIVE_MINT);
    const create = createAtaIdempotent({
      payer: owner.address,
      ata: account,
      owner: owner.address,
      mint: NATIVE_MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
    const close = closeTokenAccount(TOKEN_PROGRAM, { account, destination, authority: owner.address });
    expect((await judge(create, close))[1]).toEqual([expect.stringContaining('go to')]);
  });

  it('names the holder of a token account that belongs to someone else', async () => {
    const [, [found]] = await judge(pay(ataOf(friend.address, USDC_MINT)));
    expect(found).toContain(`its holder ${friend.address} closes the account`);
  });
});

describe('SOL is a caution', () => {
  it('in a wrapped SOL account of another wallet, and names its holder', async () => {
    const ata = ataOf(friend.address, NATIVE_MINT);
    const create = createAtaIdempotent({
      payer: owner.address,
      ata,
      owner: friend.address,
      mint: NATIVE_MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
    const [verdict, [found]] = await judge(create, pay(ata), syncNative(TOKEN_PROGRAM, ata));
    expect(verdict).toBe('caution');
    expect(found).toContain(`the wrapped SOL account of ${friend.address}; only that owner receives them`);
  });

  it('in an account of an unknown program (bug: a tip was a danger)', async () => {
    const [tips, program] = [findPda([new Uint8Array(4)], TOKEN_PROGRAM).address, friend.address];
    const account = { lamports: 5_000_000n, owner: program, data: new Uint8Array(), executable: false };
    await stack.ledger.setAccounts([[tips, { ...account, rentEpoch: RENT_EXEMPT_EPOCH }]]);
    const [verdict, found] = await judge(pay(tips));
    expect([verdict, found]).toEqual([
      'caution',
      [expect.stringContaining(`an account of program ${program}: only that program can return them`)],
    ]);
  });

  it('at an address without a key', async () => {
    const [verdict, found] = await judge(pay(findPda([new Uint8Array(3)], TOKEN_PROGRAM).address));
    expect([verdict, found]).toEqual(['caution', [expect.stringContaining('which is not a wallet')]]);
  });
});

describe('SOL is clear', () => {
  it.each<[string, () => Instruction[]]>([
    ['for a wallet', () => [pay(friend.address)]],
    ['for a wallet without an account', () => [pay(LOCALNET_VALIDATOR)]],
    ["for the program's account that pays for shuttles", () => [pay(RENT_PDA)]],
  ])('%s', async (_, instructions) => {
    expect((await judge(...instructions()))[1]).toEqual([]);
  });

  it("in the signer's own wrapped SOL account", async () => {
    const ata = ataOf(owner.address, NATIVE_MINT);
    const create = createAtaIdempotent({
      payer: owner.address,
      ata,
      owner: owner.address,
      mint: NATIVE_MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(await judge(create, pay(ata), syncNative(TOKEN_PROGRAM, ata))).toEqual(['clear', []]);
  });
});
