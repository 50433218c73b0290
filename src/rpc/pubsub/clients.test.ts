import {
  address as kitAddress,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  devnet,
  signature as kitSignature,
} from '@solana/kit';
import {
  Connection,
  Keypair as Web3Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  SYSVAR_CLOCK_PUBKEY,
  Transaction,
  type AccountInfo,
  type Logs,
  type SlotInfo,
} from '@solana/web3.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { USDC_MINT } from '../../programs/addresses.ts';
import { PUBSUB_LIMITS } from './limits.ts';
import { closeConnection } from './testing/close-connection.ts';
import { startPubSubNode, type PubSubNode } from './testing/pubsub-node.ts';

async function connectKit(node: PubSubNode) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const subscriptions = createSolanaRpcSubscriptions(devnet(node.socketUrl));
  const rpc = createSolanaRpc(devnet(node.url));
  return { subscriptions, rpc, abortSignal: abort.signal };
}

/** The first of what an async iterable gives, once `cause` has been set off. */
async function firstOf<T>(notifications: AsyncIterable<T>, cause: () => unknown): Promise<T> {
  const first = notifications[Symbol.asyncIterator]().next();
  await cause();
  const { value } = await first;
  return value as T;
}

describe('@solana/kit', () => {
  it('is notified of accounts, programs, logs and signatures', async () => {
    const node = await startPubSubNode();
    const { subscriptions, abortSignal } = await connectKit(node);
    const wallet = await node.fundedWallet();
    const owner = kitAddress(wallet.address);
    const airdrop = () => node.ledger.airdrop(wallet.address, 5n);

    const account = await subscriptions
      .accountNotifications(owner, { encoding: 'base64' })
      .subscribe({ abortSignal });
    expect((await firstOf(account, airdrop)).value.lamports).toBe(10_000_000_005n);

    const program = await subscriptions
      .programNotifications(kitAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'), {
        encoding: 'jsonParsed',
      })
      .subscribe({ abortSignal });
    const minting = () => node.ledger.airdropTokens(wallet.address, USDC_MINT, 9n);
    expect((await firstOf(program, minting)).value.account.data).toMatchObject({ program: 'spl-token' });

    const logs = await subscriptions.logsNotifications({ mentions: [owner] }).subscribe({ abortSignal });
    const heard = await firstOf(logs, airdrop);
    expect(heard.value.err).toBeNull();

    const landed = await subscriptions
      .signatureNotifications(kitSignature(heard.value.signature))
      .subscribe({ abortSignal });
    expect((await firstOf(landed, () => node.timer.pass(PUBSUB_LIMITS.pastDelayMs))).value).toEqual({
      err: null,
    });
  });

  it('is notified of slots, roots, slot updates and blocks', async () => {
    const node = await startPubSubNode();
    const { subscriptions, abortSignal } = await connectKit(node);
    const { slot } = node.ledger.head();
    const slots = await subscriptions.slotNotifications().subscribe({ abortSignal });
    expect(await firstOf(slots, () => node.passSlots(1))).toEqual({
      slot: BigInt(slot + 1),
      parent: BigInt(slot),
      root: BigInt(slot),
    });
    const roots = await subscriptions.rootNotifications().subscribe({ abortSignal });
    expect(await firstOf(roots, () => node.passSlots(1))).toBe(BigInt(slot + 1));
  });
});

describe('@solana/web3.js 1.x', () => {
  it('confirms its transactions, and is notified of accounts, logs, slots and the clock', async () => {
    const node = await startPubSubNode();
    const connection = new Connection(node.url, { commitment: 'confirmed', wsEndpoint: node.socketUrl });
    onTestFinished(() => closeConnection(connection));
    const payer = Web3Keypair.fromSeed(new Uint8Array(32).fill(9));
    const receiver = new PublicKey(new Uint8Array(32).fill(5));
    await connection.confirmTransaction(await connection.requestAirdrop(payer.publicKey, 3_000_000_000));

    const account = new Promise<AccountInfo<Buffer>>((resolve) => {
      connection.onAccountChange(receiver, resolve);
    });
    const logs = new Promise<Logs>((resolve) => {
      connection.onLogs(payer.publicKey, resolve);
    });
    const slot = new Promise<SlotInfo>((resolve) => {
      connection.onSlotChange(resolve);
    });
    const clock = new Promise<AccountInfo<Buffer>>((resolve) => {
      connection.onAccountChange(SYSVAR_CLOCK_PUBKEY, resolve);
    });
    while (node.pubsub.subscriptions < 4) await new Promise((resolve) => setTimeout(resolve, 1));

    const transfer = { fromPubkey: payer.publicKey, toPubkey: receiver, lamports: 1_000_000_000 };
    const transaction = new Transaction().add(SystemProgram.transfer(transfer));
    const signature = await sendAndConfirmTransaction(connection, transaction, [payer]);
    node.passSlots(1);
    expect((await account).lamports).toBe(1_000_000_000);
    expect((await logs).signature).toBe(signature);
    expect((await slot).slot).toBe(node.ledger.head().slot);
    expect((await clock).data.readBigUInt64LE(0)).toBe(BigInt(node.ledger.head().slot));
  });
});
