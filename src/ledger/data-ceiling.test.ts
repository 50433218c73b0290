import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { closeTokenAccount, transferTokens } from '../programs/token/instructions.ts';
import { rentExemptMinimum } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { Keypair } from './keypair.ts';
import { GONE } from './run/account-states.ts';
import { MemoryStore } from './store/memory-store.ts';
import { createAccount } from './testing/instructions.ts';
import { accountOf } from './testing/make-account.ts';
import { SeededRandom } from './testing/seeded-random.ts';
import { buildTransaction, openTestLedger } from './testing/test-ledger.ts';

const MIB = 1024 * 1024;
const WOULD_EXCEED = 'WouldExceedAccountDataTotalLimit';
const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const large = (bytes: number) => accountOf(SYSTEM_PROGRAM, new Uint8Array(bytes));
const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

/** The value of {@link EmbeddedLedger.accountsBytes}, computed from the accounts. */
const countBytes = (ledger: EmbeddedLedger): number =>
  [...ledger.accounts()].reduce((sum, [, { data }]) => sum + data.length, 0);

/** A ledger with a wallet that has a USDC account without tokens, and with room for so many bytes more. */
async function openWithRoom(bytes: number) {
  const store = new MemoryStore();
  const first = await openTestLedger({ place: { store } });
  const wallet = await first.fundedWallet();
  await first.ledger.airdrop(wallet.address, 1_000_000_000_000n);
  await first.ledger.airdropTokens(wallet.address, USDC_MINT, 0n);
  const accountsBytesMax = first.ledger.accountsBytes() + bytes;
  await first.ledger.close();
  const warnings: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  const world = await openTestLedger({ place: { store }, accountsBytesMax, logger });
  const { ledger } = world;
  const random = new SeededRandom('created');
  const create = (...sizes: number[]) => {
    const keys = sizes.map(() => new Keypair(random.bytes(32)));
    const instructions = keys.map(({ address }, index) => {
      const space = sizes[index] as number;
      const lamports = rentExemptMinimum(space);
      return createAccount(wallet.address, address, {
        lamports,
        space: BigInt(space),
        owner: SYSTEM_PROGRAM,
      });
    });
    return buildTransaction(ledger, [wallet, ...keys], instructions);
  };
  return { ...world, store, wallet, warnings, create, accountsBytesMax };
}

describe('a ledger at its limit of account data', () => {
  it('fails and charges a transaction that adds data (bug: 20 calls used a gigabyte of memory)', async () => {
    const { ledger, wallet, create } = await openWithRoom(1_000);
    expect(await ledger.submit(create(1_000))).toMatchObject({ err: null });
    const transaction = create(1);
    const options = { verifySignatures: true, replaceBlockhash: false };
    expect(ledger.simulate(transaction, options).err).toBe(WOULD_EXCEED);
    const before = ledger.getAccount(wallet.address)?.lamports as bigint;
    const { signature, err, landed } = await ledger.submit(transaction);
    expect({ err, landed }).toEqual({ err: WOULD_EXCEED, landed: true });
    expect(ledger.signatureStatus(signature)?.err).toBe(WOULD_EXCEED);
    expect(ledger.getAccount(transaction.staticKeys[1] as Address)).toBeNull();
    expect(ledger.getAccount(wallet.address)?.lamports).toBe(before - 10_000n);
    await ledger.close();
  });

  it('enforces the limit to the byte, also without a simulation', async () => {
    const { ledger, create, accountsBytesMax } = await openWithRoom(15 * MIB);
    expect((await ledger.submit(create(10 * MIB, 5 * MIB + 1))).err).toBe(WOULD_EXCEED);
    expect((await ledger.submit(create(10 * MIB, 5 * MIB))).err).toBeNull();
    expect(ledger.accountsBytes()).toBe(accountsBytesMax);
    await ledger.close();
  });

  it('accepts transactions that keep or reduce the total, also far above the limit', async () => {
    const { ledger, wallet, create, warnings } = await openWithRoom(-1_000);
    expect(warnings).toEqual([{ bytes: ledger.accountsBytes(), bytesMax: ledger.accountsBytes() - 1_000 }]);
    const submit = async (...instructions: Parameters<typeof buildTransaction>[2]) =>
      (await ledger.submit(buildTransaction(ledger, [wallet], instructions))).err;
    const { address: authority } = wallet;
    const own = ataOf(authority);
    expect(await submit(transferLamports(authority, at(1), 1_000_000_000n))).toBeNull();
    const accounts = { source: own, destination: own, authority };
    expect(await submit(transferTokens(TOKEN_PROGRAM, accounts, 0n))).toBeNull();
    expect((await ledger.submit(create(1))).err).toBe(WOULD_EXCEED);
    const bytes = ledger.accountsBytes();
    const close = { account: own, destination: authority, authority };
    expect(await submit(closeTokenAccount(TOKEN_PROGRAM, close))).toBeNull();
    expect(ledger.accountsBytes()).toBe(bytes - 165);
    await ledger.close();
  });

  it('reports why an airdrop of tokens fails', async () => {
    const { ledger } = await openWithRoom(0);
    await expect(ledger.airdropTokens(at(1), USDC_MINT, 1n)).rejects.toThrow(
      'The airdrop failed: Transaction would exceed total account data limit',
    );
    await ledger.close();
  });

  it("rejects an operator's account with the name of the setting, and accepts one that frees space", async () => {
    const { ledger, accountsBytesMax } = await openWithRoom(1_000);
    await ledger.setAccounts([[at(1), large(1_000)]]);
    const refusal = {
      code: 'LEDGER_FULL',
      message: expect.stringMatching(/raise LEDGER_ACCOUNTS_BYTES_MAX/) as string,
      context: { bytes: accountsBytesMax + 1, bytesMax: accountsBytesMax },
    };
    await expect(ledger.setAccounts([[at(2), large(1)]])).rejects.toMatchObject(refusal);
    expect(ledger.getAccount(at(2))).toBeNull();
    await ledger.setAccounts([
      [at(2), large(10_000)],
      [at(1), GONE],
      [at(2), large(900)],
    ]);
    await ledger.setAccounts([[at(2), large(800)]]);
    expect(ledger.accountsBytes()).toBe(accountsBytesMax - 200);
    await ledger.close();
  });

  it('accepts the accounts of the node itself', async () => {
    const { ledger } = await openWithRoom(0);
    await ledger.setOwnAccounts([[at(2), large(1)]]);
    expect(ledger.getAccount(at(2))).not.toBeNull();
    await ledger.close();
  });
});

describe('the bytes of the accounts of a ledger', () => {
  it('are counted exactly through all changes, and the same after a restart', async () => {
    const { ledger, store, wallet, create } = await openWithRoom(100 * MIB);
    await ledger.submit(create(5_000, 300_000));
    await ledger.setAccounts([[at(1), large(70_000)]]);
    await ledger.setAccounts([[at(1), large(20)]]);
    await ledger.airdropTokens(at(2), USDC_MINT, 5n);
    const close = { account: ataOf(wallet.address), destination: at(2), authority: wallet.address };
    await ledger.submit(buildTransaction(ledger, [wallet], [closeTokenAccount(TOKEN_PROGRAM, close)]));
    const bytes = ledger.accountsBytes();
    expect(bytes).toBe(countBytes(ledger));
    await ledger.close();
    const { ledger: again } = await openTestLedger({ place: { store } });
    expect(again.accountsBytes()).toBe(bytes);
    await again.resetLedger();
    expect(again.accountsBytes()).toBe(countBytes(again));
    await again.close();
  });

  it('grow by at most 20 MiB in one transaction, as the check of the limit assumes', async () => {
    const { ledger, create } = await openWithRoom(100 * MIB);
    const { err } = await ledger.submit(create(10 * MIB, 10 * MIB, 1));
    expect(err).toEqual({ InstructionError: [2, 'MaxAccountsDataAllocationsExceeded'] });
    expect((await ledger.submit(create(10 * MIB, 10 * MIB))).err).toBeNull();
    await ledger.close();
  });
});
