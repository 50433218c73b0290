import type { Chain } from '../../chain/chain.ts';
import { Clusters } from '../../chain/clusters.ts';
import { HandTime } from '../../chain/testing/hand-time.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { openLayoutBBase } from '../../ledger/network-programs/testing/layout-b-base.ts';
import type { HandClock } from '../../ledger/testing/hand-clock.ts';
import { HeldStore } from '../../ledger/testing/held-store.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import type { Operation } from '../../payments/operation.ts';
import { silentLogger } from '../../ports/logger.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import type { Layout } from '../../programs/ephemeral-token/layout.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { decodeTransaction, messageOf } from '../../solana/transaction.ts';
import { createOperations } from '../../stack/operations.ts';
import { createRollupAuth, LoginService } from '../auth/login-service.ts';
import { openRollup } from '../open-rollup.ts';
import { Guards } from '../privacy/guards.ts';
import { PrivateViews, TokenReaders } from '../privacy/private-views.ts';
import { HistoryNames } from '../privacy/shown-history.ts';
import { RollupChain } from '../rollup-chain.ts';
import type { EmbeddedRollup } from '../rollup.ts';
import { rollupValidatorOf } from '../validator-accounts.ts';

/** The part of an operation's answer that the scene reads. */
interface Answer {
  readonly sentences: readonly string[];
  readonly output: {
    readonly transactionBase64: string;
    readonly sendTo: 'base' | 'ephemeral';
    readonly [member: string]: unknown;
  };
}

/** The locations of tokens. */
interface Balances {
  readonly base: bigint;
  readonly rollup: bigint;
}

/** Localnet as the payments service sees it: the base ledger, its rollup, and all operations. */
export class PaymentScene {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedRollup;
  /** The store of the rollup. */
  readonly store: HeldStore;
  /** The cluster `localnet` with both ledgers. */
  readonly chain: Chain;
  readonly clock: HandClock;
  readonly #ledger: TestLedger;
  readonly #guards: Guards;
  readonly #timers: HandTime;
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(parts: {
    readonly ledger: TestLedger;
    readonly rollup: EmbeddedRollup;
    readonly store: HeldStore;
    readonly chain: Chain;
    readonly guards: Guards;
    readonly timers: HandTime;
    readonly operations: readonly Operation[];
  }) {
    this.base = parts.ledger.ledger;
    this.rollup = parts.rollup;
    this.store = parts.store;
    this.chain = parts.chain;
    this.clock = parts.ledger.clock;
    this.#ledger = parts.ledger;
    this.#guards = parts.guards;
    this.#timers = parts.timers;
    this.#operations = new Map(parts.operations.map((operation) => [operation.name, operation]));
  }

  /** Creates a new wallet with 10 SOL. */
  wallet(): Promise<Keypair> {
    return this.#ledger.fundedWallet();
  }

  /** Runs an operation as the service does. */
  async call(name: string, args: object, token?: string): Promise<Answer> {
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const { output, sentences } = await operation.run(operation.input.parse(args), { token });
    return { output: operation.output.parse(output) as Answer['output'], sentences };
  }

  /** Logs the wallet in and returns its token. */
  async logIn(wallet: Keypair): Promise<string> {
    const pubkey = wallet.address;
    const { output } = await this.call('challenge', { pubkey });
    const challenge = String(output['challenge']);
    const signature = encodeBase58(wallet.sign(Buffer.from(challenge, 'utf8')));
    return String((await this.call('login', { pubkey, challenge, signature })).output['token']);
  }

  /** Signs a built transaction and sends it to its ledger. It must be confirmed. */
  async send(wallet: Keypair, { output }: Answer, token?: string): Promise<Answer['output']> {
    const transactionBase64 = signBuilt(wallet, output.transactionBase64);
    const args = { transactionBase64, sendTo: output.sendTo, confirm: true };
    const sent = await this.call('sendTransaction', args, token);
    // The same transaction in the same slot would have the same signature.
    this.#ledger.clock.pass(this.base.slotMs);
    return sent.output;
  }

  /** Builds, signs and sends a transaction; returns the answer of the operation that built it. */
  async do(wallet: Keypair, name: string, args: object, token?: string): Promise<Answer> {
    const built = await this.call(name, args, token);
    await this.send(wallet, built, token);
    return built;
  }

  /** Runs instructions on base that no operation builds. */
  async land(wallet: Keypair, ...instructions: Instruction[]): Promise<void> {
    const { err } = await this.base.submit(buildTransaction(this.base, [wallet], instructions));
    if (err !== null) throw new Error(JSON.stringify(err));
  }

  /** Returns a wallet's balances according to the operations. */
  async balances({ address }: Keypair, mint: Address, token?: string): Promise<Balances> {
    const [base, rollup] = await Promise.all([
      this.call('getBalance', { address, mint }),
      this.call('getPrivateBalance', { address, mint }, token),
    ]);
    return { base: BigInt(String(base.output['balance'])), rollup: BigInt(String(rollup.output['balance'])) };
  }

  /** Advances time on both ledgers and waits for all settlements that are due. */
  async settle(ms: number): Promise<void> {
    this.pass(ms);
    await this.#timers.pass(ms);
    await this.rollup.settled();
  }

  /** Advances time on both ledgers. */
  pass(ms: number): void {
    this.#ledger.clock.pass(ms);
  }

  /** Lands `undelegate` on the rollup and delays its settlement until the returned function is called. */
  async holdSettlement(undelegate: () => Promise<unknown>): Promise<() => void> {
    const held: (() => void)[] = [];
    this.store.held = held;
    const landing = undelegate();
    await this.store.untilHeld(1);
    held.shift()?.();
    await landing;
    await this.store.untilHeld(1);
    return () => {
      this.store.held = null;
      for (const letThrough of held) letThrough();
    };
  }

  /** Returns the base units in the vault of a mint. */
  vaultTokens(mint: Address): bigint {
    const ata = deriveAta(deriveVault(mint).address, mint, TOKEN_PROGRAM).address;
    const account = this.base.getAccount(ata);
    return account === null ? 0n : (decodeTokenAccount(account.data)?.amount ?? 0n);
  }

  async close(): Promise<void> {
    await this.rollup.close();
    this.#guards.close();
    await this.base.close();
  }
}

/** Opens a scene in memory, with the real programs of a layout. */
export async function openPaymentScene(layout: Layout = 'a'): Promise<PaymentScene> {
  const ledger = layout === 'a' ? await openTestLedger() : await openLayoutBBase();
  const { ledger: base, clock, random } = ledger;
  const timers = new HandTime();
  const ports = { clock, random, logger: silentLogger };
  const store = new HeldStore();
  const guards = new Guards(base);
  const validator = rollupValidatorOf(base);
  const names = new HistoryNames(base.secretFor('rollup history'), guards);
  const rollup = await openRollup({
    base,
    validator,
    place: { store },
    ...ports,
    timer: timers,
    listedUnder: names.namesOf,
    observer: guards,
  });
  const views = new PrivateViews(rollup, guards, names);
  const logins = new LoginService({
    secret: random.bytes(32),
    clock,
    readersOf: (account) => views.readersOf(account),
  });
  const chain = new RollupChain({
    rollup,
    readers: new TokenReaders(logins, views),
    auth: createRollupAuth(logins),
    publicUrl: 'http://127.0.0.1:7799',
  });
  const localnet = new LedgerChain('localnet', base, validator.address, chain, { layout });
  const operations = createOperations({ gaslessSponsorSecretKey: null }, new Clusters([localnet]), ports);
  return new PaymentScene({ ledger, rollup, store, chain: localnet, guards, operations, timers });
}

/** Signs a built transaction that has one signer; base64 in and out. */
export function signBuilt(wallet: Keypair, transactionBase64: string): string {
  const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
  const transaction = decodeTransaction(wire);
  wire.set(wallet.sign(messageOf(transaction)), transaction.signaturesAt);
  return Buffer.from(wire).toString('base64');
}
