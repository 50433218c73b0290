import { wholeOf } from './deed.ts';
import type { AccountValue } from './shown-eata.ts';

/** A token account as `jsonParsed` has it, as far as it is read. */
export interface TokenInfo {
  readonly state?: string;
  readonly tokenAmount?: { readonly amount?: unknown };
}

/** What a node says of a token account; null where it is none. */
export const tokenInfoOf = ({ value }: AccountValue): TokenInfo | null =>
  (value?.data as { readonly parsed?: { readonly info?: TokenInfo } } | null)?.parsed?.info ?? null;

/** What is in a token account, base units; null where it is none. */
export const tokensIn = (account: AccountValue): bigint | null =>
  wholeOf(tokenInfoOf(account)?.tokenAmount?.amount);
