import type { ROLLUP_PLACES } from './ledger-variables.ts';
import { isLoopback } from './loopback.ts';
import type { Settings } from './variables.ts';

/** Whether the ledger node forwards calls to a cluster instead of running an embedded ledger. */
export function isGateway({ ledgerUpstreamUrl }: Pick<Settings, 'ledgerUpstreamUrl'>): boolean {
  return ledgerUpstreamUrl.reveal().length > 0;
}

/** Returns a fault for each setting that contradicts a forwarding ledger node. */
export function gatewayFaults(settings: Settings): string[] {
  if (!isGateway(settings)) {
    if (settings.ledgerUpstreamMethods.length === 0) return [];
    return ['LEDGER_UPSTREAM_METHODS is set without LEDGER_UPSTREAM_URL: set both or none'];
  }
  const faults: string[] = [];
  if (settings.cluster === 'localnet') {
    faults.push(
      'CLUSTER localnet is the embedded ledger, which LEDGER_UPSTREAM_URL replaces: choose another cluster, or unset one of them',
    );
  }
  if (settings.ledgerCheats === true) {
    faults.push(
      'LEDGER_CHEATS is on while LEDGER_UPSTREAM_URL replaces the embedded ledger: unset one of them',
    );
  }
  if (settings.localnetPrograms !== null) {
    faults.push(
      'LOCALNET_PROGRAMS is set while LEDGER_UPSTREAM_URL replaces the embedded ledger: unset one of them',
    );
  }
  if (settings.ledgerUpstreamUrl.reveal().some((url) => isOwnPort(url, settings))) {
    faults.push('LEDGER_UPSTREAM_URL names a port of this program itself: set the URL of another node');
  }
  return faults;
}

/** A gateway in front of itself would forward a call endlessly. */
function isOwnPort(url: URL, { port, ledgerRpcPort }: Settings): boolean {
  const number = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const hostName = url.hostname.replace(/^\[|\]$/g, '');
  return isLoopback(hostName) && (number === port || number === ledgerRpcPort);
}

/** Where the rollup of localnet runs: in this program, in MagicBlock's validator, or nowhere. */
export type RollupPlace = (typeof ROLLUP_PLACES)[number];

type RollupSettings = Pick<Settings, 'rollup' | 'ledgerUpstreamUrl'>;

/** Returns the place of the rollup; by default embedded if there is an embedded ledger. */
export function rollupPlace(settings: RollupSettings): RollupPlace {
  return settings.rollup ?? (isGateway(settings) ? 'off' : 'embedded');
}

/** Returns a fault for each setting that contradicts the place of the rollup. */
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
      'ROLLUP external uses EPHEMERAL_RPC_URL for localnet, but BASE_RPC_URL makes it the mainnet rollup: unset one of them',
    );
  }
  return faults;
}
