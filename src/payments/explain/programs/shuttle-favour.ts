import { decodeShuttle } from '../../../programs/ephemeral-token/layout-b/shuttle-state.ts';
import { isProgramAccount } from '../../accounts/program-account.ts';
import type { Reading } from '../reading.ts';

/** Why nobody should pay for a shuttle that another has; null if it is the payer's own. */
export function openingDanger(r: Reading): string | null {
  const [payer, owner] = [r.account('payer'), r.account('owner')];
  if (payer !== null && payer === owner) return null;
  const who = r.signs('owner') ? '' : ', who does not sign,';
  return `${r.name('payer')} pays for the shuttle, and ${r.name('owner')}${who} would have it.`;
}

/**
 * Why the remaining tokens of a shuttle must not go to the token account in `role`; null if that belongs to
 * the shuttle's owner, or where nothing tells who that is, to the only one who signs. Another signer may be
 * the thief.
 */
export function payeeDanger(r: Reading, role: string): string | null {
  const payee = r.ownerOf(role);
  if (payee !== null && (payee === shuttleOwner(r) || r.isOnlySigner(payee))) return null;
  const who = payee === null ? ', of which nothing tells whose it is' : ', who does not own the shuttle';
  return `What is left in the shuttle would go to ${r.holder(role)}${who}.`;
}

/** By the instruction, whose program holds it against the shuttle, or by the chain; null if neither tells. */
function shuttleOwner(r: Reading): string | null {
  const account = r.accountOf('shuttle');
  const known = account && isProgramAccount(account) ? decodeShuttle(account.data) : null;
  return known?.owner ?? r.account('owner');
}
