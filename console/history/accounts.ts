import { decodeBase64 } from '../parts/encodings.ts';
import { PROGRAMS } from '../parts/programs.ts';
import { wholeOf } from './deed.ts';

/** An eATA as base shows it to everyone. */
export interface ShownEata {
  /** The balance on base, as of the last settlement, in base units. */
  readonly amount: bigint;
  /** Whether it is delegated, so that the rollup alone knows the present amount. */
  readonly isDelegated: boolean;
  readonly slot: number | null;
}

/** What `getAccountInfo` answers, as far as it is read. */
export interface AccountValue {
  readonly value: null | {
    readonly owner: string;
    readonly data: unknown;
  };
}

/** Bytes of an eATA on both layouts: owner 32, mint 32, amount u64 (`src/programs/ephemeral-token`). */
const EATA_BYTES = new Set([72, 80]);
const AMOUNT_AT = 64;

/** An eATA in the account that base shows; null for anything else. */
export function eataOf({ value }: AccountValue, slot: number | null): ShownEata | null {
  const data = Array.isArray(value?.data) ? decodeBase64(String(value.data[0])) : null;
  if (value === null || data === null || !EATA_BYTES.has(data.length)) return null;
  const amount = new DataView(data.buffer).getBigUint64(AMOUNT_AT, true);
  return { amount, isDelegated: value.owner === PROGRAMS.delegation, slot };
}

/** A token account as `jsonParsed` has it, as far as it is read. */
interface TokenInfo {
  readonly state?: string;
  readonly tokenAmount?: { readonly amount?: unknown };
}

/** What a node says of a token account; null if it is none. */
export const tokenInfoOf = ({ value }: AccountValue): TokenInfo | null =>
  (value?.data as { readonly parsed?: { readonly info?: TokenInfo } } | null)?.parsed?.info ?? null;

/** What is in a token account, base units; null if it is none. */
export const tokensIn = (account: AccountValue): bigint | null =>
  wholeOf(tokenInfoOf(account)?.tokenAmount?.amount);
