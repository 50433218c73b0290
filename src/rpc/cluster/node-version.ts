import { hash } from 'node:crypto';
import type { AccountReads } from '../../ledger/ledger.ts';
import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import { addressBytes } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';

/** The Agave release that this node emulates. The engine's runtime is from the same release line (4.2). */
const AGAVE_VERSION = '4.2.1';

/**
 * Computes the u32 that identifies a node's feature set: the first four bytes, little-endian, of sha256 over
 * the feature ids, sorted by bytes. Agave uses the ids in its build. This node uses the ids of the ledger's
 * feature accounts.
 */
export function featureSetOf(ledger: Pick<AccountReads, 'programAccounts'>): number {
  const ids = Array.from(ledger.programAccounts(FEATURE_PROGRAM), ([address]) => addressBytes(address));
  const digest = hash('sha256', Buffer.concat(ids.sort(Buffer.compare)), 'buffer');
  return digest.readUInt32LE(0);
}

/** Returns the version for getVersion and contexts. Clients use Agave's version and ignore the suffix. */
export function nodeVersion(packageVersion: string): string {
  return `${AGAVE_VERSION}+spl-private-payments.${packageVersion}`;
}

/** The largest u16. */
const VERSION_MAX = 0xffff;

/**
 * Computes the u16 that distinguishes clusters (`solana-shred-version` `compute_shred_version`, no hard
 * forks): the genesis hash folded into two bytes, big-endian, plus one. It is never 0.
 *
 * @param genesisHash base58 of 32 bytes.
 */
export function shredVersion(genesisHash: string): number {
  const folded = decodeBase58(genesisHash).reduce(
    (version, byte, index) => version ^ (index % 2 === 0 ? byte << 8 : byte),
    0,
  );
  return Math.min(folded + 1, VERSION_MAX);
}
