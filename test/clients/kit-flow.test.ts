import {
  AccountRole,
  address,
  type Address,
  airdropFactory,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  devnet,
  fetchAddressesForLookupTables,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  type Instruction as KitInstruction,
  type KeyPairSigner,
  lamports,
  type Nonce,
  pipe,
  sendAndConfirmDurableNonceTransactionFactory,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAccount,
  createLookupTable,
  extendLookupTable,
  initializeNonce,
} from '../../src/ledger/testing/instructions.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { transferLamports } from '../../src/programs/system.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import type { Address as OurAddress } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { type ClientNode, startClientNode } from './client-node.ts';
import { createHolding, createMint } from './mint-instructions.ts';

const connect = ({ url, socketUrl }: ClientNode) => ({
  rpc: createSolanaRpc(devnet(url)),
  rpcSubscriptions: createSolanaRpcSubscriptions(devnet(socketUrl)),
});

const COMMITMENT = { commitment: 'confirmed' } as const;

let node: ClientNode;
let client: ReturnType<typeof connect>;
let payer: KeyPairSigner;
let receiver: KeyPairSigner;
let mint: KeyPairSigner;

const ours = (of: KeyPairSigner | Address): OurAddress =>
  (typeof of === 'string' ? of : of.address) as string as OurAddress;
const ataOf = (owner: KeyPairSigner): Address =>
  address(deriveAta(ours(owner), ours(mint), TOKEN_PROGRAM).address);

beforeAll(async () => {
  node = await startClientNode();
  client = connect(node);
  payer = await generateKeyPairSigner();
  receiver = await generateKeyPairSigner();
  mint = await generateKeyPairSigner();
});

afterAll(() => node.close());

/** One of our instructions for kit, signed by those of `signers` it names. */
function toKit(
  { programId, accounts, data }: Instruction,
  signers: readonly KeyPairSigner[],
): KitInstruction {
  return {
    programAddress: address(programId),
    accounts: accounts.map((meta) => {
      const role =
        (meta.signer ? AccountRole.READONLY_SIGNER : AccountRole.READONLY) |
        (meta.writable ? AccountRole.WRITABLE : 0);
      const known = meta.signer
        ? signers.find((each) => each.address === (meta.address as string))
        : undefined;
      return { address: address(meta.address), role, ...(known && { signer: known }) };
    }),
    data,
  };
}

/** Sends a version 0 transaction paid by the payer, and waits for its WebSocket notification. */
async function land(instructions: readonly Instruction[], ...signers: readonly KeyPairSigner[]) {
  const sendAndConfirm = sendAndConfirmTransactionFactory(client);
  const transaction = await signTransactionMessageWithSigners(await messageOf(instructions, signers));
  await sendAndConfirm(transaction as Parameters<typeof sendAndConfirm>[0], COMMITMENT);
  return getSignatureFromTransaction(transaction);
}

async function messageOf(instructions: readonly Instruction[], signers: readonly KeyPairSigner[]) {
  const { value: latest } = await client.rpc.getLatestBlockhash(COMMITMENT).send();
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(latest, message),
    (message) =>
      appendTransactionMessageInstructions(
        instructions.map((instruction) => toKit(instruction, [payer, ...signers])),
        message,
      ),
  );
}

describe('@solana/kit, in this order,', () => {
  it('waits for an airdrop', async () => {
    const airdrop = airdropFactory(client);
    const signature = await airdrop({
      ...COMMITMENT,
      lamports: lamports(5_000_000_000n),
      recipientAddress: payer.address,
    });
    expect(signature).toBeTypeOf('string');
    expect((await client.rpc.getBalance(payer.address).send()).value).toBe(5_000_000_000n);
  });

  it('creates a mint and token accounts', async () => {
    await land(createMint(ours(payer), ours(mint)), mint);
    await land([
      ...createHolding(ours(payer), ours(payer), ours(mint), 9_000_000n),
      ...createHolding(ours(payer), ours(receiver), ours(mint)),
    ]);
    expect((await client.rpc.getTokenSupply(mint.address).send()).value).toMatchObject({
      amount: '9000000',
      decimals: 6,
    });
  });

  it('transfers tokens, sees the account change and finds the transaction in the history', async () => {
    const change = firstOf(
      await client.rpcSubscriptions
        .accountNotifications(ataOf(receiver), { ...COMMITMENT, encoding: 'jsonParsed' })
        .subscribe({ abortSignal: AbortSignal.timeout(60_000) }),
    );
    const signature = await land([
      transferTokens(
        TOKEN_PROGRAM,
        { source: ours(ataOf(payer)), destination: ours(ataOf(receiver)), authority: ours(payer) },
        2_500_000n,
      ),
    ]);
    expect((await change).value.data).toMatchObject({
      parsed: { info: { tokenAmount: { amount: '2500000' } } },
    });

    const history = await client.rpc.getSignaturesForAddress(ataOf(receiver), { limit: 1 }).send();
    expect(history).toMatchObject([{ signature, err: null, memo: null, confirmationStatus: 'finalized' }]);
    const found = await client.rpc
      .getTransaction(signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
      .send();
    expect(found?.transaction.message.instructions).toMatchObject([
      { program: 'spl-token', parsed: { type: 'transfer', info: { amount: '2500000' } } },
    ]);
    const slot = found?.slot ?? 0n;
    await node.untilFinished(Number(slot));
    const block = await client.rpc
      .getBlock(slot, { maxSupportedTransactionVersion: 0, transactionDetails: 'signatures' })
      .send();
    expect(block?.signatures).toContain(signature);
    const { value } = await client.rpc
      .getTokenAccountsByOwner(receiver.address, { mint: mint.address }, { encoding: 'jsonParsed' })
      .send();
    expect(value.map(({ pubkey }) => pubkey)).toEqual([ataOf(receiver)]);
  });

  it('sends a transaction of version 0 through a lookup table', async () => {
    const recentSlot = await client.rpc.getSlot(COMMITMENT).send();
    const { table, instruction } = createLookupTable(ours(payer), recentSlot);
    const contents = [ours(receiver), ours(mint)];
    await land([instruction, extendLookupTable(table, ours(payer), contents)]);
    const tables = await fetchAddressesForLookupTables([address(table)], client.rpc);
    expect(tables).toEqual({ [table]: contents });
    const plain = await messageOf([transferLamports(ours(payer), ours(receiver), 2_000_000n)], []);
    const message = compressTransactionMessageUsingAddressLookupTables(plain, tables);
    const transaction = await signTransactionMessageWithSigners(message);
    const sendAndConfirm = sendAndConfirmTransactionFactory(client);
    await sendAndConfirm(transaction as Parameters<typeof sendAndConfirm>[0], COMMITMENT);
    const found = await client.rpc
      .getTransaction(getSignatureFromTransaction(transaction), {
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found).toMatchObject({
      version: 0,
      meta: { loadedAddresses: { readonly: [], writable: [receiver.address] } },
    });
    expect((await client.rpc.getBalance(receiver.address).send()).value).toBe(2_000_000n);
  });

  it('sends a transaction on a durable nonce', async () => {
    const nonceAccount = await generateKeyPairSigner();
    const kept = { lamports: 1_447_680n, space: 80n, owner: SYSTEM_PROGRAM };
    await land(
      [
        createAccount(ours(payer), ours(nonceAccount), kept),
        initializeNonce(ours(nonceAccount), ours(payer)),
      ],
      nonceAccount,
    );
    const nonce = await readNonce(nonceAccount.address);
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) =>
        setTransactionMessageLifetimeUsingDurableNonce(
          { nonce, nonceAccountAddress: nonceAccount.address, nonceAuthorityAddress: payer.address },
          paid,
        ),
      (alive) =>
        appendTransactionMessageInstructions(
          [toKit(transferLamports(ours(payer), ours(receiver), 1_000_000n), [payer])],
          alive,
        ),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    const sendAndConfirm = sendAndConfirmDurableNonceTransactionFactory(client);
    await sendAndConfirm(transaction as Parameters<typeof sendAndConfirm>[0], COMMITMENT);
    expect((await client.rpc.getBalance(receiver.address).send()).value).toBe(3_000_000n);
    expect(await readNonce(nonceAccount.address)).not.toBe(nonce);
  });

  it('receives the logs of a program', async () => {
    const heard = firstOf(
      await client.rpcSubscriptions
        .logsNotifications({ mentions: [address(MEMO_PROGRAM)] }, COMMITMENT)
        .subscribe({ abortSignal: AbortSignal.timeout(60_000) }),
    );
    const signature = await land([addMemo('for the groceries')]);
    const { value } = await heard;
    expect(value).toMatchObject({ signature, err: null });
    expect(value.logs?.join()).toContain('for the groceries');
    const history = await client.rpc.getSignaturesForAddress(address(MEMO_PROGRAM), { limit: 1 }).send();
    expect(history).toMatchObject([{ signature, memo: '[17] for the groceries' }]);
  });

  it('reads everything an explorer requests at startup', async () => {
    const { rpc } = client;
    const epoch = await rpc.getEpochInfo().send();
    expect(epoch.absoluteSlot % epoch.slotsInEpoch).toBe(epoch.slotIndex);
    expect((await rpc.getEpochSchedule().send()).slotsPerEpoch).toBe(epoch.slotsInEpoch);
    const first = await rpc.getFirstAvailableBlock().send();
    expect(await rpc.getBlockTime(first).send()).toBeTypeOf('bigint');
    expect(await rpc.getGenesisHash().send()).toBe(node.ledger.genesisHash);
    expect(await rpc.getTransactionCount().send()).toBe(BigInt(node.ledger.transactionCount()));
    expect(await rpc.getRecentPerformanceSamples(4).send()).toEqual([]);
    expect((await rpc.getVoteAccounts().send()).current[0]?.nodePubkey).toBe(node.ledger.identity);
    expect((await rpc.getClusterNodes().send())[0]?.pubkey).toBe(node.ledger.identity);
    expect(await rpc.getSlotLeaders(first, 2).send()).toEqual([node.ledger.identity, node.ledger.identity]);
    expect(await rpc.getInflationRate().send()).toMatchObject({ total: 0, validator: 0, foundation: 0 });
    expect((await rpc.getBlockProduction().send()).value.byIdentity).toHaveProperty(node.ledger.identity);
    const supply = await rpc.getSupply({ excludeNonCirculatingAccountsList: true }).send();
    expect(supply.value.total).toBeTypeOf('bigint');
    await node.untilFinished(Number(epoch.absoluteSlot));
    const blocks = await rpc.getBlocks(first, epoch.absoluteSlot).send();
    expect(blocks.at(-1)).toBe(epoch.absoluteSlot);
    expect(await rpc.getRecentPrioritizationFees().send()).not.toHaveLength(0);
  });
});

/** The next notification. kit drops notifications that arrive while nothing waits for them. */
async function firstOf<T>(notifications: AsyncIterable<T>): Promise<T> {
  for await (const notification of notifications) return notification;
  throw new Error('ended without a notification');
}

/** The nonce an account holds now. */
async function readNonce(account: Address): Promise<Nonce> {
  const { value } = await client.rpc
    .getAccountInfo(account, { ...COMMITMENT, encoding: 'jsonParsed' })
    .send();
  const data = value?.data as { parsed?: { info?: { blockhash?: Nonce } } } | undefined;
  const nonce = data?.parsed?.info?.blockhash;
  if (nonce === undefined) throw new Error(`${account} is no nonce account`);
  return nonce;
}
