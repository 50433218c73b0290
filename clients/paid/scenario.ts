import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createClient, getBase58Decoder, signBytes, type KeyPairSigner } from '@solana/kit';
import { privatePayments, type Payments } from '../../src/kit/index.ts';
import { callLedger, postJson } from '../../test/stack-process.ts';
import { createFundedWallet, USDC } from '../wallet.ts';
import type { Place, Protocol, Shop } from './protocol.ts';

const FUNDS = 5_000_000;
export const DEPOSIT = 1_000_000;
export const PRICE = 10_000n;

/** Number of equal payments that are made at the same time, after a single one. */
export const AT_ONCE = 10;
const PAYMENTS = BigInt(1 + AT_ONCE);

/** The place of the balances that payments move. */
export const BALANCES = ['base', 'rollup, public', 'rollup, private'] as const;
type Balances = (typeof BALANCES)[number];

/** The URLs of a program with a facilitator and localnet as its cluster. */
export interface PaidStack {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
}

/** A wallet with a client that deposits and reads. */
export interface Party {
  readonly wallet: KeyPairSigner;
  readonly payments: Payments;
}

/** Returns a new secret key for the facilitator, as `FACILITATOR_SECRET_KEY`, with its address. */
export function createFacilitatorKey(): { readonly secretKey: string; readonly address: string } {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    secretKey: JSON.stringify([...seed, ...publicKey]),
    address: getBase58Decoder().decode(publicKey),
  };
}

/**
 * Pays a merchant once and then ten times at once with the stock packages of a protocol, and compares the
 * balances to the base unit. Returns a description of what was seen.
 *
 * @throws {AssertionError} if anything differs from what it must be.
 */
export async function payByMachine(
  { serviceUrl, ledgerUrl, rollupUrl }: PaidStack,
  protocol: Protocol,
  balances: Balances,
): Promise<string> {
  const isOnBase = balances === 'base';
  const isPrivate = balances === 'rollup, private';
  const stack = { serviceUrl, ledgerUrl, rollupUrl };
  const [payer, merchant] = [await createParty(stack), await createParty(stack)];
  for (const { payments } of isOnBase ? [] : [payer, merchant]) {
    await payments.deposit({ mint: USDC, amount: DEPOSIT, private: isPrivate });
  }
  const rpcUrl = isOnBase ? ledgerUrl : rollupUrl;
  const shop = await protocol.open({
    serviceUrl,
    rpcUrl,
    merchantRpcUrl: isPrivate ? `${rpcUrl}/?token=${await logIn(serviceUrl, merchant.wallet)}` : rpcUrl,
    payer: payer.wallet,
    sponsor: await createFundedWallet(ledgerUrl, 0),
    merchant: merchant.wallet.address,
    mint: USDC,
    price: String(PRICE),
    isPrivate,
  } satisfies Place);
  try {
    const read = ({ payments }: Party) =>
      isOnBase ? payments.balance({ mint: USDC }) : payments.privateBalance({ mint: USDC });
    const readFees = () => lamportsOf(ledgerUrl, shop.feePayer);
    const before = [await read(payer), await read(merchant), await readFees()] as const;
    const signature = await payElevenTimes(shop);
    const after = [await read(payer), await read(merchant), await readFees()] as const;
    assert.equal(before[0] - after[0], PAYMENTS * PRICE, 'the payer paid another amount');
    assert.equal(after[1] - before[1], PAYMENTS * PRICE, 'the merchant received another amount');
    const fees = before[2] - after[2];
    assert.ok(isOnBase ? fees > 0n : fees === 0n, `the payments cost ${fees} lamports`);
    const again = await shop.payAgain();
    assert.notEqual(again, 'settled', 'a payment was accepted twice');
    assert.equal(await read(merchant), after[1], 'a payment that was presented twice moved tokens twice');
    const seen = await seeAsStranger(stack, isOnBase, merchant.wallet.address, signature);
    if (isPrivate) assert.deepEqual(seen, { balance: 'MISSING_AUTH_TOKEN', transaction: 'absent' });
    else assert.deepEqual(seen, { balance: String(after[1]), transaction: 'shown' });
    return [
      `payer ${before[0]} -> ${after[0]}, merchant ${before[1]} -> ${after[1]}, fees ${fees} lamports`,
      `ten at once: all paid; same payment again: ${again}`,
      `stranger: balance ${seen.balance}, transaction ${seen.transaction}`,
    ].join('; ');
  } finally {
    await shop.close();
    await Promise.all([payer, merchant].map(({ payments }) => payments.close()));
  }
}

/** Returns the signature of the first payment. */
async function payElevenTimes(shop: Shop): Promise<string> {
  const first = await shop.pay();
  const others = await Promise.all(Array.from({ length: AT_ONCE }, () => shop.pay()));
  for (const { status, text } of [first, ...others]) assert.equal(status, 200, text);
  const signatures = new Set([first, ...others].map(({ signature }) => signature));
  assert.equal(BigInt(signatures.size), PAYMENTS, 'two payments were one transaction');
  assert.ok(first.signature, 'the merchant reports no transaction');
  return first.signature;
}

/** Gives a wallet, by default a new one, 1 SOL and 5 USDC on base. */
export async function createParty(stack: PaidStack, own?: KeyPairSigner): Promise<Party> {
  const wallet = await createFundedWallet(stack.ledgerUrl, FUNDS, own);
  const { payments } = createClient({ payer: wallet }).use(
    privatePayments({ url: stack.serviceUrl, base: stack.ledgerUrl, rollup: stack.rollupUrl }),
  );
  return { wallet, payments };
}

/** Reads a balance and a transaction without a token. */
async function seeAsStranger(
  { serviceUrl, ledgerUrl, rollupUrl }: PaidStack,
  isOnBase: boolean,
  owner: string,
  signature: string,
): Promise<{ balance: string; transaction: string }> {
  const path = isOnBase ? 'balance' : 'private-balance';
  const response = await fetch(`${serviceUrl}/v1/spl/${path}?address=${owner}&mint=${USDC}`);
  const { balance, code } = (await response.json()) as { balance?: string; code?: string };
  const found = await callLedger(isOnBase ? ledgerUrl : rollupUrl, 'getTransaction', [
    signature,
    { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 },
  ]);
  return { balance: balance ?? String(code), transaction: found === null ? 'absent' : 'shown' };
}

/** Logs a wallet in to the rollup and returns its token. */
async function logIn(serviceUrl: string, { address: pubkey, keyPair }: KeyPairSigner): Promise<string> {
  const asked = await fetch(`${serviceUrl}/v1/spl/challenge?pubkey=${pubkey}`);
  const { challenge } = (await asked.json()) as { challenge: string };
  const signature = await signBytes(keyPair.privateKey, new TextEncoder().encode(challenge));
  const body = { pubkey, challenge, signature: getBase58Decoder().decode(signature) };
  const { token } = (await postJson(`${serviceUrl}/v1/spl/login`, body)) as { token?: string };
  assert.ok(token, 'the merchant cannot log in');
  return token;
}

async function lamportsOf(ledgerUrl: string, address: string): Promise<bigint> {
  const { value } = await callLedger<{ value: number }>(ledgerUrl, 'getBalance', [address]);
  return BigInt(value);
}
