import assert from 'node:assert/strict';
import type { KeyPairSigner } from '@solana/kit';
import { postJson } from '../../test/stack-process.ts';
import { USDC } from '../wallet.ts';
import { AT_ONCE, createParty, DEPOSIT, type PaidStack, type Party, PRICE } from './scenario.ts';

/** The purchase of a client, and its wallet. */
interface Order {
  readonly payer: KeyPairSigner;
  /** URL of a ledger's node, for clients that read the mint. */
  readonly rpcUrl: string;
  readonly restUrl: string;
  readonly restInit: RequestInit;
  readonly mcpUrl: string;
  readonly tool: string;
  readonly args: object;
}

interface Buyer {
  readonly name: string;
  open(order: Order): Promise<{
    buy(): Promise<string>;
    /** Pays for each request. Only clients over REST have it. */
    readonly fetch?: typeof globalThis.fetch;
    close(): Promise<void>;
  }>;
}

/** The tools with a price: one is paid on base, the other on the rollup. */
const ON_BASE = 'spl.getBalance';
const ON_ROLLUP = 'spl.explainTransaction';

/** Returns the text of the file `PRICES`. */
export function writePrices(payTo: string): string {
  const price = { amount: String(PRICE), mint: USDC, payTo };
  return JSON.stringify({ [ON_BASE]: price, [ON_ROLLUP]: { ...price, settlement: 'private' } });
}

/** Loads the stock clients. Their packages must be installed in `clients`. */
export async function loadBuyers(): Promise<readonly Buyer[]> {
  const { buyers } = (await import(new URL('tools.mjs', import.meta.url).href)) as { buyers: Buyer[] };
  return buyers;
}

/** Gives the seller of the tools a balance on base and a private one on the rollup. */
export async function openSeller(stack: PaidStack, wallet: KeyPairSigner): Promise<Party> {
  const seller = await createParty(stack, wallet);
  await seller.payments.deposit({ mint: USDC, amount: DEPOSIT, private: true });
  return seller;
}

/**
 * Buys calls of the program's own tools, once and then ten times at once, and compares the balances to the
 * base unit. Returns a description of what was seen.
 *
 * @throws {AssertionError} if anything differs from what it must be.
 */
export async function buyCalls(
  stack: PaidStack,
  seller: Party,
  buyer: Buyer,
  isPrivate: boolean,
): Promise<string> {
  const { serviceUrl, ledgerUrl } = stack;
  const payer = await createParty(stack);
  if (isPrivate) await payer.payments.deposit({ mint: USDC, amount: DEPOSIT, private: true });
  const client = await buyer.open({
    payer: payer.wallet,
    rpcUrl: ledgerUrl,
    mcpUrl: `${serviceUrl}/mcp`,
    ...(isPrivate ? await orderExplanation(stack, payer, seller) : orderBalance(stack, payer)),
  });
  const read = ({ payments }: Party) =>
    isPrivate ? payments.privateBalance({ mint: USDC }) : payments.balance({ mint: USDC });
  try {
    const before = [await read(payer), await read(seller)] as const;
    const first = await client.buy();
    const others = await Promise.all(Array.from({ length: AT_ONCE }, () => client.buy()));
    const total = BigInt(new Set([first, ...others]).size) * PRICE;
    assert.equal(total, BigInt(1 + AT_ONCE) * PRICE, 'two payments were one transaction');
    const after = [await read(payer), await read(seller)] as const;
    assert.equal(before[0] - after[0], total, 'the payer paid another amount');
    assert.equal(after[1] - before[1], total, 'the seller received another amount');
    return `payer ${before[0]} -> ${after[0]}, seller ${before[1]} -> ${after[1]}; ten at once: all paid`;
  } finally {
    await client.close();
    await payer.payments.close();
  }
}

type Call = Pick<Order, 'tool' | 'args' | 'restUrl' | 'restInit'>;

function orderBalance({ serviceUrl }: PaidStack, { wallet }: Party): Call {
  const args = { mint: USDC, address: wallet.address };
  const restUrl = `${serviceUrl}/v1/spl/balance?${new URLSearchParams(args)}`;
  return { tool: ON_BASE, args, restUrl, restInit: {} };
}

async function orderExplanation({ serviceUrl }: PaidStack, from: Party, to: Party): Promise<Call> {
  const { transactionBase64 } = (await postJson(`${serviceUrl}/v1/spl/transfer`, {
    from: from.wallet.address,
    to: to.wallet.address,
    mint: USDC,
    amount: 1,
    visibility: 'public',
  })) as { transactionBase64?: string };
  const args = { transactionBase64 };
  return {
    tool: ON_ROLLUP,
    args,
    restUrl: `${serviceUrl}/v1/transaction/explain`,
    restInit: {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    },
  };
}
