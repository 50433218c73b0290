import { beforeEach, describe, expect, it } from 'vitest';
import { ataOf, FRIEND, LayoutBScene, openLayoutB, OWNER } from '../../../../test/layout-b-scene.ts';
import { instructionsOf } from '../../../../test/run-operation.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { createAtaIdempotent } from '../../../programs/associated-token.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { transferLamports } from '../../../programs/system.ts';
import { closeTokenAccount } from '../../../programs/token/instructions.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { RENT_PDA } from '../../fees/costs.ts';

const mint = USDC_MINT;
/** Tag 24 opens the shuttle of a deposit, and names it third. */
const DEPOSIT_TAG = 24;

let scene: LayoutBScene;
let shuttle: Address;

beforeEach(async ({ skip }) => {
  scene = openLayoutB(skip);
  await scene.play('initializeMint', { payer: OWNER, mint });
  shuttle = await strand();
});

/** A deposit whose shuttle its rollup gave back with the tokens still in it. */
async function strand(amount = 1_000_000): Promise<Address> {
  const transaction = await scene.play('deposit', { owner: OWNER, mint, amount });
  const opened = instructionsOf(transaction).find(
    ({ programId, data }) => programId === EPHEMERAL_TOKEN_PROGRAM && data[0] === DEPOSIT_TAG,
  );
  const stranded = opened?.accounts[2]?.address as Address;
  scene.giveBack(deriveEata(stranded, mint).address, RENT_PDA);
  return stranded;
}

async function build(args: object): Promise<string> {
  const { transactions } = await scene.call('recoverShuttles', { payer: FRIEND, ...args });
  return (transactions as { transactionBase64: string }[])[0]?.transactionBase64 ?? '';
}

const asked = (transaction: string, args: object, more: object = {}) =>
  scene.explain(transaction, {
    request: { operation: 'recoverShuttles', arguments: { payer: FRIEND, ...args } },
    ...more,
  });

/** The same transaction with one account in the place of another. */
const swapped = (transaction: string, from: Address, to: Address): string =>
  remade(transaction, (all) =>
    all.map((one) => ({
      ...one,
      accounts: one.accounts.map((meta) => (meta.address === from ? { ...meta, address: to } : meta)),
    })),
  );

const remade = (transaction: string, change: (all: Instruction[]) => Instruction[]): string =>
  scene.unsignedText(FRIEND, ...change(instructionsOf(transaction)));

describe('a requested recovery of shuttles', () => {
  it.each<[string, () => object]>([
    ['by its owner', () => ({ owner: OWNER, mint })],
    ['by itself', () => ({ shuttles: [shuttle] })],
    ['without any argument', () => ({})],
  ])('is clear: named %s', async (_, args) => {
    const explained = await asked(await build(args()), args());
    expect(explained.request).toMatchObject({ satisfied: 'yes', differences: [] });
    expect(explained.verdict).toBe('clear');
  });

  it('says which of several shuttles it empties', async () => {
    const args = { shuttles: [shuttle, await strand()] };
    const { request } = await asked(await build({ shuttles: [shuttle] }), args);
    expect(request?.satisfied).toBe('yes');
    const claim = request?.claims.find(({ name }) => name === 'shuttles');
    expect(claim?.message).toBe(`shuttles: ${shuttle} (2 requested; the others are not in this transaction)`);
  });

  it.each<[string, () => object, string]>([
    ['of an owner other than the given one', () => ({ owner: FRIEND }), 'owner'],
    ['of a mint other than the given one', () => ({ mint: NATIVE_MINT }), 'mint'],
    ['that was not given', () => ({ shuttles: [FRIEND] }), 'shuttle'],
  ])('differs if it empties a shuttle %s', async (_, args, part) => {
    const explained = await asked(await build({ owner: OWNER, mint }), args());
    expect(explained.request?.satisfied).toBe('no');
    expect(explained.request?.differences.map((difference) => difference.part)).toContain(part);
    expect(explained.verdict).toBe('danger');
  });

  it.each<[string, () => [Address, Address], string]>([
    ['the recipient of the tokens', () => [ataOf(OWNER), ataOf(FRIEND)], 'destinationAta'],
    ['the recipient of the rents', () => [RENT_PDA, FRIEND], 'rentRefund'],
    ['the shuttle', () => [shuttle, FRIEND], 'shuttle'],
    ['the eATA of the shuttle', () => [deriveEata(shuttle, mint).address, FRIEND], 'shuttleEata'],
    ['the token account of the shuttle', () => [ataOf(shuttle), ataOf(FRIEND)], 'shuttleAta'],
  ])('differs if someone replaced %s', async (_, pair, part) => {
    const args = { owner: OWNER, mint };
    const { request } = await asked(swapped(await build(args), ...pair()), args);
    expect(request?.satisfied).toBe('no');
    expect(request?.differences.map((difference) => difference.part)).toContain(part);
  });

  it('differs if it does something else or recovers nothing', async () => {
    const args = { owner: OWNER, mint };
    const transaction = await build(args);
    const theft = transferLamports(FRIEND, OWNER, 1_000_000n);
    for (const change of [(all: Instruction[]) => [...all, theft], () => [theft]]) {
      const { request } = await asked(remade(transaction, change), args);
      expect(request?.satisfied).toBe('no');
      expect(request?.differences.map((difference) => difference.part)).toContain('instructions');
    }
  });

  it('creates the token account of a requested owner, but not of a stranger', async () => {
    await strand(4_000_000);
    const to = { account: ataOf(OWNER), destination: OWNER, authority: OWNER };
    scene.vm.run(OWNER, closeTokenAccount(TOKEN_PROGRAM, to));
    const transaction = await build({ owner: OWNER, mint });
    expect((await asked(transaction, { owner: OWNER, mint })).request?.satisfied).toBe('yes');
    const unasked = await asked(transaction, {});
    expect(unasked.request?.satisfied).toBe('no');
    expect(unasked.request?.differences).toContainEqual(
      expect.objectContaining({ expected: 'nothing', found: expect.stringContaining('createAtaIdempotent') }),
    );
    const twice = remade(transaction, (all) => [
      createAtaIdempotent({
        payer: FRIEND,
        ata: ataOf(OWNER),
        owner: OWNER,
        mint,
        tokenProgram: TOKEN_PROGRAM,
      }),
      ...all,
    ]);
    expect((await asked(twice, { owner: OWNER, mint })).request?.satisfied).toBe('no');
  });

  it('is not proven without a ledger, and differs if its shuttle is closed', async () => {
    const args = { owner: OWNER, mint };
    const transaction = await build(args);
    const offline = await asked(transaction, args, { offline: true });
    expect(offline.request).toMatchObject({ satisfied: 'unverifiable', differences: [] });
    scene.send(transaction);
    const { request } = await asked(transaction, args);
    expect(request?.satisfied).toBe('no');
    expect(request?.differences).toContainEqual({
      part: 'shuttle',
      expected: 'an open shuttle',
      found: shuttle,
    });
  });
});
