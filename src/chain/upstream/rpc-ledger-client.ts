import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, isAddressAt } from '../../solana/address.ts';
import { type Commitment, LASTING } from '../../solana/commitment.ts';
import type {
  AccountSearch,
  Chain,
  FoundAccount,
  LatestBlockhash,
  Layout,
  LedgerClient,
  Network,
  Rollup,
  SendOptions,
  SignatureStatus,
  SimulationResult,
  SourcedAccount,
  StatusOptions,
} from '../chain.ts';
import { FreshBlockhash } from './fresh-blockhash.ts';
import {
  accountsAnswer,
  blockhashValidAnswer,
  blockHeightAnswer,
  contextSlotAnswer,
  foundAccountsAnswer,
  latestBlockhashAnswer,
  sharedAccountsAnswer,
  signatureAnswer,
  signatureStatusAnswer,
  simulationAnswer,
} from './rpc-answers.ts';
import { RpcClient, type TokenPlace } from './rpc-client.ts';
import { SlotFloor } from './slot-floor.ts';
import { isAboutContents, SharedReads } from './shared-reads.ts';
import { CATCH_UP_MS_MAX } from './upstream-fault.ts';
import { Upstream, type UpstreamPorts } from './upstream.ts';

/**
 * The commitment at which a blockhash is checked. Leaders accept a new blockhash about a second before the
 * votes make it visible at `confirmed`.
 */
const PROCESSED: Commitment = 'processed';

/**
 * Assumed duration of a slot of base, in ms. The networks are moving from 400 to 200 (SIMD-0525), and
 * {@link SlotFloor} accepts ledgers that are up to twice as fast as this.
 */
const BASE_SLOT_MS = 300;

/** Accounts per call (Agave `MAX_MULTIPLE_ACCOUNTS`). */
export const ACCOUNTS_MAX = 100;

/** Maximum size of an account answer, in bytes. Fits 100 transfer queues of 13 KB in base64. */
const ACCOUNTS_BYTES_MAX = 2 * 1024 * 1024;

const ACCOUNTS_CALL = {
  method: 'getMultipleAccounts',
  commitment: LASTING,
  config: { encoding: 'base64' },
  answerBytesMax: ACCOUNTS_BYTES_MAX,
} as const;

const BLOCKHASH_CALL = {
  method: 'getLatestBlockhash',
  params: [],
  commitment: LASTING,
  config: {},
} as const;

/** A ledger reached over JSON-RPC. Answers never go back to an earlier slot ({@link SlotFloor}). */
export class RpcLedgerClient implements LedgerClient {
  protected readonly rpc: RpcClient;
  readonly #who: string;
  readonly #urlCount: number;
  readonly #ports: UpstreamPorts;
  readonly #floor: SlotFloor;
  readonly #blockhash: FreshBlockhash;
  readonly #shared: SharedReads;

  /** @param slotMs duration of one slot of the ledger, in ms. */
  constructor(
    who: string,
    urls: readonly URL[],
    tokenPlace: TokenPlace,
    ports: UpstreamPorts,
    slotMs = BASE_SLOT_MS,
  ) {
    this.#who = who;
    this.#urlCount = urls.length;
    this.#ports = ports;
    this.#floor = new SlotFloor(ports.clock, slotMs);
    this.rpc = new RpcClient(new Upstream(who, urls, ports), tokenPlace, this.#floor);
    this.#shared = new SharedReads(
      {
        alone: async (addresses) => (await this.#readBatch(addresses, undefined)).answer.value,
        together: (addresses) => this.#readTogether(addresses),
      },
      ACCOUNTS_MAX,
    );
    this.#blockhash = new FreshBlockhash(
      (token, isUsable) => this.#readBlockhash(token, isUsable),
      ports.clock,
      ports.timer,
    );
  }

  async getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]> {
    if (addresses.length === 0) return [];
    // Answers to a token are private to its holder, so they are not shared.
    if (token === undefined && addresses.length <= ACCOUNTS_MAX) return this.#shared.read(addresses);
    const accounts: (Account | null)[] = [];
    while (accounts.length < addresses.length) {
      const batch = addresses.slice(accounts.length, accounts.length + ACCOUNTS_MAX);
      const { answer } = await this.#readBatch(batch, token);
      accounts.push(...answer.value);
    }
    return accounts;
  }

  /** Reads an account and reports which URL answered. The URL at `notBy` is tried last. */
  protected async readAccountBy(address: Address, notBy?: number): Promise<SourcedAccount> {
    const { answer, by } = await this.#readBatch([address], undefined, notBy);
    return { account: answer.value[0] ?? null, by };
  }

  latestBlockhash(token?: string): Promise<LatestBlockhash> {
    return this.#blockhash.get(token);
  }

  expectBlockhash(): void {
    // Ignore a failure: the next request for a blockhash retries or gets the error.
    this.#blockhash.get(undefined).catch(() => {});
  }

  blockHeight(token?: string): Promise<number> {
    return this.rpc.read({
      method: 'getBlockHeight',
      params: [],
      commitment: LASTING,
      config: {},
      result: blockHeightAnswer,
      token,
    });
  }

  isBlockhashValid(blockhash: string, token?: string): Promise<boolean> {
    return this.rpc.read({
      method: 'isBlockhashValid',
      params: [blockhash],
      commitment: PROCESSED,
      config: {},
      result: blockhashValidAnswer,
      token,
    });
  }

  simulateTransaction(
    wire: Uint8Array,
    watch: readonly Address[],
    token?: string,
  ): Promise<SimulationResult> {
    const accounts = watch.length > 0 && { accounts: { encoding: 'base64', addresses: watch } };
    const config = {
      encoding: 'base64',
      sigVerify: false,
      replaceRecentBlockhash: true,
      ...accounts,
    };
    return this.rpc.read({
      method: 'simulateTransaction',
      params: [toBase64(wire)],
      commitment: LASTING,
      config,
      result: simulationAnswer,
      isUsable: ({ accounts: seen }) => seen === null || seen.length === watch.length,
      answerBytesMax: ACCOUNTS_BYTES_MAX,
      token,
    });
  }

  sendTransaction(wire: Uint8Array, token?: string, options: SendOptions = {}): Promise<string> {
    return this.rpc.send({
      method: 'sendTransaction',
      params: [toBase64(wire), { encoding: 'base64', preflightCommitment: LASTING, ...options }],
      result: signatureAnswer,
      token,
    });
  }

  signatureStatus(
    signature: string,
    token?: string,
    { searchHistory = false }: StatusOptions = {},
  ): Promise<SignatureStatus | null> {
    return this.rpc.read({
      method: 'getSignatureStatuses',
      params: [[signature], ...(searchHistory ? [{ searchTransactionHistory: true }] : [])],
      // The method takes no commitment: it answers from the newest block (Agave `get_signature_statuses`).
      commitment: PROCESSED,
      result: signatureStatusAnswer,
      // Later reads must include the effects of the transaction.
      confirms: (status) => status?.slot,
      token,
    });
  }

  get newestSlot(): number | undefined {
    return this.#floor.newest(LASTING);
  }

  /**
   * Reads the slot until the ledger has reached it: immediately, from another URL, and after the time that
   * the ledger needs. Only answers of the ledger raise the floor, so a caller with a false slot delays only
   * itself.
   */
  async reachSlot(slot: number, token?: string): Promise<void> {
    let reached = this.newestSlot ?? -1;
    let by: number | undefined;
    for (let reads = 0; reached < slot; reads++) {
      const waitMs = (slot - reached + 1) * this.#floor.slotMs;
      if (reads > this.#urlCount || (reads === this.#urlCount && waitMs > CATCH_UP_MS_MAX)) {
        throw behindCaller(this.#who, slot - reached);
      }
      if (reads === this.#urlCount) await this.#wait(waitMs);
      const read = await this.rpc.readBy({ ...BLOCKHASH_CALL, result: contextSlotAnswer, token, notBy: by });
      reached = Math.max(reached, read.answer);
      by = read.by;
    }
  }

  #wait(ms: number): Promise<void> {
    const { pauses, timer } = this.#ports;
    return new Promise((resolve) => {
      (pauses ?? timer).after(ms, resolve);
    });
  }

  /** Stops background work. */
  close(): void {
    this.#blockhash.close();
  }

  /** Reads accounts for several requests. */
  #readTogether(addresses: readonly Address[]): Promise<readonly (Account | null | undefined)[]> {
    return this.rpc
      .read({
        params: [addresses],
        ...ACCOUNTS_CALL,
        result: sharedAccountsAnswer,
        isUsable: ({ value }) => value.length === addresses.length,
        // A different URL may return a different error, which would fail requests that are not at fault.
        endsWith: isAboutContents,
      })
      .then(({ value }) => value);
  }

  #readBatch(addresses: readonly Address[], token: string | undefined, notBy?: number) {
    return this.rpc.readBy({
      params: [addresses],
      ...ACCOUNTS_CALL,
      result: accountsAnswer,
      isUsable: ({ value }) => value.length === addresses.length,
      token,
      notBy,
    });
  }

  #readBlockhash(
    token: string | undefined,
    isUsable: (answer: LatestBlockhash) => boolean,
  ): Promise<LatestBlockhash> {
    return this.rpc.read({ ...BLOCKHASH_CALL, result: latestBlockhashAnswer, isUsable, token });
  }
}

/** Creates the error for a ledger that has not reached the slot of a caller. */
const behindCaller = (who: string, slotsBehind: number): ServiceError =>
  new ServiceError(
    'UPSTREAM_UNAVAILABLE',
    `${who} is ${slotsBehind} ${slotsBehind === 1 ? 'slot' : 'slots'} behind the one you have seen (Ledger-Slot-Floor); try again, or omit that header to accept an older state`,
    { slotsBehind },
  );

function toBase64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.length).toString('base64');
}

/** The configuration of a cluster. */
export interface RpcChainOptions {
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  readonly defaultMint: Address;
  readonly transferLookupTable: Address | null;
  /** The validator that the operator set, used while the rollup does not report its own; null if not set. */
  readonly defaultValidator: Address | null;
  /** The environment variable that sets `defaultValidator`. */
  readonly validatorVariable: string;
}

/** Maximum size of a search answer, in bytes: about 30,000 accounts of 80 bytes. */
const SEARCH_BYTES_MAX = 8 * 1024 * 1024;

/** A cluster whose base ledger is reached over JSON-RPC. */
export class RpcChain extends RpcLedgerClient implements Chain {
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  readonly defaultMint: Address;
  readonly transferLookupTable: Address | null;
  readonly rollup: Rollup | null;
  readonly accountBy?: (address: Address, notBy?: number) => Promise<SourcedAccount>;
  readonly #defaultValidator: Address | null;
  readonly #validatorVariable: string;

  constructor(facts: RpcChainOptions, urls: readonly URL[], rollup: Rollup | null, ports: UpstreamPorts) {
    super(`the base ledger of ${facts.cluster}`, urls, 'nowhere', ports);
    this.cluster = facts.cluster;
    this.network = facts.network;
    this.layout = facts.layout;
    this.defaultMint = facts.defaultMint;
    this.transferLookupTable = facts.transferLookupTable;
    this.rollup = rollup;
    if (urls.length > 1) this.accountBy = (address, notBy) => this.readAccountBy(address, notBy);
    this.#defaultValidator = facts.defaultValidator;
    this.#validatorVariable = facts.validatorVariable;
  }

  /** Checks that the found accounts match the search. Completeness cannot be checked. */
  searchAccounts(search: AccountSearch): Promise<readonly FoundAccount[]> {
    const { program, byteCount, having } = search;
    const memcmp = having && { memcmp: { offset: having.offset, bytes: having.address, encoding: 'base58' } };
    return this.rpc.read({
      method: 'getProgramAccounts',
      params: [program],
      commitment: LASTING,
      config: {
        encoding: 'base64',
        withContext: true,
        filters: [{ dataSize: byteCount }, ...(memcmp ? [memcmp] : [])],
      },
      result: foundAccountsAnswer,
      isUsable: (found) => found.every(({ account }) => isFound(account, search)),
      answerBytesMax: SEARCH_BYTES_MAX,
    });
  }

  /**
   * @throws {ServiceError} VALIDATOR_UNRESOLVED if neither the rollup nor the configuration names a
   *   validator; VALIDATOR_DISPUTED if they name different ones.
   */
  async validatorIdentity(): Promise<Address> {
    let cause: unknown;
    try {
      if (this.rollup !== null) return await this.rollup.identity();
    } catch (error) {
      if (!isServiceError(error) || error.code === 'VALIDATOR_DISPUTED') throw error;
      cause = error;
    }
    if (this.#defaultValidator !== null) return this.#defaultValidator;
    throw new ServiceError(
      'VALIDATOR_UNRESOLVED',
      `the rollup of ${this.cluster} currently does not report its validator; pass validator, or ask the operator to set a default with ${this.#validatorVariable}`,
      { field: 'validator', cluster: this.cluster, ...(isServiceError(cause) && { reason: cause.code }) },
      { cause },
    );
  }
}

function isFound({ owner, data }: Account, { program, byteCount, having }: AccountSearch): boolean {
  if (owner !== program || data.length !== byteCount) return false;
  return having === undefined || isAddressAt(data, having.offset, having.address);
}
