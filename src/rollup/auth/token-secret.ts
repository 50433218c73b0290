import { hkdfSync } from 'node:crypto';

/** Bytes of the secret (RFC 7518 section 3.2: as long as the hash). */
const SECRET_BYTES = 32;

/**
 * The secret that a rollup's tokens are signed with (HKDF, RFC 5869), so that they outlive a restart of the process but
 * not the ledger.
 *
 * @param ledgerSecret random bytes that are kept with the ledger and known to nobody, such as the seed of its validator.
 */
export function deriveTokenSecret(ledgerSecret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', ledgerSecret, '', 'rollup bearer tokens', SECRET_BYTES));
}
