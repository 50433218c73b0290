import {
  approveChecked,
  AuthorityType,
  burnChecked,
  closeAccount,
  createMint,
  createWrappedNativeAccount,
  freezeAccount,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  NATIVE_MINT,
  revoke,
  setAuthority,
  syncNative,
  thawAccount,
  TokenAccountNotFoundError,
  TokenInvalidAccountOwnerError,
  transfer,
  transferChecked,
  unpackAccount,
} from '@solana/spl-token';
import {
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  type AccountInfo,
  type Connection,
  type Context,
  type Keypair,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstCall, sendUntil } from '../heard.ts';
import { startConnectedNode, type ConnectedNode } from './node.ts';

const DECIMALS = 6;

let world: ConnectedNode;
let connection: Connection;
let payer: Keypair;
let shop: Keypair;
let delegate: Keypair;
let mint: PublicKey;
let own: PublicKey;
let till: PublicKey;

beforeAll(async () => {
  world = await startConnectedNode();
  ({ connection } = world);
  [payer, shop, delegate] = [
    await world.fundedWallet(),
    await world.fundedWallet(),
    await world.fundedWallet(),
  ];
});

afterAll(() => world.close());

const amountOf = async (account: PublicKey): Promise<bigint> =>
  (await getAccount(connection, account)).amount;

describe('@solana/spl-token with the classic program, in this order,', () => {
  it('creates a mint', async () => {
    mint = await createMint(connection, payer, payer.publicKey, payer.publicKey, DECIMALS);
    expect(await getMint(connection, mint)).toMatchObject({
      decimals: DECIMALS,
      freezeAuthority: payer.publicKey,
      isInitialized: true,
      mintAuthority: payer.publicKey,
      supply: 0n,
    });
  });

  it('finds no account before it is created, and creates each once', async () => {
    own = getAssociatedTokenAddressSync(mint, payer.publicKey);
    await expect(getAccount(connection, own)).rejects.toThrow(TokenAccountNotFoundError);
    await expect(getAccount(connection, payer.publicKey)).rejects.toThrow(TokenInvalidAccountOwnerError);
    for (const owner of [payer, shop, payer]) {
      const made = await getOrCreateAssociatedTokenAccount(connection, payer, mint, owner.publicKey);
      expect(made).toMatchObject({ owner: owner.publicKey, mint, amount: 0n });
    }
    till = getAssociatedTokenAddressSync(mint, shop.publicKey);
  });

  it('mints and transfers, and receives balance changes', async () => {
    await mintTo(connection, payer, mint, own, payer, 9_000_000n);
    expect((await getMint(connection, mint)).supply).toBe(9_000_000n);
    const heard = firstCall<[AccountInfo<Buffer>, Context]>(
      (listener) => connection.onAccountChange(till, listener),
      (subscription) => connection.removeAccountChangeListener(subscription),
    );
    const [[info], sent] = await sendUntil(heard, () =>
      transferChecked(connection, payer, own, mint, till, payer, 10n, DECIMALS),
    );
    const told = unpackAccount(till, info);
    expect(told.owner).toEqual(shop.publicKey);
    expect(sent.map((_, at) => 10n * BigInt(at + 1))).toContain(told.amount);
    await transferChecked(connection, payer, own, mint, till, payer, 2_500_000n, DECIMALS);
    const paid = 2_500_000n + 10n * BigInt(sent.length);
    expect([await amountOf(own), await amountOf(till)]).toEqual([9_000_000n - paid, paid]);
  });

  it('reports why a transfer fails before anything is sent', async () => {
    const before = await connection.getBalance(payer.publicKey);
    await expect(transfer(connection, payer, till, own, shop, 9_000_000n)).rejects.toThrow(
      'custom program error: 0x1',
    );
    expect(await connection.getBalance(payer.publicKey)).toBe(before);
  });

  it('lets a delegate spend the approved amount, and nothing after it is revoked', async () => {
    await approveChecked(connection, payer, mint, own, delegate.publicKey, payer, 1_000_000n, DECIMALS);
    expect(await getAccount(connection, own)).toMatchObject({
      delegate: delegate.publicKey,
      delegatedAmount: 1_000_000n,
    });
    await transferChecked(connection, payer, own, mint, till, delegate, 400_000n, DECIMALS);
    expect((await getAccount(connection, own)).delegatedAmount).toBe(600_000n);
    await revoke(connection, payer, own, payer);
    expect((await getAccount(connection, own)).delegate).toBeNull();
    await expect(transferChecked(connection, payer, own, mint, till, delegate, 1n, DECIMALS)).rejects.toThrow(
      'custom program error: 0x4',
    );
  });

  it('freezes and thaws an account', async () => {
    await freezeAccount(connection, payer, till, mint, payer);
    expect(await getAccount(connection, till)).toMatchObject({ isFrozen: true });
    await expect(transfer(connection, payer, till, own, shop, 1n)).rejects.toThrow('0x11');
    await thawAccount(connection, payer, till, mint, payer);
    expect(await getAccount(connection, till)).toMatchObject({ isFrozen: false });
  });

  it('burns tokens, closes the empty account and gets its rent back', async () => {
    await burnChecked(connection, shop, till, mint, shop, await amountOf(till), DECIMALS);
    expect((await getMint(connection, mint)).supply).toBe(await amountOf(own));
    const before = await connection.getBalance(delegate.publicKey);
    const rent = await connection.getBalance(till);
    await closeAccount(connection, shop, till, delegate.publicKey, shop);
    expect(await connection.getBalance(delegate.publicKey)).toBe(before + rent);
    expect(await connection.getAccountInfo(till)).toBeNull();
  });

  it('removes the mint authority permanently', async () => {
    await setAuthority(connection, payer, mint, payer, AuthorityType.MintTokens, null);
    expect((await getMint(connection, mint)).mintAuthority).toBeNull();
    await expect(mintTo(connection, payer, mint, own, payer, 1n)).rejects.toThrow('0x5');
  });

  it('wraps SOL', async () => {
    const wrapped = await createWrappedNativeAccount(connection, payer, payer.publicKey, 1_000_000_000);
    expect(await getAccount(connection, wrapped)).toMatchObject({
      amount: 1_000_000_000n,
      isNative: true,
      mint: NATIVE_MINT,
    });
    const more = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: wrapped, lamports: 5 });
    await sendAndConfirmTransaction(connection, new Transaction().add(more), [payer]);
    await syncNative(connection, payer, wrapped);
    expect(await amountOf(wrapped)).toBe(1_000_000_005n);
    await closeAccount(connection, payer, wrapped, payer.publicKey, payer);
    expect(await connection.getAccountInfo(wrapped)).toBeNull();
  });
});
