import { eataOf, type AccountValue, type ShownEata, tokenInfoOf, tokensIn } from '../history/accounts.ts';
import type { WalletAccounts } from '../history/wallet-deeds.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { LedgerReader } from '../readers/reader.ts';
import type { Readers } from '../readers/readers.ts';
import type { Answer, Wire } from '../readers/wire.ts';

/** What an amount came to. */
export type AmountResult =
  | { readonly kind: 'amount'; readonly amount: bigint }
  /** The ledger answered as if it were not there. */
  | { readonly kind: 'absent' }
  /** This reader does not ask the ledger. */
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'failed'; readonly message: string };

/** A wallet as one reader sees it. */
export interface Portrait {
  readonly onBase: AmountResult;
  readonly onRollup: AmountResult;
  /** Whether the rollup shows the account frozen: asked back, and not settled yet. */
  readonly isFrozen: boolean;
  /** Null if base has none, and where it could not be read. */
  readonly eata: ShownEata | null;
  /** Why the eATA could not be read of base: then nothing is known of it. Null if base answered. */
  readonly eataFault: string | null;
  /** The calls it was read with. */
  readonly wires: readonly Wire[];
}

/** Reads a wallet as one viewpoint sees it: one batch to base, and one to the rollup where that is asked. */
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

/** Whether something of it could not be read, so that it is to be asked for again. */
export const isUnread = ({ onBase, onRollup, eataFault }: Portrait): boolean =>
  eataFault !== null || onBase.kind === 'failed' || onRollup.kind === 'failed';

/**
 * What a wallet can take out by what base shows, base units: 0 where all of it is delegated, and null where
 * it was not read, which is no zero.
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
