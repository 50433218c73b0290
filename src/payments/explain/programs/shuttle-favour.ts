import { decodeShuttle } from '../../../programs/ephemeral-token/layout-b/shuttle-state.ts';
import { isProgramAccount } from '../../accounts/program-account.ts';
import type { Reading } from '../reading.ts';

/** Why nobody should pay for a shuttle; null where its owner signs. */
export const openingDanger = (r: Reading): string | null =>
  r.signs('owner')
    ? null
    : `${r.name('payer')} pays for the shuttle, and ${r.name('owner')}, who does not sign, would have it.`;

/**
 * Why what is left in a shuttle must not go to the token account of `role`; null where it is that of a signer, or of the
 * shuttle's own owner by the chain's word.
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
