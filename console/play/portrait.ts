import { eataOf, type AccountValue, type ShownEata, tokenInfoOf, tokensIn } from '../history/accounts.ts';
import type { WalletAccounts } from '../history/wallet-deeds.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { LedgerReader } from '../readers/reader.ts';
import type { Readers } from '../readers/readers.ts';
import type { Answer, Wire } from '../readers/wire.ts';

/** The result of reading an amount. */
export type AmountResult =
  | { readonly kind: 'amount'; readonly amount: bigint }
  /** The ledger shows no such account. */
  | { readonly kind: 'absent' }
  /** This reader does not call that ledger. */
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'failed'; readonly message: string };

/** The balances of a wallet that one reader sees. */
export interface Portrait {
  readonly onBase: AmountResult;
  readonly onRollup: AmountResult;
  /** Whether the rollup account is frozen: undelegation was requested, but is not settled yet. */
  readonly isFrozen: boolean;
  /** The eATA on base; null if base has none, or could not be read. */
  readonly eata: ShownEata | null;
  /** Why the eATA could not be read; null if base answered. */
  readonly eataFault: string | null;
  /** The calls behind these values. */
  readonly wires: readonly Wire[];
}

/** Reads the balances of a wallet for a viewpoint, with one batch per ledger. */
export async function readPortrait(
  readers: Readers,
  as: Viewpoint,
  { wallet, ata, eata }: WalletAccounts,
): Promise<Portrait> {
  const rollup = as === 'base' ? null : as === 'anyone' ? readers.anyone : readers.owner(wallet);
  const [base, owed, onRollup] = await Promise.all([
    tokenAccount(readers.base, ata),
    readers.base.call<AccountValue>('getAccountInfo', [eata, { encoding: 'base64' }]),
    rollup === null ? null : tokenAccount(rollup, ata),
  ]);
  return {
    onBase: amountResult(base),
    onRollup: onRollup === null ? { kind: 'not-asked' } : amountResult(onRollup),
    isFrozen: onRollup?.kind === 'value' && tokenInfoOf(onRollup.value)?.state === 'frozen',
    eata: owed.kind === 'value' ? eataOf(owed.value, owed.wire.slot) : null,
    eataFault: owed.kind === 'failed' ? owed.message : null,
    wires: [base.wire, owed.wire, ...(onRollup === null ? [] : [onRollup.wire])],
  };
}

/** Whether a part could not be read and should be retried. */
export const isUnread = ({ onBase, onRollup, eataFault }: Portrait): boolean =>
  eataFault !== null || onBase.kind === 'failed' || onRollup.kind === 'failed';

/**
 * The amount that is ready to withdraw, in base units: 0 while it is delegated, null if it could not be read.
 */
export function readyOf(portrait: Portrait | null): bigint | null {
  if (portrait === null || portrait.eataFault !== null) return null;
  return portrait.eata?.isDelegated === false ? portrait.eata.amount : 0n;
}

const tokenAccount = (reader: LedgerReader, ata: string): Promise<Answer<AccountValue>> =>
  reader.call<AccountValue>('getAccountInfo', [ata, { encoding: 'jsonParsed' }]);

function amountResult(answer: Answer<AccountValue>): AmountResult {
  if (answer.kind === 'failed') return { kind: 'failed', message: answer.message };
  if (answer.value.value === null) return { kind: 'absent' };
  const amount = tokensIn(answer.value);
  return amount === null
    ? { kind: 'failed', message: 'This is not a token account.' }
    : { kind: 'amount', amount };
}
