import { type App, startApp } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { MemoryStore } from '../ledger/store/memory-store.ts';
import { silentLogger } from '../ports/logger.ts';
import { type Random, SeededBytes, systemRandom } from '../ports/random.ts';
import { parseAddress } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { MemoryStores } from '../stack/ledger-home.ts';
import { type HeldPorts, holdPorts, type NodeListeners } from '../stack/listening.ts';
import { copyStores, ConsoleSnapshots, type LocalLedgers } from './console-snapshots.ts';
import { LocalnetTime, travel } from './localnet-time.ts';
import type {
  Built,
  Gift,
  Holder,
  Localnet,
  LocalnetOptions,
  LocalnetUrls,
  LocalnetWallet,
} from './localnet.ts';
import { type DrawsMark, LocalnetSnapshot } from './snapshot.ts';
import { drawWallet, give, signAndSend } from './wallet.ts';

/**
 * The random bytes of a localnet, from its seed or the system. Wallets have their own stream, because other
 * draws must not change their addresses.
 */
export class Draws {
  readonly #seed: string | undefined;
  #program: SeededBytes;
  #wallets: SeededBytes;

  constructor(seed: string | undefined) {
    this.#seed = seed;
    this.#program = new SeededBytes(`${seed}/program`);
    this.#wallets = new SeededBytes(`${seed}/wallets`);
  }

  get program(): Random {
    return this.#seed === undefined ? systemRandom : this.#program;
  }

  get wallets(): Random {
    return this.#seed === undefined ? systemRandom : this.#wallets;
  }

  /** The state to {@link rewind} to. */
  get mark(): DrawsMark {
    return { program: this.#program.drawn, wallets: this.#wallets.drawn };
  }

  rewind({ program, wallets }: DrawsMark): void {
    this.#program = new SeededBytes(`${this.#seed}/program`, program);
    this.#wallets = new SeededBytes(`${this.#seed}/wallets`, wallets);
  }
}

/** A running localnet. A reset replaces the stack behind its ports. */
export class RunningLocalnet implements Localnet {
  readonly #config: Config;
  readonly #options: LocalnetOptions;
  readonly #held: HeldPorts;
  readonly #time: LocalnetTime;
  readonly #draws: Draws;
  readonly #snapshots: ConsoleSnapshots | null;
  /** The ledgers in memory; null if they are in a folder. */
  #stores: MemoryStores | null;
  /** The stack; null after a failed reset. */
  #app: App | null = null;
  #start: LocalnetSnapshot | null = null;
  /** The queue of operations that copy, replace or move the stack. They run one at a time. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  private constructor(config: Config, options: LocalnetOptions, held: HeldPorts) {
    this.#config = config;
    this.#options = options;
    this.#held = held;
    this.#time = new LocalnetTime(options.clock?.startsAtMs);
    this.#draws = new Draws(options.seed);
    this.#snapshots = options.dataDir === undefined ? this.#consoleSnapshots() : null;
    this.#stores =
      options.dataDir === undefined ? { base: new MemoryStore(), rollup: new MemoryStore() } : null;
  }

  /** @throws {ServiceError} the errors of `startApp`. */
  static async start(config: Config, options: LocalnetOptions): Promise<RunningLocalnet> {
    const held = await holdPorts(config);
    try {
      const localnet = new RunningLocalnet(config, options, held);
      await localnet.#open(config);
      if (options.dataDir === undefined) localnet.#start = await localnet.snapshot();
      return localnet;
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  get urls(): LocalnetUrls {
    const { service, base } = this.#held;
    const rollup = this.#held.rollup as NodeListeners;
    return {
      service: service.url,
      mcp: `${service.url}/mcp`,
      base: base.url,
      baseWebSocket: `ws://${base.addresses.pubsub}`,
      rollup: rollup.url,
      rollupWebSocket: `ws://${rollup.addresses.pubsub}`,
    };
  }

  get layout(): 'a' | 'b' {
    return this.#localnet().chain.layout;
  }

  get mint(): string {
    return this.#localnet().chain.defaultMint;
  }

  async createWallet(gift?: Gift): Promise<LocalnetWallet> {
    const wallet = drawWallet(this.#draws.wallets);
    if (gift !== undefined) await this.fund(wallet, gift);
    return wallet;
  }

  async fund(wallet: Holder, gift: Gift): Promise<void> {
    await give(this.#localnet().faucet, wallet, { mint: this.mint, ...gift });
  }

  async send(built: Built, ...signers: readonly LocalnetWallet[]): Promise<string> {
    const signature = await signAndSend(this.#localnet().chain, built, signers);
    await this.settled();
    return signature;
  }

  async logIn(wallet: LocalnetWallet): Promise<string> {
    return await logIn(this.#localnet().chain, wallet);
  }

  async settled(): Promise<void> {
    await this.#ledgers().rollup.settled();
  }

  timeTravel({ ms }: { readonly ms: number }): Promise<void> {
    return this.#inTurn(() => travel(this.#ledgers(), this.#time, ms));
  }

  snapshot(): Promise<LocalnetSnapshot> {
    return this.#inTurn(async () => {
      const stores = this.#storesInMemory();
      await this.settled();
      return new LocalnetSnapshot(this, {
        stores: copyStores(stores, this.#ledgers()),
        timeMark: this.#time.mark,
        draws: this.#draws.mark,
      });
    });
  }

  reset(snapshot?: LocalnetSnapshot): Promise<void> {
    return this.#inTurn(async () => {
      this.#storesInMemory();
      const parts = (snapshot ?? this.#start)?.partsFor(this);
      if (parts === undefined || parts === null) {
        throw new ServiceError(
          'INVALID_ARGUMENTS',
          'The snapshot belongs to another localnet: use a snapshot taken from this localnet',
        );
      }
      await this.#requireApp().close();
      this.#app = null;
      this.#time.rewind(parts.timeMark);
      this.#draws.rewind(parts.draws);
      const { base, rollup } = parts.stores;
      this.#stores = { base: base.copyAt(base.slotCeiling), rollup: rollup.copyAt(rollup.slotCeiling) };
      // The ledger already has its programs, and their source may no longer exist.
      await this.#open({ ...this.#config, localnetPrograms: null });
    });
  }

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#inTurn(async () => {
      await this.#held.close();
      await this.#app?.close();
      this.#app = null;
    });
    return this.#closed;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #open(config: Config): Promise<void> {
    const ports = {
      clock: this.#time,
      timer: this.#time,
      random: this.#draws.program,
      logger: this.#options.logger ?? silentLogger,
    };
    this.#app = await startApp(config, ports, {
      reset: false,
      heldPorts: this.#held,
      ...(this.#snapshots !== null && { snapshots: this.#snapshots }),
      ...(this.#stores !== null && { home: this.#stores }),
    });
  }

  #consoleSnapshots(): ConsoleSnapshots {
    return new ConsoleSnapshots({
      snapshot: () => this.snapshot(),
      reset: (snapshot) => this.reset(snapshot),
      present: () => ({ atMs: this.#time.now(), slot: this.#ledgers().base.head().slot }),
      logger: this.#options.logger ?? silentLogger,
    });
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turnOfIt = this.#lastTurn.then(run);
    this.#lastTurn = turnOfIt.catch(() => undefined);
    return turnOfIt;
  }

  #requireApp(): App {
    if (this.#app !== null) return this.#app;
    throw new ServiceError('LEDGER_STOPPED', 'The localnet is closed: start another one');
  }

  #localnet(): NonNullable<App['localnet']> {
    return this.#requireApp().localnet as NonNullable<App['localnet']>;
  }

  #ledgers(): LocalLedgers {
    return this.#requireApp().ledgers as LocalLedgers;
  }

  /** @throws {ServiceError} UNSUPPORTED_ON_CLUSTER if the ledgers are in a folder. */
  #storesInMemory(): MemoryStores {
    if (this.#stores !== null) return this.#stores;
    throw new ServiceError(
      'UNSUPPORTED_ON_CLUSTER',
      'A localnet in a folder has no snapshots: remove dataDir to keep it in memory',
    );
  }
}

/** Logs a wallet in to the rollup of a chain. Resolves with its bearer token. */
async function logIn({ rollup }: Chain, wallet: LocalnetWallet): Promise<string> {
  const auth = rollup?.auth ?? null;
  if (auth === null)
    throw new ServiceError(
      'AUTH_UNAVAILABLE',
      'The rollup of this localnet does not support logins; read its balances without a token',
    );
  const owner = parseAddress(wallet.address, 'wallet');
  const challenge = await auth.challenge(owner);
  const signature = encodeBase58(wallet.sign(Buffer.from(challenge)));
  return (await auth.login({ owner, challenge, signature })).token;
}
