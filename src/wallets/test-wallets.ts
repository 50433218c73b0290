import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Keypair } from '../ledger/keypair.ts';
import type { Operation, OperationCaller } from '../payments/operation.ts';
import type { Random } from '../ports/random.ts';
import { type Address, isAddress } from '../solana/address.ts';

/** Wallets that are kept at once; each is a few kilobytes of native key. */
const WALLETS_MAX = 1_000;

/**
 * Wallets to try payments with on localnet. Their keys are drawn here, lie in the memory of this process and
 * are gone with it; nothing gives them out. A wallet that has logged in to the rollup keeps its bearer token
 * beside its key.
 */
export class TestWallets {
  readonly #random: Random;
  readonly #keypairs = new Map<Address, Keypair>();
  readonly #tokens = new Map<Address, string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** @throws {ServiceError} SERVICE_BUSY when there are too many. */
  create(): Address {
    if (this.#keypairs.size >= WALLETS_MAX) {
      throw new ServiceError(
        'SERVICE_BUSY',
        `There are ${WALLETS_MAX} test wallets, and no more are kept: go on with one of them`,
      );
    }
    const keypair = new Keypair(this.#random.bytes(32));
    this.#keypairs.set(keypair.address, keypair);
    return keypair.address;
  }

  /** The key of an address; undefined where it is no wallet of these. */
  find(address: Address): Keypair | undefined {
    return this.#keypairs.get(address);
  }

  /** @throws {ServiceError} INVALID_ARGUMENTS where it is no wallet of these. */
  require(address: Address): Keypair {
    const keypair = this.find(address);
    if (keypair !== undefined) return keypair;
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `${address} is no test wallet of this process: make one with localnet.createWallet. The wallets of an earlier process are gone.`,
      { field: 'wallet' },
    );
  }

  keepToken(address: Address, token: string): void {
    this.#tokens.set(address, token);
  }

  tokenOf(address: Address): string | undefined {
    return this.#tokens.get(address);
  }
}

/** The members that name whose tokens an operation is about. */
const OWNERS = ['address', 'owner', 'from', 'payer'] as const;

/**
 * The operation, run with the login of the test wallet that it is about, for callers that bring no token of
 * their own. On localnet only: no other cluster gets to see its token.
 */
export function withLogins(operation: Operation, wallets: TestWallets, clusters: Clusters): Operation {
  return {
    ...operation,
    run: (input, caller) => operation.run(input, asOwner(input, caller)),
  };

  function asOwner(input: unknown, caller: OperationCaller): OperationCaller {
    if (caller.token !== undefined || typeof input !== 'object' || input === null) return caller;
    const members = new Map<string, unknown>(Object.entries(input));
    const owner = OWNERS.map((name) => members.get(name)).find((value) => value !== undefined);
    if (typeof owner !== 'string' || !isAddress(owner) || !isLocalnet(members.get('cluster'))) return caller;
    return { ...caller, token: wallets.tokenOf(owner) };
  }

  function isLocalnet(name: unknown): boolean {
    if (name === undefined) return clusters.names[0] === 'localnet';
    return typeof name === 'string' && name.trim().toLowerCase() === 'localnet';
  }
}
