import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { closeConnection } from '../../src/rpc/pubsub/testing/close-connection.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { type ClientNode, startClientNode } from './client-node.ts';
import { firstCall, sendUntil } from './heard.ts';
import { createHolding, createMint } from './mint-instructions.ts';

const payer = Keypair.generate();
const receiver = Keypair.generate();
const mint = Keypair.generate();

const ours = (of: Keypair): Address => of.publicKey.toBase58() as Address;
const ataOf = (owner: Keypair): Address => deriveAta(ours(owner), ours(mint), TOKEN_PROGRAM).address;

let node: ClientNode;
let connection: Connection;

beforeAll(async () => {
  node = await startClientNode();
  // The library finds the WebSocket by itself: on the port behind that of the RPC.
  connection = new Connection(node.url, 'confirmed');
});

afterAll(async () => {
  closeConnection(connection);
  await node.close();
});

const toWeb3 = ({ programId, accounts, data }: Instruction): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: accounts.map(({ address, signer, writable }) => ({
      pubkey: new PublicKey(address),
      isSigner: signer,
      isWritable: writable,
    })),
    data: Buffer.from(data),
  });

/** Sends a legacy transaction paid by the payer, and waits for its WebSocket notification. */
function land(instructions: readonly Instruction[], ...signers: readonly Keypair[]): Promise<string> {
  const transaction = new Transaction().add(...instructions.map(toWeb3));
  return sendAndConfirmTransaction(connection, transaction, [payer, ...signers]);
}

describe('@solana/web3.js, in this order,', () => {
  it('waits for an airdrop', async () => {
    const latest = await connection.getLatestBlockhash();
    const signature = await connection.requestAirdrop(payer.publicKey, 5_000_000_000);
    const { value } = await connection.confirmTransaction({ signature, ...latest });
    expect(value.err).toBeNull();
    expect(await connection.getBalance(payer.publicKey)).toBe(5_000_000_000);
  });

  it('creates a mint and token accounts', async () => {
    await land(createMint(ours(payer), ours(mint)), mint);
    await land([
      ...createHolding(ours(payer), ours(payer), ours(mint), 9_000_000n),
      ...createHolding(ours(payer), ours(receiver), ours(mint)),
    ]);
    expect((await connection.getTokenSupply(mint.publicKey)).value).toMatchObject({
      amount: '9000000',
      decimals: 6,
    });
  });

  it('transfers tokens and finds the transaction in the history', async () => {
    const signature = await land([
      transferTokens(
        TOKEN_PROGRAM,
        { source: ataOf(payer), destination: ataOf(receiver), authority: ours(payer) },
        2_500_000n,
      ),
    ]);
    const { value } = await connection.getTokenAccountBalance(new PublicKey(ataOf(receiver)));
    expect(value.amount).toBe('2500000');
    const history = await connection.getSignaturesForAddress(new PublicKey(ataOf(receiver)), { limit: 1 });
    expect(history).toMatchObject([{ signature, err: null, memo: null }]);
    const found = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(found?.transaction.message.instructions).toMatchObject([
      { program: 'spl-token', parsed: { type: 'transfer', info: { amount: '2500000' } } },
    ]);
    expect(found?.meta?.postTokenBalances).toHaveLength(2);
  });

  it('sends a transaction of version 0 through a lookup table', async () => {
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: await connection.getSlot(),
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      lookupTable: table,
      addresses: [receiver.publicKey],
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]);

    const { value: lookupTable } = await connection.getAddressLookupTable(table);
    expect(lookupTable?.state.addresses).toEqual([receiver.publicKey]);
    const latest = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: latest.blockhash,
      instructions: [
        SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: receiver.publicKey,
          lamports: 2_000_000,
        }),
      ],
    }).compileToV0Message(lookupTable === null ? [] : [lookupTable]);
    const transaction = new VersionedTransaction(message);
    transaction.sign([payer]);
    const signature = await connection.sendTransaction(transaction);
    expect((await connection.confirmTransaction({ signature, ...latest })).value.err).toBeNull();
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(found?.version).toBe(0);
    expect(found?.meta?.loadedAddresses?.writable).toEqual([receiver.publicKey]);
    expect(await connection.getBalance(receiver.publicKey)).toBe(2_000_000);
  });

  it('sends a transaction on a durable nonce', async () => {
    const nonceKeypair = Keypair.generate();
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonceKeypair.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    });
    await sendAndConfirmTransaction(connection, create, [payer, nonceKeypair]);
    const account = await connection.getAccountInfo(nonceKeypair.publicKey);
    const { nonce } = NonceAccount.fromAccountData(account?.data as Buffer);

    const transaction = new Transaction({
      feePayer: payer.publicKey,
      minContextSlot: await connection.getSlot(),
      nonceInfo: {
        nonce,
        nonceInstruction: SystemProgram.nonceAdvance({
          noncePubkey: nonceKeypair.publicKey,
          authorizedPubkey: payer.publicKey,
        }),
      },
    }).add(
      SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: receiver.publicKey,
        lamports: 1_000_000,
      }),
    );
    await sendAndConfirmTransaction(connection, transaction, [payer]);
    expect(await connection.getBalance(receiver.publicKey)).toBe(3_000_000);
    expect((await connection.getNonce(nonceKeypair.publicKey))?.nonce).not.toBe(nonce);
  });

  it('receives the logs of a program', async () => {
    const heard = firstCall<[{ signature: string; logs: string[] }, { slot: number }]>(
      (listener) => connection.onLogs(new PublicKey(MEMO_PROGRAM), listener),
      (subscription) => connection.removeOnLogsListener(subscription),
    );
    let count = 0;
    const send = (): Promise<string> => land([addMemo(`groceries ${++count}`)]);
    const [[{ signature, logs }], signatures] = await sendUntil(heard, send);
    expect(signatures).toContain(signature);
    expect(logs.join()).toContain('groceries');
  });

  it('reads everything an explorer requests at startup and on its pages', async () => {
    const epoch = await connection.getEpochInfo();
    expect((await connection.getEpochSchedule()).slotsPerEpoch).toBe(epoch.slotsInEpoch);
    const first = await connection.getFirstAvailableBlock();
    expect(await connection.getBlockTime(first)).toBeTypeOf('number');
    expect(await connection.getGenesisHash()).toBe(node.ledger.genesisHash);
    expect(await connection.getTransactionCount()).toBe(node.ledger.transactionCount());
    expect(await connection.getRecentPerformanceSamples(4)).toEqual([]);
    expect((await connection.getVoteAccounts()).current[0]?.nodePubkey).toBe(node.ledger.identity);
    expect((await connection.getClusterNodes())[0]?.pubkey).toBe(node.ledger.identity);
    expect((await connection.getSupply()).value.total).toBeGreaterThan(0);
    expect(await connection.getMinimumLedgerSlot()).toBe(first);
    expect(await connection.getSlotLeaders(first, 2)).toHaveLength(2);
    expect(await connection.getInflationGovernor()).toMatchObject({ initial: 0.08, terminal: 0.015 });
    expect(await connection.getInflationReward([payer.publicKey])).toEqual([null]);
    expect((await connection.getBlockProduction()).value.byIdentity).toHaveProperty(node.ledger.identity);
    expect(await connection.getRecentPrioritizationFees()).not.toHaveLength(0);

    const [newest] = await connection.getSignaturesForAddress(payer.publicKey, { limit: 1 });
    const slot = newest?.slot ?? 0;
    await node.untilFinished(slot);
    expect(await connection.getBlocks(slot, slot)).toEqual([slot]);
    const block = await connection.getParsedBlock(slot, { maxSupportedTransactionVersion: 0 });
    expect(block.transactions.map(({ transaction }) => transaction.signatures[0])).toContain(
      newest?.signature,
    );
    const plain = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 });
    expect(plain?.parentSlot).toBe(slot - 1);
    const accounts = await connection.getMultipleParsedAccounts([mint.publicKey, receiver.publicKey]);
    expect(accounts.value[0]?.data).toMatchObject({ parsed: { type: 'mint', info: { decimals: 6 } } });
    const holdings = await connection.getParsedTokenAccountsByOwner(receiver.publicKey, {
      programId: new PublicKey(TOKEN_PROGRAM),
    });
    expect(holdings.value.map(({ pubkey }) => pubkey.toBase58())).toEqual([ataOf(receiver)]);
    const ofMint = await connection.getParsedProgramAccounts(new PublicKey(TOKEN_PROGRAM), {
      filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.publicKey.toBase58() } }],
    });
    expect(ofMint).toHaveLength(2);
    expect((await connection.getTokenLargestAccounts(mint.publicKey)).value).toHaveLength(2);
  });
});
