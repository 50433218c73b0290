import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clusters } from '../chain/clusters.ts';
import { deriveDepositAccounts } from '../payments/accounts/deposit-accounts.ts';
import { createDeposit } from '../payments/deposit.ts';
import { ANONYMOUS } from '../payments/operation.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { delegatedValidator } from '../programs/delegation/state.ts';
import { decodeEata } from '../programs/ephemeral-token/state.ts';
import { decodeTokenAccount } from '../programs/token/state.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { LedgerChain } from './ledger-chain.ts';
import type { Ledger } from './ledger.ts';
import { openLedger } from './open-ledger.ts';
import { MemoryStore } from './store/memory-store.ts';

/** Deposits built by the payment operation, executed by the real programs. */

let ledger: Ledger;
let chain: LedgerChain;
let owner: Address;
let signWith: (message: Uint8Array) => Uint8Array;

beforeEach(async () => {
  ledger = await openLedger({
    place: { store: new MemoryStore() },
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  chain = new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  owner = addressOf(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)));
  signWith = (message) => new Uint8Array(sign(null, message, key));
  await ledger.airdrop(owner, 1_000_000_000n);
  await ledger.airdropTokens(owner, USDC_MINT, 5_000_000n);
  return () => ledger.close();
});

async function buildDeposit(args: object = {}) {
  const operation = createDeposit({ clusters: new Clusters([chain]), random: systemRandom });
  const { output } = await operation.run(
    operation.input.parse({ owner, amount: 2_000_000, ...args }),
    ANONYMOUS,
  );
  return output;
}

function signed(transactionBase64: string): Uint8Array {
  const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
  wire.set(signWith(wire.subarray(decodeTransaction(wire).messageAt)), 1);
  return wire;
}

describe('a deposit on the embedded ledger', () => {
  it.each([
    ['private', {}],
    ['public', { private: false }],
  ])('%s: moves exactly its amount into the vault and delegates the eATA', async (_, args) => {
    const accounts = deriveDepositAccounts(owner, USDC_MINT, TOKEN_PROGRAM);
    const built = await buildDeposit(args);
    expect(built).not.toHaveProperty('warnings');
    const signature = await chain.sendTransaction(signed(built.transactionBase64));
    expect(await chain.signatureStatus(signature)).toMatchObject({ err: null });

    const [eata, record, ownerAta, vaultAta, permission] = await chain.getAccounts([
      accounts.eata.address,
      accounts.delegation.record,
      accounts.ownerAta,
      accounts.vaultAta,
      accounts.permission,
    ]);
    expect(decodeTokenAccount(ownerAta?.data as Uint8Array)?.amount).toBe(3_000_000n);
    expect(decodeTokenAccount(vaultAta?.data as Uint8Array)?.amount).toBe(2_000_000n);
    expect(decodeEata(eata?.data as Uint8Array)).toEqual({ owner, mint: USDC_MINT, amount: 2_000_000n });
    expect(delegatedValidator(record ?? null, EPHEMERAL_TOKEN_PROGRAM)).toBe(LOCALNET_VALIDATOR);
    expect(permission !== null).toBe(!('private' in args));
  });

  it('is rejected the second time only', async () => {
    await chain.sendTransaction(signed((await buildDeposit()).transactionBase64));
    await expect(buildDeposit()).rejects.toMatchObject({
      code: 'EATA_ALREADY_DELEGATED',
      message: expect.stringContaining(LOCALNET_VALIDATOR),
    });
  });

  it('costs at most the lamports named in its warning', async () => {
    const before = ledger.getAccount(owner)?.lamports as bigint;
    await chain.sendTransaction(signed((await buildDeposit()).transactionBase64));
    const spent = before - (ledger.getAccount(owner)?.lamports as bigint);
    const poor = addressOf(
      new Uint8Array(
        generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
      ),
    );
    const { warnings } = await buildDeposit({ owner: poor });
    // The second owner finds the vault in place, so it is spared the two rents of that.
    const vaultRents = 1_113_600n + 2_039_280n;
    expect(warnings?.find(({ code }) => code === 'INSUFFICIENT_LAMPORTS')?.message).toContain(
      `at least ${spent - vaultRents} `,
    );
  });

  it('that would fail is rejected before it is sent, with the reason', async () => {
    const built = await buildDeposit({ amount: 6_000_000 });
    expect(built.warnings?.map(({ code }) => code)).toEqual(['INSUFFICIENT_TOKENS']);
    await expect(chain.sendTransaction(signed(built.transactionBase64))).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: expect.stringContaining('custom program error: 0x1'),
    });
  });
});

describe('LedgerChain', () => {
  it('simulates an unsigned transaction and returns the requested accounts', async () => {
    const { ownerAta } = deriveDepositAccounts(owner, USDC_MINT, TOKEN_PROGRAM);
    const { transactionBase64 } = await buildDeposit();
    const run = await chain.simulateTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')), [
      ownerAta,
    ]);
    expect(run.err).toBeNull();
    expect(decodeTokenAccount(run.accounts?.[0]?.data as Uint8Array)?.amount).toBe(3_000_000n);
    expect(decodeTokenAccount(ledger.getAccount(ownerAta)?.data as Uint8Array)?.amount).toBe(5_000_000n);
  });

  it('rejects bytes that are not a transaction', async () => {
    await expect(chain.sendTransaction(Uint8Array.of(1, 2, 3))).rejects.toMatchObject({
      code: 'INVALID_TRANSACTION',
    });
  });

  it('returns no status for a signature that never landed', async () => {
    expect(await chain.signatureStatus('1'.repeat(64))).toBeNull();
  });
});

it('finds the accounts of a program by their size and by an address in them', async () => {
  const holder = addressOf(new Uint8Array(32).fill(5));
  await ledger.airdropTokens(holder, USDC_MINT, 7n);
  const search = { program: TOKEN_PROGRAM, byteCount: 165 };
  const mine = await chain.searchAccounts({ ...search, having: { offset: 32, address: holder } });
  expect(mine.map(({ account }) => decodeTokenAccount(account.data)?.amount)).toEqual([7n]);
  const nobody = addressOf(new Uint8Array(32).fill(6));
  expect(await chain.searchAccounts({ ...search, having: { offset: 32, address: nobody } })).toEqual([]);
  expect(await chain.searchAccounts({ ...search, byteCount: 164 })).toEqual([]);
});
