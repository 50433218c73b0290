import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, isAddressAt } from '../../solana/address.ts';
import { LASTING } from '../../solana/commitment.ts';
import type {
  AccountSearch,
  Chain,
  FoundAccount,
  Layout,
  Network,
  Rollup,
  SourcedAccount,
} from '../chain.ts';
import { foundAccountsAnswer } from './rpc-answers.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';
import type { UpstreamPorts } from './upstream.ts';

/** What is known about a cluster before any request. */
export interface RpcChainOptions {
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  readonly defaultMint: Address;
  readonly transferLookupTable: Address | null;
  /** The validator the operator set, used while the rollup does not report its own; null if not set. */
  readonly defaultValidator: Address | null;
  /** The environment variable that sets `defaultValidator`. */
  readonly validatorVariable: string;
}

/** Largest answer to a search: about 30,000 accounts of 80 bytes. */
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
      `the rollup of ${this.cluster} does not report its validator now; pass validator, or ask the operator to set a default with ${this.#validatorVariable}`,
      { field: 'validator', cluster: this.cluster, ...(isServiceError(cause) && { reason: cause.code }) },
      { cause },
    );
  }
}

function isFound({ owner, data }: Account, { program, byteCount, having }: AccountSearch): boolean {
  if (owner !== program || data.length !== byteCount) return false;
  return having === undefined || isAddressAt(data, having.offset, having.address);
}
