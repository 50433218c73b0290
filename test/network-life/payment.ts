import type { Person } from './person.ts';
import { checkEqual, note } from './report.ts';
import type { Network, NetworkMint } from './network.ts';

/** The fees in a response of spl.transfer. */
interface Transfer {
  readonly fees: { readonly tokens: string };
}

/** The rate of a private payment from base to base: 10 of 10,000. */
export const feeOf = (amount: bigint): bigint => (amount * 10n) / 10_000n;

/** A payment. `options` are arguments of spl.transfer. */
export interface Payment {
  readonly from: Person;
  /** A wallet or a handle. */
  readonly to: string;
  readonly mint: NetworkMint;
  readonly amount: bigint;
  /** The fee that stays in the vault, in base units. */
  readonly fee?: bigint;
  /** Fee of the sponsor, in base units. */
  readonly relayFee?: bigint;
  readonly options?: object;
}

/** Sends a payment, and checks that the response states the right fees. */
export async function pay(network: Network, { from, to, mint, amount, ...payment }: Payment): Promise<void> {
  const { fee = 0n, relayFee = 0n, options = {} } = payment;
  const args = { from: from.address, to, mint: mint.address, amount: amount.toString(), ...options };
  const built = await network.do(from, 'spl.transfer', args);
  checkEqual('fee told', BigInt((built as unknown as Transfer).fees.tokens), fee + relayFee);
  network.keepFee(mint, fee);
}

/** Measures and prints a duration, in ms. */
export async function timed(title: string, play: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await play();
  const ms = Math.round(performance.now() - started);
  note(title, `${ms} ms`);
  return ms;
}
