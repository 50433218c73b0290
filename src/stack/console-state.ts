import { CLUSTER_ROWS, CUSTOM_ROW } from '../chain/cluster-settings.ts';
import type { Config } from '../config/config.ts';
import type { ConsoleState, Readiness, ShownMint } from '../console/answers.ts';
import { FAILURE_WORDS } from '../console/calls/failure-words.ts';
import type { Snapshots } from '../console/snapshots.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { Timer } from '../ports/timer.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  NATIVE_LOADER,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs/addresses.ts';
import { deriveVault } from '../programs/ephemeral-token/pdas.ts';
import { decodeMint } from '../programs/token/state.ts';
import { BATCH_MAX } from '../rpc/dispatcher.ts';
import { PUBSUB_LIMITS } from '../rpc/pubsub/limits.ts';
import { SERVER_INFO } from '../service/server-info.ts';
import type { Address } from '../solana/address.ts';
import type { NamedMint } from './ledger-node.ts';
import type { NodeContext, StackNode } from './node.ts';
import type { Nodes } from './nodes.ts';

/** Names of the programs of private payments and related ones. */
const PROGRAMS: readonly (readonly [string, Address])[] = [
  ['Ephemeral SPL Token', EPHEMERAL_TOKEN_PROGRAM],
  ['Delegation', DELEGATION_PROGRAM],
  ['Permission', PERMISSION_PROGRAM],
  ['Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
  ['Associated Token', ASSOCIATED_TOKEN_PROGRAM],
  ['Memo', MEMO_PROGRAM],
];

/** Names of programs that every cluster has. */
const COMMON_PROGRAMS: ConsoleState['commonPrograms'] = [
  { name: 'System', address: SYSTEM_PROGRAM },
  { name: 'Compute Budget', address: COMPUTE_BUDGET_PROGRAM },
  { name: 'Upgradeable loader', address: BPF_LOADER_UPGRADEABLE },
  { name: 'Loader', address: BPF_LOADER_2 },
  { name: 'Native loader', address: NATIVE_LOADER },
  { name: 'Address Lookup Table', address: ADDRESS_LOOKUP_TABLE_PROGRAM },
  { name: 'Sysvar', address: SYSVAR_OWNER },
];

const NO_CALLS = 'Requests from clients appear here, with their results.';
const CALLS_NOT_LISTED = {
  none: 'With several WORKERS no calls are listed, because each process answers separately.',
  list: 'calls to this service. With several WORKERS none are listed, because each process answers separately.',
  call: null,
};
const ARGUMENTS_KEPT = {
  list: 'calls to this service, with their results and durations. Arguments are stored on this machine.',
  call: null,
  none: NO_CALLS,
};
const ARGUMENTS_NOT_KEPT = {
  none: NO_CALLS,
  list: 'public calls to this service, with their results and durations. Arguments are not stored.',
  call: 'Arguments are placeholders, because they are not stored. To store them on this machine, start with --log-arguments.',
};

/** Text shown for payments that need layout B. */
const WITHOUT_LAYOUT_B =
  'The programs of this localnet do not support it. Deposit, pay on the rollup, and withdraw.';

/** Step for rounding the memory use, because exact values would reveal single requests. */
const MEMORY_STEP_BYTES = 16 * 1024 * 1024;

function callsToldOf({ workers, consoleLogArguments }: Config): ConsoleState['callTexts'] {
  if (workers > 1) return CALLS_NOT_LISTED;
  return consoleLogArguments ? ARGUMENTS_KEPT : ARGUMENTS_NOT_KEPT;
}

/** The sources of the console's state. */
export interface StateSources {
  readonly context: NodeContext;
  readonly nodes: Nodes;
  /** The snapshots; null if they are not available. */
  readonly snapshots: Pick<Snapshots, 'returned'> | null;
  /** The URLs of all listeners, without paths; null for those that are off. */
  readonly urls: { readonly service: string; readonly base: string | null; readonly rollup: string | null };
}

/**
 * Creates a reader of the program's state. For slow remote nodes it uses the previous answer.
 *
 * @param timer limits the wait for remote nodes.
 */
export function createStateReader(sources: StateSources, timer: Timer): () => Promise<ConsoleState> {
  const { context, nodes, urls, snapshots } = sources;
  const { config, ports, version } = context;
  const startedAtMs = ports.clock.now();
  const base = nodes.ledgers?.base ?? null;
  const hasLayoutB = nodes.layout === 'b' && config.rollup !== 'off' && base !== null;
  const readElsewhere = createElsewhereReader(sources, timer);
  return async () => ({
    ...(await readElsewhere()),
    service: { name: SERVER_INFO.name, version },
    cluster: config.cluster,
    play: base !== null && config.cluster === 'localnet',
    base: {
      url: urls.base,
      layout: nodes.layout,
      notHere: hasLayoutB ? null : WITHOUT_LAYOUT_B,
      genesisHash: base?.genesisHash ?? null,
      programs: base === null ? [] : programsOn(base),
    },
    commonPrograms: COMMON_PROGRAMS,
    mints: mintsOf(
      config.cluster,
      base === null ? [] : nodes.mints.flatMap((mint) => describeMint(base, mint)),
    ),
    logArguments: config.consoleLogArguments,
    callTexts: callsToldOf(config),
    failures: FAILURE_WORDS,
    uptimeMs: ports.clock.now() - startedAtMs,
    memoryBytes: Math.ceil(process.memoryUsage.rss() / MEMORY_STEP_BYTES) * MEMORY_STEP_BYTES,
    workers: config.workers,
    limits: {
      requestBytesMax: config.ledgerRequestBytesMax,
      batchCallsMax: BATCH_MAX,
      webSocketMessageBytesMax: PUBSUB_LIMITS.messageBytesMax,
      subscriptionsMax: PUBSUB_LIMITS.subscriptionsMax,
      connectionsPerAddress: config.connectionsPerAddress,
      historyTransactionsMax: config.ledgerHistoryMax,
      slotMs: config.ledgerSlotMs,
    },
    timeTravel: base !== null && config.ledgerCheats,
    returned: snapshots && snapshots.returned,
  });
}

/** Creates a reader for facts that may have to come from a remote node. */
function createElsewhereReader(
  sources: StateSources,
  timer: Timer,
): () => Promise<Pick<ConsoleState, 'rollup' | 'health'>> {
  const { base, rollup, localnet } = sources.nodes;
  const external = sources.context.config.rollup === 'external' ? localnet?.chain.rollup : undefined;
  // An external rollup may not be running.
  const identity = new PromptAnswer(
    async () => (await external?.identity().catch(() => null)) ?? null,
    timer,
    null,
  );
  const healthOf = (node: StackNode | null): PromptAnswer<Readiness | null> =>
    new PromptAnswer(() => readinessOf(node), timer, NO_ANSWER);
  const [baseHealth, rollupHealth] = [healthOf(base), healthOf(rollup)];
  return async () => {
    const [externalIdentity, ofBase, ofRollup] = await Promise.all([
      identity.read(),
      baseHealth.read(),
      rollupHealth.read(),
    ]);
    return { rollup: describeRollup(sources, externalIdentity), health: { base: ofBase, rollup: ofRollup } };
  };
}

/** The readiness of a node that has not answered yet. */
const NO_ANSWER: Readiness = { isReady: false, reason: 'it has not answered yet' };

function programsOn(base: EmbeddedLedger): ConsoleState['base']['programs'] {
  return PROGRAMS.filter(([, address]) => base.getAccount(address) !== null).map(([name, address]) => ({
    name,
    address,
  }));
}

/** Decimals of USDC on every network (Circle's mints). */
const USDC_DECIMALS = 6;

function mintsOf(cluster: string, local: readonly ShownMint[]): readonly ShownMint[] {
  if (cluster === 'localnet') return local;
  const { defaultMint: mint } = CLUSTER_ROWS.find(({ name }) => name === cluster) ?? CUSTOM_ROW;
  const own = {
    mint,
    symbol: 'USDC',
    decimals: USDC_DECIMALS,
    tokenProgram: TOKEN_PROGRAM,
    vault: deriveVault(mint).address,
    faucet: false,
  };
  return [own, ...local.filter((each) => each.mint !== mint)];
}

function describeMint(base: EmbeddedLedger, { name, address }: NamedMint): ShownMint[] {
  const account = base.getAccount(address);
  const mint = account && decodeMint(account.data);
  if (account === null || !mint) return [];
  const { decimals } = mint;
  const vault = deriveVault(address).address;
  const symbol = symbolOf(name);
  return [{ mint: address, symbol, decimals, tokenProgram: account.owner, vault, faucet: true }];
}

/** Returns the symbol in the name of a mint, for example USDC for "USDC (6 decimals)". */
export function symbolOf(name: string): string {
  return name.split(' (')[0] ?? name;
}

/** @param externalIdentity the identity of an external rollup. */
function describeRollup(
  { context, nodes, urls }: StateSources,
  externalIdentity: Address | null,
): ConsoleState['rollup'] {
  const { rollup: place } = context.config;
  const { localnet, ledgers } = nodes;
  if (place === 'off' || localnet === null) {
    return { kind: 'none', url: null, identity: null, readPermissions: false };
  }
  if (place === 'embedded') {
    const identity = ledgers?.rollup?.identity ?? null;
    return { kind: 'embedded', url: urls.rollup, identity, readPermissions: true };
  }
  const url = localnet.chain.rollup?.publicUrl ?? null;
  return { kind: 'external', url, identity: externalIdentity, readPermissions: false };
}

async function readinessOf(node: StackNode | null): Promise<Readiness | null> {
  if (node === null) return null;
  const reason = (await node.unreadiness()) ?? null;
  return { isReady: reason === null, reason };
}

/** Maximum wait for an answer, in ms. */
const WAIT_MS = 500;

/** Caches the answer of a remote node. Readers of a slow node get the previous answer. */
export class PromptAnswer<Value> {
  readonly #ask: () => Value | Promise<Value>;
  readonly #timer: Timer;
  #last: Value;
  #pending: Promise<Value> | undefined;

  /**
   * @param ask requests the value. All readers share one request at a time.
   * @param first the value before the first answer.
   */
  constructor(ask: () => Value | Promise<Value>, timer: Timer, first: Value) {
    this.#ask = ask;
    this.#timer = timer;
    this.#last = first;
  }

  /**
   * Resolves with the answer, or after half a second with the previous answer.
   *
   * @throws the error of `ask` within that time.
   */
  read(): Promise<Value> {
    this.#pending ??= this.#start();
    return this.#pending;
  }

  #start(): Promise<Value> {
    return new Promise((resolve, reject) => {
      const callOff = this.#timer.after(WAIT_MS, () => resolve(this.#last));
      const settle = (): void => {
        callOff();
        this.#pending = undefined;
      };
      (async () => await this.#ask())().then(
        (value) => {
          this.#last = value;
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }
}
