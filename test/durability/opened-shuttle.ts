import { EPHEMERAL_TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import type { Address } from '../../src/solana/address.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { callLedger } from '../stack-process.ts';

/** Tags of the ephemeral SPL token program that open a shuttle, and its position among their accounts. */
const OPENING = new Set([24, 25, 26]);
const SHUTTLE_AT = 2;

/** Tag `RecoverAndCloseShuttleToOwner`. */
const RECOVERY = 32;

const CONFIRMED = { commitment: 'confirmed' };

/** A transaction that names an account. */
interface Named {
  readonly signature: string;
  readonly err: unknown;
}

/** Returns the metadata account of the shuttle that a transaction opens; null if it opens none. */
export function openedShuttle(wire: Uint8Array): Address | null {
  const { instructions, staticKeys } = decodeTransaction(wire);
  const opening = instructions.find(
    ({ programIdIndex, data }) =>
      staticKeys[programIdIndex] === EPHEMERAL_TOKEN_PROGRAM && OPENING.has(data[0] ?? 0),
  );
  return staticKeys[opening?.accounts[SHUTTLE_AT] ?? -1] ?? null;
}

/**
 * Returns the state of a shuttle on base: open, closed after it was unloaded on the rollup, or returned with
 * its tokens.
 */
export async function endOfShuttle(url: string, shuttle: Address): Promise<'open' | 'closed' | 'given back'> {
  const asked = [shuttle, { encoding: 'base64', ...CONFIRMED }];
  const { value } = await callLedger<{ value: object | null }>(url, 'getAccountInfo', asked);
  if (value !== null) return 'open';
  const named = await callLedger<Named[]>(url, 'getSignaturesForAddress', [shuttle, CONFIRMED]);
  const signatures = named.filter(({ err }) => err === null).map(({ signature }) => signature);
  // With a single transaction and no account, the shuttle is just being opened.
  if (signatures.length < 2) return 'open';
  for (const signature of signatures) if (await isRecovery(url, signature)) return 'given back';
  return 'closed';
}

async function isRecovery(url: string, signature: string): Promise<boolean> {
  const config = { encoding: 'base64', ...CONFIRMED, maxSupportedTransactionVersion: 0 };
  const { transaction } = await callLedger<{ transaction: [string] }>(url, 'getTransaction', [
    signature,
    config,
  ]);
  const { instructions, staticKeys } = decodeTransaction(
    new Uint8Array(Buffer.from(transaction[0], 'base64')),
  );
  return instructions.some(
    ({ programIdIndex, data }) =>
      staticKeys[programIdIndex] === EPHEMERAL_TOKEN_PROGRAM && data[0] === RECOVERY,
  );
}
