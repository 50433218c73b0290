import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { isAddress } from '../../solana/address.ts';

const address = z.string().refine(isAddress, { error: 'must be a base58 address of 32 bytes' });

const price = z.strictObject({
  amount: z.string().regex(/^[1-9][0-9]{0,19}$/, { error: 'must be a decimal string of base units' }),
  mint: address,
  payTo: address,
  network: z.string().optional(),
  settlement: z.literal('private').optional(),
});

/** The price of one call of a tool. */
export interface Price {
  /** Base units, decimal. */
  readonly amount: string;
  readonly mint: string;
  /** The wallet that is paid. */
  readonly payTo: string;
  /** Network in the names of x402. Default: the network of the default cluster. */
  readonly network?: string | undefined;
  /** `private`: only payments on the rollup are accepted. */
  readonly settlement?: 'private' | undefined;
}

/**
 * Parses the price file: a JSON object that maps tool names to prices.
 *
 * @param tools the tools that can have a price.
 * @throws {ServiceError} CONFIG_INVALID with a line for each problem.
 */
export function readPrices(text: string, tools: readonly string[]): ReadonlyMap<string, Price> {
  const parsed = z.record(z.string(), price).safeParse(parseJson(text));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
    throw invalid(lines);
  }
  const prices = new Map(Object.entries(parsed.data));
  const unknown = [...prices.keys()].filter((tool) => !tools.includes(tool));
  if (unknown.length > 0) {
    throw invalid(unknown.map((tool) => `${tool} cannot have a price: the tools are ${tools.join(', ')}`));
  }
  return prices;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(['it is not JSON']);
  }
}

const invalid = (lines: readonly string[]): ServiceError =>
  new ServiceError('CONFIG_INVALID', lines.map((line) => `The file PRICES is not valid: ${line}`).join('\n'));
