import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { SponsorBudget } from '../payments/fees/sponsor-budget.ts';
import type { Sponsor } from '../payments/fees/sponsor.ts';
import type { Clock } from '../ports/clock.ts';
import { createKeySponsor } from '../signing/key-sponsor.ts';
import { isAddress, type Address } from '../solana/address.ts';

/** The settings of the payer of gasless transfers. */
export type SponsorSettings =
  | { readonly gaslessSponsorSecretKey: null }
  | Pick<Config, 'gaslessSponsorSecretKey' | 'gaslessSolPerHour' | 'gaslessMints' | 'workers'>;

/**
 * The payer of gasless transfers; undefined if none is set. Each of several workers opens its own, with an
 * equal share of what it may spend.
 *
 * @throws {ServiceError} CONFIG_INVALID when what is set is no secret key, or a mint no address.
 */
export function openSponsor(settings: SponsorSettings, clock: Clock): Sponsor | undefined {
  if (settings.gaslessSponsorSecretKey === null) return undefined;
  const { gaslessSponsorSecretKey, gaslessSolPerHour, gaslessMints, workers } = settings;
  return createKeySponsor(gaslessSponsorSecretKey.reveal(), 'GASLESS_SPONSOR_SECRET_KEY', {
    budget: new SponsorBudget(clock, gaslessSolPerHour / BigInt(workers)),
    customMints: gaslessMints.map(mintOf),
  });
}

function mintOf(text: string): Address {
  if (isAddress(text)) return text;
  throw new ServiceError('CONFIG_INVALID', 'GASLESS_MINTS must be base58 Solana addresses of 32 bytes');
}
