import { beforeAll, describe, expect, it } from 'vitest';
import {
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { decodeMint } from '../programs/token/state.ts';
import { addressOf } from '../solana/address.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import type { FaucetLimits } from './faucet.ts';
import { localGenesis } from './genesis/genesis.ts';
import { readTokenAmount } from './state/accounts.ts';
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

  it('lands every time, also twice in one slot', async () => {
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
  ])('explains why it cannot give %s', async (_, lamports, reason) => {
    const owner = stranger();
    await expect(world.ledger.airdrop(owner, lamports)).rejects.toThrow(reason);
    await expect(world.ledger.airdrop(owner, lamports)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(world.ledger.getAccount(owner)).toBeNull();
  });

  it.each([-1n, 1n << 64n])('rejects %i lamports', async (lamports) => {
    await expect(world.ledger.airdrop(stranger(), lamports)).rejects.toMatchObject({
      code: 'INVALID_AMOUNT',
    });
  });
});

describe('airdropTokens', () => {
  it('creates the ATA and mints to it, also a second time', async () => {
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

  it('rejects a missing mint and an account that is not a mint', async () => {
    for (const mint of [stranger(), SYSTEM_PROGRAM, world.ledger.faucet]) {
      await expect(world.ledger.airdropTokens(stranger(), mint, 1n)).rejects.toMatchObject({
        code: 'MINT_NOT_FOUND',
      });
    }
  });

  it("cannot mint without being the mint's authority", async () => {
    await expect(world.ledger.airdropTokens(stranger(), NATIVE_MINT, 1n)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });

  it('rejects an amount beyond u64, and explains why the supply cannot exceed u64', async () => {
    await expect(world.ledger.airdropTokens(stranger(), USDC_MINT, 1n << 64n)).rejects.toMatchObject({
      code: 'INVALID_AMOUNT',
    });
    await expect(world.ledger.airdropTokens(stranger(), USDC_MINT, (1n << 64n) - 1n)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });
});

describe('a faucet with limits', () => {
  const SOL = 1_000_000_000n;
  /** Agave `Rent::default()` for 165 bytes. */
  const ATA_RENT = 2_039_280n;
  const open = (faucetLimits: FaucetLimits) =>
    openTestLedger({ genesis: localGenesis(1_000n * SOL), faucetLimits });

  it('enforces its limit per call', async () => {
    const { ledger, random } = await open({ perCall: 2n * SOL });
    const owner = addressOf(random.bytes(32));
    await expect(ledger.airdrop(owner, 2n * SOL + 1n)).rejects.toMatchObject({
      code: 'FAUCET_LIMIT',
      message: 'The faucet transfers at most 2 SOL per call, but this call requests 2.000000001 SOL',
    });
    await ledger.airdrop(owner, 2n * SOL);
    await ledger.airdrop(owner, 2n * SOL);
    await ledger.airdropTokens(owner, USDC_MINT, 10n ** 15n);
    expect(ledger.getAccount(owner)?.lamports).toBe(4n * SOL);
    await ledger.close();
  });

  it('enforces its limit per address and time slice', async () => {
    const { ledger, random, clock } = await open({ perSlice: 5n * SOL, sliceMs: 30_000 });
    const [owner, other] = [addressOf(random.bytes(32)), addressOf(random.bytes(32))];
    await ledger.airdrop(owner, 4n * SOL);
    clock.pass(10_500);
    const more = ledger.airdrop(owner, 2n * SOL);
    await expect(more).rejects.toMatchObject({ code: 'FAUCET_LIMIT' });
    await expect(more).rejects.toThrow(`${owner} has received 4 SOL and requests 2 SOL. Try again in 20 s`);
    await ledger.airdrop(owner, SOL);
    await ledger.airdrop(other, 5n * SOL);
    clock.pass(19_500);
    await ledger.airdrop(owner, 5n * SOL);
    expect(ledger.getAccount(owner)?.lamports).toBe(10n * SOL);
    await ledger.close();
  });

  it('enforces it for concurrent calls, and does not count failed ones', async () => {
    const { ledger, random } = await open({ perSlice: 2_000n * SOL });
    const owner = addressOf(random.bytes(32));
    await expect(ledger.airdrop(owner, 1_500n * SOL)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    await ledger.airdrop(owner, 600n * SOL);
    await ledger.close();
    const busy = await open({ perSlice: 3n * SOL });
    const calls = Array.from({ length: 5 }, () => busy.ledger.airdrop(owner, SOL));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await busy.ledger.close();
  });

  it('counts the rent of the token accounts it creates, but no tokens', async () => {
    const { ledger, random } = await open({ perSlice: ATA_RENT });
    const owner = addressOf(random.bytes(32));
    await ledger.airdropTokens(owner, USDC_MINT, 10n ** 15n);
    await ledger.airdropTokens(owner, USDC_MINT, 10n ** 15n);
    await expect(ledger.airdropTokens(owner, USDC_DEVNET_MINT, 1n)).rejects.toMatchObject({
      code: 'FAUCET_LIMIT',
    });
    await ledger.close();
  });

  it('starts a new slice if the clock was set back', async () => {
    const { ledger, random, clock } = await open({ perSlice: SOL });
    const owner = addressOf(random.bytes(32));
    await ledger.airdrop(owner, SOL);
    clock.pass(-3_600_000);
    await ledger.airdrop(owner, SOL);
    await ledger.close();
  });
});
