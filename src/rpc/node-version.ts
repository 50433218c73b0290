import { hash } from 'node:crypto';
import type { AccountReads } from '../ledger/ledger.ts';
import { FEATURE_PROGRAM } from '../programs/feature.ts';
import { addressBytes } from '../solana/address.ts';

/** The Agave release whose RPC this node answers like. Its engine has the runtime of the same line (4.2). */
const AGAVE_VERSION = '4.2.1';

/**
 * The u32 by which nodes compare their feature sets. Agave takes the first four bytes, little-endian, of
 * sha256 over the ids of the features its build knows, sorted by their bytes. Here these are the ledger's
 * feature accounts.
 */
export function featureSetOf(ledger: Pick<AccountReads, 'programAccounts'>): number {
  const ids = Array.from(ledger.programAccounts(FEATURE_PROGRAM), ([address]) => addressBytes(address));
  const digest = hash('sha256', Buffer.concat(ids.sort(Buffer.compare)), 'buffer');
  return digest.readUInt32LE(0);
}

/**
 * The version the node reports in getVersion and in contexts. Clients parse a semantic version of Agave and
 * switch features by it; the node's own version follows the plus, which comparisons ignore.
 */
export function nodeVersion(packageVersion: string): string {
  return `${AGAVE_VERSION}+spl-private-payments.${packageVersion}`;
}
