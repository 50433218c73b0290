import { rpcUrls } from './cluster-variables.ts';
import {
  parseInteger,
  parseList,
  parseMethodName,
  parseOptional,
  parseSwitch,
  type Variable,
} from './variable.ts';

/** The settings of the ledger node. */
export const LEDGER_VARIABLES = {
  ledgerRequestBytesMax: {
    name: 'LEDGER_REQUEST_BYTES_MAX',
    default: '51200',
    description: 'Largest request body the ledger node reads, bytes.',
    parse: parseInteger(1_024, 64 * 1024 * 1024),
  },
  faucetSol: {
    name: 'FAUCET_SOL',
    default: '500000000',
    description: 'SOL the faucet of a new ledger holds.',
    parse: parseInteger(1, 10_000_000_000),
  },
  ledgerHistoryMax: {
    name: 'LEDGER_HISTORY_MAX',
    default: '1000000',
    description: 'Transactions the ledger keeps; the oldest are forgotten beyond it.',
    parse: parseInteger(1, 100_000_000),
  },
  ledgerSlotMs: {
    name: 'LEDGER_SLOT_MS',
    default: '400',
    description: 'Time of a slot of the ledger, ms.',
    parse: parseInteger(10, 60_000),
  },
  ledgerCheats: {
    name: 'LEDGER_CHEATS',
    default: '',
    description:
      'Whether callers may set accounts and move time (the surfnet_ methods): on, which HOST must be a loopback address for, or off. Default: on while HOST is one.',
    parse: parseOptional(parseSwitch),
  },
  ledgerUpstreamUrl: rpcUrls(
    'LEDGER_UPSTREAM_URL',
    'RPC of a cluster that the ledger node forwards calls to, in place of the embedded ledger.',
  ),
  ledgerUpstreamMethods: {
    name: 'LEDGER_UPSTREAM_METHODS',
    default: '',
    description:
      'Methods it forwards besides those that payments and wallets need, separated by commas; * for all.',
    parse: parseList(parseMethodName),
  },
} as const satisfies Record<string, Variable<unknown>>;
