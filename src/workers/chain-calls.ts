import type {
  AccountSearch,
  AuthToken,
  Chain,
  LatestBlockhash,
  Layout,
  LedgerClient,
  LoginProof,
  Network,
  QueueTask,
  Rollup,
  RollupAuth,
  SendOptions,
  SignatureStatus,
  SimulationResult,
} from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { splitAddresses } from './joined-addresses.ts';
import { packAccounts, type PackedAccounts } from './packed-accounts.ts';

/** Which of a cluster's two ledgers is meant. */
export type Place = 'base' | 'rollup';

/** What of a chain never changes while its process runs. */
export interface RemoteChainFacts {
  readonly cluster: string;
  /** Whether what is read may have to be fetched from another cluster first. */
  readonly isFork: boolean;
  readonly network: Network;
  readonly layout: Layout;
  readonly defaultMint: Address;
  readonly transferLookupTable: Address | null;
  /** The validator whose rollup serves it. */
  readonly validator: Address;
  readonly isSearchable: boolean;
  /** Null where there is no rollup in its process. */
  readonly rollup: RemoteRollupFacts | null;
}

/** What of a rollup never changes while its process runs. */
export interface RemoteRollupFacts {
  readonly identity: Address;
  readonly publicUrl: string | null;
  readonly hasAuth: boolean;
  readonly hidesStatuses: boolean;
  readonly keepsHolders: boolean;
  readonly tellsSettling: boolean;
  readonly tellsQueueTasks: boolean;
}

/** What came of a simulation, with the accounts packed. */
type PackedSimulation = Omit<SimulationResult, 'accounts'> & {
  readonly accounts: PackedAccounts | null;
};

/**
 * What was read of base: the version before it was, or NO_VERSION, the accounts, those eATAs that are
 * settling, and the blockhash of that moment; null where the ledger does not tell one any more.
 */
export type BaseReading = readonly [
  version: number,
  accounts: PackedAccounts,
  settling: string,
  head: LatestBlockhash | null,
];

/** What a worker asks of the chain in the process of the ledger. Each fails as the chain does. */
export interface ChainCalls {
  /** Accounts of base, and who of some eATAs is settling. Addresses come with commas between them. */
  readBase(addresses: string, eatas: string): Promise<BaseReading>;
  rollupAccounts(addresses: string, token?: string): Promise<PackedAccounts>;
  queueTask(queue: Address): Promise<QueueTask>;
  /** The addresses, with commas between them, and the accounts at them. */
  searchAccounts(search: AccountSearch): Promise<readonly [addresses: string, accounts: PackedAccounts]>;
  latestBlockhash(place: Place, token?: string): Promise<LatestBlockhash>;
  blockHeight(place: Place, token?: string): Promise<number>;
  isBlockhashValid(place: Place, blockhash: string, token?: string): Promise<boolean>;
  simulateTransaction(
    place: Place,
    wire: Uint8Array,
    watch: readonly Address[],
    token?: string,
  ): Promise<PackedSimulation>;
  sendTransaction(place: Place, wire: Uint8Array, token?: string, options?: SendOptions): Promise<string>;
  signatureStatus(place: Place, signature: string, token?: string): Promise<SignatureStatus | null>;
  challenge(owner: Address): Promise<string>;
  login(proof: LoginProof): Promise<AuthToken>;
  authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null>;
}

/** What workers are told of a chain of this process once. */
export async function describeChain(chain: Chain, isFork: boolean): Promise<RemoteChainFacts> {
  const { cluster, network, layout, defaultMint, transferLookupTable, rollup } = chain;
  const validator = await chain.validatorIdentity();
  const isSearchable = chain.searchAccounts !== undefined;
  const facts = {
    cluster,
    isFork,
    network,
    layout,
    defaultMint,
    transferLookupTable,
    validator,
    isSearchable,
  };
  return { ...facts, rollup: rollup === null ? null : await describeRollup(rollup) };
}

async function describeRollup(rollup: Rollup): Promise<RemoteRollupFacts> {
  return {
    identity: await rollup.identity(),
    publicUrl: rollup.publicUrl,
    hasAuth: rollup.auth !== null,
    hidesStatuses: rollup.hidesStatuses === true,
    keepsHolders: rollup.keepsHolders === true,
    tellsSettling: rollup.isSettling !== undefined,
    tellsQueueTasks: rollup.queueTask !== undefined,
  };
}

/** Offers a chain of this process to workers. `version` is another one after each change of its ledgers. */
export function createChainCalls(chain: Chain, version: () => number): ChainCalls {
  const nodeAt = (place: Place): LedgerClient => (place === 'base' ? chain : rollupOf(chain));
  return {
    async readBase(addresses, eatas) {
      const before = version();
      const [accounts, head, settling] = await Promise.all([
        chain.getAccounts(splitAddresses(addresses)),
        chain.latestBlockhash().catch(() => null),
        settlingOf(chain, splitAddresses(eatas)),
      ]);
      return [before, packAccounts(accounts), settling.join(), head];
    },
    rollupAccounts: async (addresses, token) =>
      packAccounts(await rollupOf(chain).getAccounts(splitAddresses(addresses), token)),
    queueTask: async (queue) => (await rollupOf(chain).queueTask?.(queue)) ?? 'none',
    async searchAccounts(search) {
      const found = (await chain.searchAccounts?.(search)) ?? [];
      return [found.map(({ address }) => address).join(), packAccounts(found.map(({ account }) => account))];
    },
    latestBlockhash: (place, token) => nodeAt(place).latestBlockhash(token),
    blockHeight: (place, token) => nodeAt(place).blockHeight(token),
    isBlockhashValid: (place, blockhash, token) => nodeAt(place).isBlockhashValid(blockhash, token),
    async simulateTransaction(place, wire, watch, token) {
      const { err, logs, computeUnits, accounts } = await nodeAt(place).simulateTransaction(
        wire,
        watch,
        token,
      );
      return { err, logs, computeUnits, accounts: accounts && packAccounts(accounts) };
    },
    sendTransaction: (place, wire, token, options) => nodeAt(place).sendTransaction(wire, token, options),
    signatureStatus: (place, signature, token) => nodeAt(place).signatureStatus(signature, token),
    challenge: (owner) => authOf(chain).challenge(owner),
    login: (proof) => authOf(chain).login(proof),
    authorizedUsers: (account, token) => authOf(chain).authorizedUsers(account, token),
  };
}

async function settlingOf({ rollup }: Chain, eatas: readonly Address[]): Promise<Address[]> {
  const settling = await Promise.all(eatas.map((eata) => rollup?.isSettling?.(eata)));
  return eatas.filter((_, at) => settling[at] === true);
}

/** A worker knows from the facts what there is. */
function rollupOf({ rollup, cluster }: Chain): Rollup {
  if (rollup === null) throw new Error(`${cluster} has no rollup`);
  return rollup;
}

function authOf(chain: Chain): RollupAuth {
  const { auth } = rollupOf(chain);
  if (auth === null) throw new Error(`the rollup of ${chain.cluster} has no login`);
  return auth;
}
