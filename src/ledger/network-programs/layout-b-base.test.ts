import { beforeAll, describe, expect, it } from 'vitest';
import { Clusters } from '../../chain/clusters.ts';
import { deriveShuttle } from '../../payments/accounts/deposit-accounts.ts';
import type { Operation } from '../../payments/operation.ts';
import { silentLogger } from '../../ports/logger.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveTransferQueue, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { signBuilt } from '../../rollup/testing/payment-scene.ts';
import { rollupValidatorOf } from '../../rollup/validator-accounts.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { createOperations } from '../../stack/operations.ts';
import type { Keypair } from '../keypair.ts';
import { LedgerChain } from '../ledger-chain.ts';
import { readTokenAmount } from '../state/accounts.ts';
import type { TestLedger } from '../testing/test-ledger.ts';
import { openLayoutBBase } from './testing/layout-b-base.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from './testing/layout-b-dumps.ts';

describe.skipIf(LAYOUT_B_FOLDER === null)(`a base ledger of layout B (needs ${NO_LAYOUT_B})`, () => {
  let world: TestLedger;
  let alice: Keypair;
  let bob: Keypair;
  let drawn: number[] = [];
  let operations: ReadonlyMap<string, Operation>;

  beforeAll(async () => {
    world = await openLayoutBBase();
    const { ledger, clock, random } = world;
    const validator = rollupValidatorOf(ledger).address;
    const localnet = new LedgerChain('localnet', ledger, validator, null, { layout: 'b' });
    /** Ids of shuttles are drawn from these, and at random when they are used up. */
    const scripted = {
      bytes(length: number): Uint8Array {
        const id = length === 4 ? drawn.shift() : undefined;
        return id === undefined ? random.bytes(length) : Uint8Array.of(id, 0, 0, 0);
      },
    };
    const ports = { clock, random: scripted, logger: silentLogger };
    const made = createOperations({ gaslessSponsorSecretKey: null }, new Clusters([localnet]), ports);
    operations = new Map(made.map((operation) => [operation.name, operation]));
    alice = await world.fundedWallet();
    bob = await world.fundedWallet();
    await ledger.airdropTokens(alice.address, USDC_MINT, 1_000_000n);
  });

  /** Builds with the operation, signs as Alice and submits; why it failed, with the logs. */
  async function land(name: string, args: object): Promise<unknown> {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const { output } = await operation.run(operation.input.parse(args), { token: undefined });
    const { transactionBase64 } = output as { readonly transactionBase64: string };
    const wire = new Uint8Array(Buffer.from(signBuilt(alice, transactionBase64), 'base64'));
    const { err, signature } = await world.ledger.submit(decodeTransaction(wire));
    return err === null ? null : [err, world.ledger.getTransaction(signature)?.logs];
  }

  it('runs the transactions of the operations: a mint is initialized and tokens are deposited', async () => {
    const { ledger } = world;
    expect(await land('initializeMint', { payer: alice.address, mint: USDC_MINT })).toBeNull();
    const validator = rollupValidatorOf(ledger).address;
    const queue = deriveTransferQueue(USDC_MINT, validator).address;
    expect(ledger.getAccount(queue)?.owner).toBe(DELEGATION_PROGRAM);

    const deposit = { owner: alice.address, mint: USDC_MINT, amount: 400_000 };
    expect(await land('deposit', deposit)).toBeNull();
    const transfer = { from: alice.address, to: validator, mint: USDC_MINT, amount: 100_000 };
    expect(await land('transfer', transfer)).toBeNull();
    const vaultAta = deriveAta(deriveVault(USDC_MINT).address, USDC_MINT, TOKEN_PROGRAM).address;
    const held = readTokenAmount(ledger.getAccount(vaultAta)?.data ?? new Uint8Array(0));
    // The transfer takes its fee of 10 bps on top.
    expect(held).toBe(500_100n);
  });

  it('uses the next shuttle if one has received lamports (bug: the transaction failed)', async () => {
    const owner = { owner: alice.address, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM };
    const transfer = { from: alice.address, to: bob.address, mint: USDC_MINT, amount: 1_000 };
    const metadataOf = (id: number): Address => deriveShuttle(owner, id).accounts.metadata;
    await world.ledger.airdrop(metadataOf(100), 890_880n);
    drawn = [100, 101];
    expect(await land('transfer', transfer)).toBeNull();
    expect(world.ledger.getAccount(metadataOf(101))?.owner).toBe(EPHEMERAL_TOKEN_PROGRAM);
  });

  it('offers the operations of layout B, without mentioning layout A', () => {
    for (const name of ['initializeMint', 'isMintInitialized', 'getStealthPool']) {
      expect(operations.get(name)?.isListed, name).not.toBe(false);
    }
    expect(operations.get('withdraw')?.description).not.toContain('localnet');
    expect(operations.get('transfer')?.description).not.toContain('default route does not exist');
  });
});
