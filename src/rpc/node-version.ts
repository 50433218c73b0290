import { hash } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.ts';
import { FEATURE_PROGRAM } from '../programs/feature.ts';
import { addressBytes } from '../solana/address.ts';

/** The Agave release whose RPC this node answers like, and whose runtime (4.2) its engine has. */
const AGAVE_VERSION = '4.2.1';

/**
 * The u32 by which nodes of a cluster compare the features they have: Agave takes the first four bytes,
 * little-endian, of sha256 over the ids of those its build knows, in order of their bytes. Here they are the
 * ledger's feature accounts.
 */
export function featureSetOf(ledger: Pick<Ledger, 'programAccounts'>): number {
  const ids = Array.from(ledger.programAccounts(FEATURE_PROGRAM), ([address]) => addressBytes(address));
  const digest = hash('sha256', Buffer.concat(ids.sort(Buffer.compare)), 'buffer');
  return digest.readUInt32LE(0);
}

/**
 * What the node calls its version in getVersion and in contexts. Clients read a semantic version of Agave
 * there and switch features by it; what the node really is stands behind the plus, which takes no part in
 * comparisons.
 */
export function nodeVersion(packageVersion: string): string {
  return `${AGAVE_VERSION}+spl-private-payments.${packageVersion}`;
}
