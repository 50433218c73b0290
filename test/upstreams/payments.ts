import { USDC_MINT } from '../../src/programs/addresses.ts';
import type { Address } from '../../src/solana/address.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';

/** The values in one caller's requests. */
export interface Parties {
  readonly owner: Address;
  readonly other: Address;
  /** Base units, as a decimal string. */
  readonly amount: string;
  readonly memo: string;
  readonly handle: string;
}

/** An operation's name and its input. */
export interface PaymentRequest {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

/** A validator for which no mint has a queue yet. */
const NEW_VALIDATOR = 'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e';

/** Any signature, because the played nodes do not check it. */
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));

/** Operations that are not tools. */
const REST_ONLY: ReadonlySet<string> = new Set(['challenge', 'login']);

export const isTool = (operation: string): boolean => !REST_ONLY.has(operation);

/**
 * Returns at least one valid request for every operation, except for explaining and sending, which need a
 * transaction.
 */
export function networkRequests({ owner, other, amount, memo, handle }: Parties): PaymentRequest[] {
  const mint = USDC_MINT;
  const cluster = 'devnet';
  const payment = { from: owner, to: other, mint, amount, memo, cluster };
  const { memo: _memo, ...unmarked } = payment;
  const loginCluster = { cluster: 'devnet-private' };
  return [
    { operation: 'deposit', input: { owner, mint, amount, cluster, simulate: true } },
    { operation: 'deposit', input: { owner, mint, amount, cluster, initAtasIfMissing: true } },
    { operation: 'withdraw', input: { owner, mint, amount, cluster } },
    { operation: 'transfer', input: { ...payment, visibility: 'public' } },
    { operation: 'transfer', input: { ...payment, visibility: 'public', simulate: true } },
    { operation: 'transfer', input: { ...payment, minDelayMs: 1_000, split: 3, clientRefId: amount } },
    { operation: 'transfer', input: { ...payment, to: handle } },
    { operation: 'transfer', input: { ...unmarked, cluster: 'mainnet', gasless: true } },
    { operation: 'transfer', input: { ...payment, toBalance: 'ephemeral' } },
    { operation: 'transfer', input: { ...payment, fromBalance: 'ephemeral' } },
    { operation: 'transfer', input: { ...payment, fromBalance: 'ephemeral', toBalance: 'ephemeral' } },
    { operation: 'undelegate', input: { payer: owner, mint, cluster } },
    { operation: 'undelegate', input: { payer: owner, mint, cluster, simulate: true } },
    { operation: 'initializeMint', input: { payer: owner, mint, validator: NEW_VALIDATOR, cluster } },
    {
      operation: 'createStealthPool',
      input: { payer: owner, authority: owner, handle: `${handle}.new`, destinations: [other], cluster },
    },
    { operation: 'recoverShuttles', input: { payer: owner, owner, mint, cluster } },
    { operation: 'createLookupTable', input: { payer: owner, mints: [mint], cluster } },
    { operation: 'getBalance', input: { address: owner, mint, cluster } },
    { operation: 'getPrivateBalance', input: { address: owner, mint, cluster } },
    { operation: 'isMintInitialized', input: { mint, cluster } },
    { operation: 'isMintInitialized', input: { mint, validator: NEW_VALIDATOR, cluster } },
    { operation: 'getStealthPool', input: { handle, cluster } },
    { operation: 'ensureTransferQueueCrank', input: { mint, cluster } },
    { operation: 'challenge', input: { pubkey: owner, ...loginCluster } },
    {
      operation: 'login',
      input: {
        pubkey: owner,
        challenge: `Sign in as ${owner}`,
        signature: SIGNATURE,
        ...loginCluster,
      },
    },
  ];
}
