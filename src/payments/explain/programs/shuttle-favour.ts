import { decodeShuttle } from '../../../programs/ephemeral-token/layout-b/shuttle-state.ts';
import { isProgramAccount } from '../../accounts/program-account.ts';
import type { Reading } from '../reading.ts';

/** Why nobody should pay for a shuttle; null if its owner signs. */
export const openingDanger = (r: Reading): string | null =>
  r.signs('owner')
    ? null
    : `${r.name('payer')} pays for the shuttle, and ${r.name('owner')}, who does not sign, would have it.`;

/**
 * Why the remaining tokens of a shuttle must not go to the token account in `role`; null if that belongs to a
 * signer, or on chain to the shuttle's own owner.
 */
export function payeeDanger(r: Reading, role: string): string | null {
  const payee = r.ownerOf(role);
  if (payee !== null && (r.hasSigner(payee) || payee === shuttleOwner(r))) return null;
  const who = payee === null ? 'of which nothing tells whose it is' : 'who does not sign';
  return `What is left in the shuttle would go to ${r.holder(role)}, ${who}.`;
}

function shuttleOwner(r: Reading): string | null {
  const account = r.accountOf('shuttle');
  return account && isProgramAccount(account) ? (decodeShuttle(account.data)?.owner ?? null) : null;
}
