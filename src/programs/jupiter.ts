import { viewOf } from '../solana/byte-reader.ts';

/** The terms that Jupiter's program enforces. Amounts are in base units. */
export interface JupiterRoute {
  /** The side whose amount is fixed. */
  readonly swapMode: 'ExactIn' | 'ExactOut';
  /** The fixed amount: the input of `ExactIn`, the output of `ExactOut`. */
  readonly amount: bigint;
  /** The quoted amount of the other side. */
  readonly quotedAmount: bigint;
  /** Accepted deviation from the quoted amount, in basis points. */
  readonly slippageBps: number;
}

/** Start of each instruction: the first 8 bytes of SHA-256("global:<name>"), as Anchor derives them. */
const ROUTES: Readonly<Record<string, readonly [JupiterRoute['swapMode'], number | 'tail']>> = {
  // The first version has its amounts after the route plan, the second one before it.
  e517cb977ae3ad2a: ['ExactIn', 'tail'], // route
  c1209b3341d69c81: ['ExactIn', 'tail'], // shared_accounts_route
  d033ef977b2bed5c: ['ExactOut', 'tail'], // exact_out_route
  b0d169a89a7d453e: ['ExactOut', 'tail'], // shared_accounts_exact_out_route
  bb64facc31c4af14: ['ExactIn', 8], // route_v2
  d19853937cfed8e9: ['ExactIn', 9], // shared_accounts_route_v2
  '9d8ab85215f4f324': ['ExactOut', 8], // exact_out_route_v2
  '3560e5cad8bbfa18': ['ExactOut', 9], // shared_accounts_exact_out_route_v2
};

/** Size of both amounts and the slippage, in bytes. */
const TERMS_BYTES = 18;

/** Size of the terms of the first version, which end with a u8 platform fee, in bytes. */
const TAIL_BYTES = TERMS_BYTES + 1;

/** Size of an empty route plan, in bytes. */
const PLAN_BYTES_MIN = 4;

/** Decodes an instruction of Jupiter's program that swaps; null for others. */
export function decodeJupiterRoute(data: Uint8Array): JupiterRoute | null {
  const form = ROUTES[Buffer.from(data.subarray(0, 8)).toString('hex')];
  if (form === undefined || data.length < 8 + PLAN_BYTES_MIN + TAIL_BYTES) return null;
  const [swapMode, place] = form;
  const at = place === 'tail' ? data.length - TAIL_BYTES : place;
  const view = viewOf(data);
  return {
    swapMode,
    amount: view.getBigUint64(at, true),
    quotedAmount: view.getBigUint64(at + 8, true),
    slippageBps: view.getUint16(at + 16, true),
  };
}
