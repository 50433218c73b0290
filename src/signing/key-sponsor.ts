import { Keypair } from '../ledger/keypair.ts';
import type { Sponsor } from '../payments/fees/sponsor.ts';
import { parseSponsorKey } from '../payments/fees/sponsor-key.ts';

/**
 * The sponsor whose key an operator has configured, the only key the service ever holds. `variable` names the
 * setting in errors.
 *
 * @throws {ServiceError} CONFIG_INVALID when `text` is no secret key; the message holds no part of it.
 */
export function createKeySponsor(text: string, variable: string): Sponsor {
  const keypair = new Keypair(parseSponsorKey(text, variable).seed);
  return { address: keypair.address, cosign: (message) => keypair.sign(message) };
}
