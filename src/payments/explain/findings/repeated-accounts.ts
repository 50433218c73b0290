import type { Address } from '../../../solana/address.ts';
import type { CallAccount } from '../call.ts';
import type { Finding } from '../finding.ts';

/**
 * A ledger rejects a transaction that lists an account twice (Agave `AccountLoadedTwice`), and no builder
 * creates one.
 */
export function repeatFindings(accounts: readonly CallAccount[]): Finding[] {
  const seen = new Set<Address>();
  const repeated = new Set<Address>();
  for (const { address } of accounts) {
    if (address === null) continue;
    if (seen.has(address)) repeated.add(address);
    seen.add(address);
  }
  return [...repeated].map((address) => ({
    level: 'danger',
    code: 'ACCOUNT_REPEATED',
    message: `It names ${address} twice: no ledger takes it, and nobody builds one by mistake.`,
  }));
}
