import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Keypair } from '../ledger/keypair.ts';
import type { Operation, OperationCaller } from '../payments/operation.ts';
import type { Random } from '../ports/random.ts';
import { type Address, isAddress } from '../solana/address.ts';

/** Maximum number of wallets. The native key of each takes a few kilobytes. */
const WALLETS_MAX = 1_000;

/**
 * Wallets for testing payments on localnet. Their keys are generated here, stay in the memory of this process
 * and are never returned. After a login to the rollup, a wallet's bearer token is stored with its key.
 */
export class TestWallets {
  readonly #random: Random;
  readonly #keypairs = new Map<Address, Keypair>();
  readonly #tokens = new Map<Address, string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Creates a wallet.
   *
   * @throws {ServiceError} SERVICE_BUSY if there are too many wallets.
   */
  create(): Address {
    if (this.#keypairs.size >= WALLETS_MAX) {
      throw new ServiceError(
        'SERVICE_BUSY',
        `There are already ${WALLETS_MAX} test wallets, which is the maximum: use one of them`,
      );
    }
    const keypair = new Keypair(this.#random.bytes(32));
    this.#keypairs.set(keypair.address, keypair);
    return keypair.address;
  }

  /** Returns the addresses of the wallets, the newest first. */
  addresses(): readonly Address[] {
    return [...this.#keypairs.keys()].toReversed();
  }

  /** Returns the key for an address; undefined if the address is not one of these wallets. */
  find(address: Address): Keypair | undefined {
    return this.#keypairs.get(address);
  }

  /**
   * Returns the key for an address.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if the address is not one of these wallets.
   */
  require(address: Address): Keypair {
    const keypair = this.find(address);
    if (keypair !== undefined) return keypair;
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `${address} is not a test wallet of this process: create one with localnet.createWallet. The wallets of an earlier process are lost.`,
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

/** The arguments that can name the owner of the tokens, in order of preference. */
const OWNERS = ['address', 'owner', 'from', 'payer'] as const;

/**
 * Runs an operation with the login of the test wallet that owns the tokens, if the caller sends no token.
 * Applies only to localnet, so that no other cluster receives the token.
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
