import { beforeAll, describe, expect, it } from 'vitest';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { decodeMint } from '../programs/token/state.ts';
import { addressOf } from '../solana/address.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { localGenesis } from './genesis/local-genesis.ts';
import { readTokenAmount } from './state/token-keys.ts';
import { openTestLedger, type TestLedger } from './testing/test-ledger.ts';

let world: TestLedger;
beforeAll(async () => {
  world = await openTestLedger({ genesis: localGenesis(1_000n * 10n ** 9n) });
});
const stranger = () => addressOf(world.random.bytes(32));

describe('airdrop', () => {
  it('transfers lamports by a signed transaction that has a slot and a history', async () => {
    const owner = stranger();
    const signature = await world.ledger.airdrop(owner, 1_000_000_000n);
    expect(world.ledger.getAccount(owner)).toMatchObject({ lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM });
    const record = world.ledger.getTransaction(signature);
    expect(record).toMatchObject({ err: null, slot: world.ledger.head().slot, fee: 5_000n });
    const { staticKeys } = decodeTransaction(record?.wire ?? new Uint8Array(0));
    expect(staticKeys[0]).toBe(world.ledger.faucet);
  });

  it('lands as often as it is asked for, also twice the same in one slot', async () => {
    const owner = stranger();
    const signatures = await Promise.all(
      Array.from({ length: 20 }, () => world.ledger.airdrop(owner, 1_000_000n)),
    );
    expect(new Set(signatures).size).toBe(20);
    expect(world.ledger.getAccount(owner)?.lamports).toBe(20_000_000n);
  });

  it.each([
    ['more than the faucet has', 1_001n * 10n ** 9n, /custom program error: 0x1/],
    ['less than a new account needs', 1n, /insufficient funds for rent/],
  ])('says why it cannot give %s', async (_, lamports, reason) => {
    const owner = stranger();
    await expect(world.ledger.airdrop(owner, lamports)).rejects.toThrow(reason);
    await expect(world.ledger.airdrop(owner, lamports)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(world.ledger.getAccount(owner)).toBeNull();
  });

  it.each([-1n, 1n << 64n])('refuses %i lamports', async (lamports) => {
    await expect(world.ledger.airdrop(stranger(), lamports)).rejects.toMatchObject({
      code: 'INVALID_AMOUNT',
    });
  });
});

describe('airdropTokens', () => {
  it('makes the ATA, mints to it, and mints to it again', async () => {
    const owner = stranger();
    const ata = deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;
    const first = await world.ledger.airdropTokens(owner, USDC_MINT, 5_000_000n);
    const second = await world.ledger.airdropTokens(owner, USDC_MINT, 5_000_000n);
    expect(second).not.toBe(first);
    expect(readTokenAmount(world.ledger.getAccount(ata)?.data ?? new Uint8Array(0))).toBe(10_000_000n);
    expect(decodeMint(world.ledger.getAccount(USDC_MINT)?.data ?? new Uint8Array(0))?.supply).toBe(
      10_000_000n,
    );
    expect(world.ledger.getTransaction(first)?.postTokenBalances).toEqual([
      expect.objectContaining({ mint: USDC_MINT, owner, amount: 5_000_000n, decimals: 6 }),
    ]);
  });

  it('does not know a mint that is not there, or an account that is no mint', async () => {
    for (const mint of [stranger(), SYSTEM_PROGRAM, world.ledger.faucet]) {
      await expect(world.ledger.airdropTokens(stranger(), mint, 1n)).rejects.toMatchObject({
        code: 'MINT_NOT_FOUND',
      });
    }
  });

  it('cannot mint what it has no authority over', async () => {
    await expect(world.ledger.airdropTokens(stranger(), NATIVE_MINT, 1n)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });

  it('refuses an amount beyond u64, and says why more than u64 in all cannot be minted', async () => {
    await expect(world.ledger.airdropTokens(stranger(), USDC_MINT, 1n << 64n)).rejects.toMatchObject({
      code: 'INVALID_AMOUNT',
    });
    await expect(world.ledger.airdropTokens(stranger(), USDC_MINT, (1n << 64n) - 1n)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });
});
