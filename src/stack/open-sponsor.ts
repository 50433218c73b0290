import type { Config } from '../config/config.ts';
import type { Sponsor } from '../payments/fees/sponsor.ts';
import { createKeySponsor } from '../signing/key-sponsor.ts';

/**
 * The payer of gasless transfers; undefined if none is set.
 *
 * @throws {ServiceError} CONFIG_INVALID when what is set is no secret key.
 */
export function openSponsor({
  gaslessSponsorSecretKey,
}: Pick<Config, 'gaslessSponsorSecretKey'>): Sponsor | undefined {
  return gaslessSponsorSecretKey === null
    ? undefined
    : createKeySponsor(gaslessSponsorSecretKey.reveal(), 'GASLESS_SPONSOR_SECRET_KEY');
}
