import { Keypair, signTransaction } from '../ledger/keypair.ts';
import { parseSponsorKey } from '../payments/fees/sponsor-key.ts';
import type { Sponsor, SponsorBudget } from '../payments/fees/sponsor.ts';
import type { SendFromThrowaway } from '../payments/transfer-queue.ts';
import type { Random } from '../ports/random.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import { compileLegacyMessage } from '../solana/message.ts';

/** The limits of a sponsor. */
interface SponsorTerms {
  readonly budget: SponsorBudget;
  readonly customMints: readonly Address[];
}

/**
 * Creates the sponsor of gasless transfers with the operator's key.
 *
 * @param variable name of the setting, for errors.
 * @throws {ServiceError} CONFIG_INVALID if `text` is not a secret key; the message does not contain it.
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
      await budget.spend(encodeBase58(signature), transaction);
      return signature;
    },
  };
}

/** Creates a sender for transactions that anyone can send. It signs each with a new key, then drops it. */
export function createThrowawaySender(random: Random): SendFromThrowaway {
  return async (rollup, plan) => {
    const keypair = new Keypair(random.bytes(32));
    const { blockhash } = await rollup.latestBlockhash();
    const message = compileLegacyMessage({
      feePayer: keypair.address,
      blockhash: decodeBase58(blockhash),
      instructions: plan(keypair.address),
    });
    return rollup.sendTransaction(signTransaction(message, [keypair]).wire);
  };
}
