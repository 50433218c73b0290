import { Keypair } from '../ledger/keypair.ts';
import type { SponsorBudget } from '../payments/fees/sponsor-budget.ts';
import { parseSponsorKey } from '../payments/fees/sponsor-key.ts';
import type { Sponsor } from '../payments/fees/sponsor.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';

/** What an operator lets its sponsor do. */
interface SponsorTerms {
  readonly budget: SponsorBudget;
  readonly customMints: readonly Address[];
}

/**
 * The sponsor whose key an operator has configured, the only key the service ever holds. `variable` names the
 * setting in errors.
 *
 * @throws {ServiceError} CONFIG_INVALID when `text` is no secret key; the message holds no part of it.
 */
export function createKeySponsor(
  text: string,
  variable: string,
  { budget, customMints }: SponsorTerms,
): Sponsor {
  const keypair = new Keypair(parseSponsorKey(text, variable).seed);
  return {
    address: keypair.address,
    customMints,
    cosign: async (message, transaction) => {
      const signature = keypair.sign(message);
      await budget.hold({ ...transaction, signature: encodeBase58(signature) });
      return signature;
    },
  };
}
