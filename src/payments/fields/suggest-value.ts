import type { Clusters } from '../../chain/clusters.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import { COMMON_MINTS } from '../mints/common-mints.ts';
import { AMOUNT_MAX } from './fields.ts';

/**
 * Returns a sentence that suggests the likely value of an invalid argument; undefined if unsure.
 *
 * @param args all arguments, unchecked.
 */
export type SuggestValue = (
  name: string,
  value: unknown,
  args: Readonly<Record<string, unknown>>,
) => string | undefined;

/** A number with an optional symbol: `1.5 USDC`, `1.5`, `2 sol`. */
const AMOUNT = /^(\d{1,20})(?:\.(\d{1,20}))?\s*([a-z]{2,10})?$/i;

const EVERYTHING = /^(?:all|everything|max|maximum)$/i;

/** Suggests the mint of a symbol, or the base units of an amount in whole tokens, on the named cluster. */
export function suggestValues(clusters: Clusters): SuggestValue {
  /** Returns the mint of a symbol: the cluster's USDC, or SOL. */
  const mintOf = (symbol: string, { cluster }: Readonly<Record<string, unknown>>): Address | undefined => {
    if (symbol.toUpperCase() === 'SOL') return NATIVE_MINT;
    if (symbol.toUpperCase() !== 'USDC') return undefined;
    const isKnown = cluster === undefined || clusters.names.includes(String(cluster));
    return isKnown ? clusters.resolve(cluster as string | undefined).defaultMint : undefined;
  };
  const suggestAmount = (text: string, args: Readonly<Record<string, unknown>>): string | undefined => {
    if (EVERYTHING.test(text)) return 'Read the balance first and write the number.';
    const [, whole, fraction = '', symbol] = AMOUNT.exec(text) ?? [];
    if (whole === undefined || (fraction === '' && symbol === undefined)) return undefined;
    const given = args['mint'];
    // The mint of the call: an address, the mint of a symbol, or the default.
    const ofCall = isAddress(String(given)) ? (given as Address) : mintOf(String(given ?? 'USDC'), args);
    const mint = symbol === undefined ? ofCall : mintOf(symbol, args);
    const facts = mint === undefined ? undefined : COMMON_MINTS.get(mint);
    if (facts === undefined || fraction.length > facts.decimals) return undefined;
    // A symbol that differs from the mint argument is a contradiction.
    if (mint !== ofCall && given !== undefined) return undefined;
    const units = BigInt(whole + fraction.padEnd(facts.decimals, '0'));
    const amount = fraction === '' ? whole : `${whole}.${fraction}`;
    // Without the mint, the number would count units of the default mint.
    const withMint = mint === ofCall ? '' : `, and ${mint} as the mint`;
    return units > AMOUNT_MAX
      ? undefined
      : `Write ${units} for ${amount} ${symbol ?? facts.symbol}${withMint}.`;
  };
  return (name, value, args) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const text = String(value).trim();
    if (name === 'mint') {
      const mint = mintOf(text, args);
      return mint === undefined ? undefined : `Write ${mint} for ${text.toUpperCase()}.`;
    }
    return name === 'amount' ? suggestAmount(text, args) : undefined;
  };
}
