import { rpcUrls } from './cluster-variables.ts';
import { parseProgramsPlace } from './programs-place.ts';
import {
  parseChoice,
  parseInteger,
  parseList,
  parseMethodName,
  parseOptional,
  parseSecret,
  parseSol,
  parseSwitch,
  parseText,
  parseWebSocketUrl,
  type Variable,
} from './variable.ts';

/** The possible places of localnet's rollup. */
export const ROLLUP_PLACES = ['embedded', 'external', 'off'] as const;

/** The settings of the ledger node and of the rollup on top of it. */
export const LEDGER_VARIABLES = {
  ledgerRequestBytesMax: {
    name: 'LEDGER_REQUEST_BYTES_MAX',
    default: '51200',
    description: 'Maximum request body of the ledger node, bytes.',
    parse: parseInteger(1_024, 64 * 1024 * 1024),
  },
  faucetSol: {
    name: 'FAUCET_SOL',
    default: '500000000',
    description: 'SOL in the faucet of a new ledger.',
    parse: parseInteger(1, 10_000_000_000),
  },
  faucetCallMax: {
    name: 'FAUCET_SOL_PER_CALL_MAX',
    default: '',
    description:
      'Maximum SOL per faucet call. Default: no limit if only this machine can reach the ledger (EXPOSURE), else 10.',
    parse: parseOptional(parseSol),
  },
  faucetSliceMax: {
    name: 'FAUCET_SOL_PER_TIME_MAX',
    default: '',
    description:
      'Maximum SOL that the faucet gives one address per FAUCET_TIME_SECONDS, including the rent of token accounts. Default: no limit if only this machine can reach the ledger (EXPOSURE), else 10.',
    parse: parseOptional(parseSol),
  },
  faucetSliceSeconds: {
    name: 'FAUCET_TIME_SECONDS',
    default: '60',
    description: 'Time window of FAUCET_SOL_PER_TIME_MAX, seconds.',
    parse: parseInteger(0, 86_400),
  },
  ledgerHistoryMax: {
    name: 'LEDGER_HISTORY_MAX',
    default: '1000000',
    description: 'Number of transactions that the ledger keeps. Older ones are deleted.',
    parse: parseInteger(1, 100_000_000),
  },
  ledgerAccountsBytesMax: {
    name: 'LEDGER_ACCOUNTS_BYTES_MAX',
    default: '536870912',
    description:
      'Maximum bytes of account data on the ledger, and on the rollup. The data is kept in memory. Transactions that would exceed the limit are rejected.',
    parse: parseInteger(32 * 1024 * 1024, 1024 * 1024 * 1024 * 1024),
  },
  ledgerSlotMs: {
    name: 'LEDGER_SLOT_MS',
    default: '400',
    description: 'Slot time of the ledger, ms.',
    parse: parseInteger(10, 60_000),
  },
  ledgerComputeUnitLimit: {
    name: 'LEDGER_COMPUTE_UNIT_LIMIT',
    default: '',
    description:
      'Compute unit limit of every transaction on the ledger, regardless of its own limit. Default: its own limit, up to 1400000.',
    parse: parseOptional(parseInteger(1, 100_000_000)),
  },
  ledgerLogBytesMax: {
    name: 'LEDGER_LOG_BYTES_MAX',
    default: '',
    description: 'Maximum bytes of stored logs per transaction of the ledger. Default: no limit.',
    parse: parseOptional(parseInteger(0, 64 * 1024 * 1024)),
  },
  ledgerAccountLocksMax: {
    name: 'LEDGER_ACCOUNT_LOCKS_MAX',
    default: '',
    description:
      'Maximum accounts of a transaction on the ledger. Default: 64, as on mainnet, or 128 if the feature for it is active.',
    parse: parseOptional(parseInteger(1, 128)),
  },
  ledgerCheats: {
    name: 'LEDGER_CHEATS',
    default: '',
    description:
      'Whether callers may set accounts and move time (the surfnet_ methods): on (only allowed if only this machine can reach the ledger, EXPOSURE) or off. Default: on if only this machine can.',
    parse: parseOptional(parseSwitch),
  },
  localnetWallets: {
    name: 'LOCALNET_WALLETS',
    default: 'off',
    description:
      'Whether MCP has tools that create, fund and sign with test wallets on localnet, whose keys this process holds: on (only allowed if only this machine can reach it, EXPOSURE) or off.',
    parse: parseSwitch,
  },
  spendingPolicy: {
    name: 'SPENDING_POLICY',
    default: '',
    description:
      'File with the spending policy of the test wallets (LOCALNET_WALLETS) and of the facilitator (FACILITATOR_SECRET_KEY): JSON with caps by mint and lists of recipients, programs and validators. Without it, the wallets sign any transaction, and the facilitator any payment.',
    parse: parseOptional(parseText),
  },
  localnetPrograms: {
    name: 'LOCALNET_PROGRAMS',
    default: '',
    description:
      "Programs of a new ledger, as the networks run them (layout B): a folder with ephemeral_spl_token.so, delegation.so and permission.so, or a cluster (devnet, mainnet) or an RPC URL, which may contain a key, to read them from once. They are MagicBlock's, for non-production use. Default: the programs of the npm package (layout A).",
    isSecret: true,
    parse: parseOptional(parseProgramsPlace),
  },
  ledgerUpstreamUrl: rpcUrls(
    'LEDGER_UPSTREAM_URL',
    'RPC of a cluster that the ledger node forwards calls to, instead of running the embedded ledger.',
  ),
  ledgerUpstreamWsUrl: {
    name: 'LEDGER_UPSTREAM_WS_URL',
    default: '',
    description:
      'WebSocket of the cluster at LEDGER_UPSTREAM_URL. Several URLs, separated by commas, are tried in turn. They may contain keys and are never shown. Default: as Solana clients derive it from LEDGER_UPSTREAM_URL (the next port if the URL has a port).',
    isSecret: true,
    parse: parseSecret(parseList(parseWebSocketUrl)),
  },
  ledgerUpstreamMethods: {
    name: 'LEDGER_UPSTREAM_METHODS',
    default: '',
    description:
      'Methods that the ledger node forwards to LEDGER_UPSTREAM_URL in addition to those that payments and wallets need, separated by commas; * for all.',
    parse: parseList(parseMethodName),
  },
  rollup: {
    name: 'ROLLUP',
    default: '',
    description:
      "Where the rollup of localnet runs: embedded in this program, external (MagicBlock's validator at EPHEMERAL_RPC_URL, with this ledger as its base), or off. Default: embedded if there is an embedded ledger.",
    parse: parseOptional(parseChoice(ROLLUP_PLACES)),
  },
  rollupRpcPort: {
    name: 'ROLLUP_RPC_PORT',
    default: '7799',
    description:
      'Port of the embedded rollup (JSON-RPC and login). The next port is its WebSocket. 0 picks a free one.',
    parse: parseInteger(0, 65_534),
  },
} as const satisfies Record<string, Variable<unknown>>;
