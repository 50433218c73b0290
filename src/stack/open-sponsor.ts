import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Registry } from '../metrics/registry.ts';
import { addSponsorMetrics } from '../metrics/sponsor-metrics.ts';
import { TableBudgetStore } from '../payments/fees/budget-store.ts';
import { SponsorBudget } from '../payments/fees/sponsor-budget.ts';
import type { Sponsor } from '../payments/fees/sponsor.ts';
import type { Tables } from '../ports/tables.ts';
import { systemTimer } from '../ports/timer.ts';
import { createKeySponsor } from '../signing/key-sponsor.ts';
import { type Address, isAddress } from '../solana/address.ts';
import type { Ports } from './ports.ts';

/** The settings of the payer of gasless transfers. */
export type SponsorSettings =
  | { readonly gaslessSponsorSecretKey: null }
  | Pick<Config, 'gaslessSponsorSecretKey' | 'gaslessSolPerHour' | 'gaslessMints'>;

/**
 * The payer of gasless transfers; undefined if none is set.
 *
 * @param tables where what it has spent is kept, over all processes that sign for it.
 * @param registry where the figures of its budget are added.
 * @throws {ServiceError} CONFIG_INVALID when what is set is no secret key, or a mint no address.
 */
export function openSponsor(
  settings: SponsorSettings,
  { clock, logger, timer = systemTimer }: Pick<Ports, 'clock' | 'logger' | 'timer'>,
  tables: Tables,
  registry?: Registry,
): Sponsor | undefined {
  if (settings.gaslessSponsorSecretKey === null) return undefined;
  const { gaslessSponsorSecretKey, gaslessSolPerHour, gaslessMints } = settings;
  const store = new TableBudgetStore(tables, clock, gaslessSolPerHour);
  const budget = new SponsorBudget({ clock, logger, timer }, store);
  const sponsor = createKeySponsor(gaslessSponsorSecretKey.reveal(), 'GASLESS_SPONSOR_SECRET_KEY', {
    budget,
    customMints: gaslessMints.map(mintOf),
  });
  if (registry !== undefined) addSponsorMetrics(registry, () => store.figures);
  return sponsor;
}

function mintOf(text: string): Address {
  if (isAddress(text)) return text;
  throw new ServiceError('CONFIG_INVALID', 'GASLESS_MINTS must be base58 Solana addresses of 32 bytes');
}
