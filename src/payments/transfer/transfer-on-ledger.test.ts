import { describe, expect, it } from 'vitest';
import { Clusters } from '../../chain/clusters.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import {
  LOCALNET_VALIDATOR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { signer as signing, writable } from '../../solana/instruction.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { deriveMintVault } from '../accounts/deposit-accounts.ts';
import { ANONYMOUS } from '../operation.ts';
import { createTransfer } from '../transfer.ts';

const FUNDED = 5_000_000n;

/** Two wallets on a new ledger with the real programs, the first of them with tokens. */
async function openScene() {
  const scene = await openTestLedger();
  const [sender, recipient] = [await scene.fundedWallet(), await scene.fundedWallet()];
  await scene.ledger.airdropTokens(sender.address, USDC_MINT, FUNDED);
  return { ...scene, sender, recipient };
}

const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

function tokensOf({ ledger }: Pick<TestLedger, 'ledger'>, account: Address): bigint | null {
  const found = ledger.getAccount(account);
  return found === null ? null : (decodeTokenAccount(found.data)?.amount ?? null);
}

/** Builds a public transfer, signs it as the sender, and sends it: what the ledger says. */
async function pay(
  scene: Awaited<ReturnType<typeof openScene>>,
  args: object,
  signer: Keypair = scene.sender,
) {
  const { ledger, random, sender, recipient } = scene;
  const clusters = new Clusters([new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR)]);
  const operation = createTransfer({ clusters, random });
  const parties = { from: sender.address, to: recipient.address, mint: USDC_MINT, visibility: 'public' };
  const { output } = await operation.run(operation.input.parse({ ...parties, ...args }), ANONYMOUS);
  const wire = new Uint8Array(Buffer.from(output.transactionBase64, 'base64'));
  wire.set(signer.sign(wire.subarray(decodeTransaction(wire).messageAt)), 1);
  return { output, submission: await ledger.submit(decodeTransaction(wire)) };
}

describe('a public transfer on the embedded ledger', () => {
  it('moves exactly the amount, creates the requested accounts, and costs no more lamports than announced', async () => {
    const scene = await openScene();
    const { ledger, sender, recipient } = scene;
    const lamportsBefore = ledger.getAccount(sender.address)?.lamports as bigint;
    const options = { initRecipientAta: true, initAtasIfMissing: true, memo: 'Order #1042' };
    const { submission } = await pay(scene, { amount: 1_234_567, ...options });
    expect(submission).toMatchObject({ err: null, landed: true });
    expect(tokensOf(scene, ataOf(sender.address))).toBe(FUNDED - 1_234_567n);
    expect(tokensOf(scene, ataOf(recipient.address))).toBe(1_234_567n);
    expect(lamportsBefore - (ledger.getAccount(sender.address)?.lamports as bigint)).toBe(
      2_039_280n + 5_000n,
    );
    await ledger.close();
  });

  it('is not built to a real address that is not a wallet', async () => {
    const scene = await openScene();
    const clock = 'SysvarC1ock11111111111111111111111111111111';
    for (const to of [USDC_MINT, USDC_DEVNET_MINT, TOKEN_PROGRAM, SYSTEM_PROGRAM, clock]) {
      const refused = pay(scene, { to, amount: 1, initRecipientAta: true });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_OWNER' });
    }
    await scene.ledger.close();
  });

  it('creates the vault of the mint if requested', async () => {
    const scene = await openScene();
    await scene.ledger.airdropTokens(scene.recipient.address, USDC_MINT, 1n);
    const { submission } = await pay(scene, { amount: 1, initVaultIfMissing: true });
    expect(submission.err).toBeNull();
    expect(tokensOf(scene, deriveMintVault(USDC_MINT, TOKEN_PROGRAM).vaultAta)).toBe(0n);
    await scene.ledger.close();
  });

  it('conserves the tokens with a platform fee, added or deducted', async () => {
    const scene = await openScene();
    const { sender, recipient, ledger } = scene;
    const platform = await scene.fundedWallet();
    for (const { address } of [platform, recipient]) await ledger.airdropTokens(address, USDC_MINT, 1n);
    const fee = { platformFeeBps: 250, platformFeeAccount: ataOf(platform.address) };
    expect((await pay(scene, { amount: 1_000_001, ...fee })).submission.err).toBeNull();
    expect((await pay(scene, { amount: 1_000_001, ...fee, exactOut: false })).submission.err).toBeNull();
    const held = [sender, recipient, platform].map(({ address }) => tokensOf(scene, ataOf(address)));
    expect(held).toEqual([FUNDED - 1_025_001n - 1_000_001n, 1n + 1_000_001n + 975_001n, 1n + 2n * 25_000n]);
    expect(held.reduce((sum: bigint, amount) => sum + (amount ?? 0n), 0n)).toBe(FUNDED + 2n);
    await ledger.close();
  });

  it('that warns of too few tokens fails on the ledger, and moves nothing', async () => {
    const scene = await openScene();
    await scene.ledger.airdropTokens(scene.recipient.address, USDC_MINT, 1n);
    const { output, submission } = await pay(scene, { amount: 5_000_001 });
    expect(output.warnings?.map(({ code }) => code)).toEqual(['INSUFFICIENT_TOKENS']);
    expect(submission.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(tokensOf(scene, ataOf(scene.sender.address))).toBe(FUNDED);
    await scene.ledger.close();
  });

  it('is not built into an account that its owner has handed over to someone else', async () => {
    const scene = await openScene();
    const { ledger, recipient } = scene;
    await ledger.airdropTokens(recipient.address, USDC_MINT, 1n);
    const stranger = await scene.fundedWallet();
    // SPL Token `SetAuthority` (6) of the owner (2) to an address that is given (1).
    const handing = {
      programId: TOKEN_PROGRAM,
      accounts: [writable(ataOf(recipient.address)), signing(recipient.address)],
      data: Uint8Array.of(6, 2, 1, ...addressBytes(stranger.address)),
    };
    expect((await ledger.submit(buildTransaction(ledger, [recipient], [handing]))).err).toBeNull();
    await expect(pay(scene, { amount: 1 })).rejects.toMatchObject({
      code: 'TOKEN_ACCOUNT_OWNER_MISMATCH',
      context: { owner: recipient.address, holder: stranger.address },
    });
    await ledger.close();
  });

  it('cannot be signed by the recipient', async () => {
    const scene = await openScene();
    await scene.ledger.airdropTokens(scene.recipient.address, USDC_MINT, 1n);
    const { submission } = await pay(scene, { amount: 1 }, scene.recipient);
    expect(submission).toMatchObject({ err: 'SignatureFailure', landed: false });
    await scene.ledger.close();
  });
});

describe('routes that need shuttles and queues, on the embedded ledger', () => {
  it.each([
    ['private from base to base', { visibility: 'private' }],
    ['from base to the rollup', { visibility: 'private', toBalance: 'ephemeral' }],
    ['from the rollup to base', { visibility: 'private', fromBalance: 'ephemeral' }],
    ['on a missing rollup', { fromBalance: 'ephemeral', toBalance: 'ephemeral' }],
  ])('is rejected: %s', async (_, args) => {
    const scene = await openScene();
    await expect(pay(scene, { amount: 1, ...args })).rejects.toMatchObject({
      code: 'UNSUPPORTED_ON_CLUSTER',
    });
    await scene.ledger.close();
  });
});
