import { decodeBase64 } from '../parts/encodings.ts';
import { PROGRAMS } from '../parts/programs.ts';
import { wholeOf } from './deed.ts';

/** An eATA as everyone sees it on base. */
export interface ShownEata {
  /** The balance on base, as of the last settlement, in base units. */
  readonly amount: bigint;
  /** Whether the eATA is delegated. Only the rollup has the current amount then. */
  readonly isDelegated: boolean;
  readonly slot: number | null;
}

/** The fields of a `getAccountInfo` response that are read. */
export interface AccountValue {
  readonly value: null | {
    readonly owner: string;
    readonly data: unknown;
  };
}

/** Bytes of an eATA on both layouts: owner 32, mint 32, amount u64 (`src/programs/ephemeral-token`). */
const EATA_BYTES = new Set([72, 80]);
const AMOUNT_AT = 64;

/** Decodes an eATA; null for any other account. */
export function eataOf({ value }: AccountValue, slot: number | null): ShownEata | null {
  const data = Array.isArray(value?.data) ? decodeBase64(String(value.data[0])) : null;
  if (value === null || data === null || !EATA_BYTES.has(data.length)) return null;
  const amount = new DataView(data.buffer).getBigUint64(AMOUNT_AT, true);
  return { amount, isDelegated: value.owner === PROGRAMS.delegation, slot };
}

/** The fields of a `jsonParsed` token account that are read. */
interface TokenInfo {
  readonly state?: string;
  readonly tokenAmount?: { readonly amount?: unknown };
}

/** The parsed fields of a token account; null for any other account. */
export const tokenInfoOf = ({ value }: AccountValue): TokenInfo | null =>
  (value?.data as { readonly parsed?: { readonly info?: TokenInfo } } | null)?.parsed?.info ?? null;

/** The balance of a token account, in base units; null for any other account. */
export const tokensIn = (account: AccountValue): bigint | null =>
  wholeOf(tokenInfoOf(account)?.tokenAmount?.amount);
