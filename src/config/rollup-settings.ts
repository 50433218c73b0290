import { isGateway } from './gateway-settings.ts';
import type { ROLLUP_PLACES } from './ledger-variables.ts';
import type { Settings } from './variables.ts';

/** Where the rollup of localnet runs: in this program, in MagicBlock's validator, or nowhere. */
export type RollupPlace = (typeof ROLLUP_PLACES)[number];

/** Settings that say where the rollup is. */
type RollupSettings = Pick<Settings, 'rollup' | 'ledgerUpstreamUrl'>;

/** A node that forwards has no ledger that a rollup could be on top of. */
export function rollupPlace(settings: RollupSettings): RollupPlace {
  return settings.rollup ?? (isGateway(settings) ? 'off' : 'embedded');
}

/** What does not go together with where the rollup is. */
export function rollupFaults(settings: Settings): string[] {
  const place = rollupPlace(settings);
  if (place !== 'off' && isGateway(settings)) {
    return [
      `ROLLUP ${place} needs the embedded ledger, which LEDGER_UPSTREAM_URL replaces: unset one of them`,
    ];
  }
  if (place !== 'external') return [];
  const faults: string[] = [];
  if (settings.ephemeralRpcUrl.reveal().length === 0) {
    faults.push('ROLLUP is external: set EPHEMERAL_RPC_URL to the validator that runs on this ledger');
  }
  if (settings.baseRpcUrl.reveal().length > 0) {
    faults.push(
      'ROLLUP external takes EPHEMERAL_RPC_URL for localnet, but BASE_RPC_URL makes it that of mainnet: unset one of them',
    );
  }
  return faults;
}
