import { mintAccount } from '../../src/ledger/genesis/genesis.ts';
import type { Keypair } from '../../src/ledger/keypair.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import { addLedgerMetrics, addSettlementMetrics } from '../../src/metrics/ledger-metrics.ts';
import type { Registry } from '../../src/metrics/registry.ts';
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { createAtaIdempotent } from '../../src/programs/associated-token.ts';
import { SHUTTLE_TABLE } from '../../src/programs/ephemeral-token/table/shuttle.ts';
import { decodeFields } from '../../src/programs/instruction-table/field-codec.ts';
import type { DeliveryTerms } from '../../src/programs/private-transfer/seal-transfer.ts';
import { transferLamports } from '../../src/programs/system.ts';
import { syncNative } from '../../src/programs/token/instructions.ts';
import { coarseFigures } from '../../src/rollup/privacy/private-views.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { type LayoutBScene, openLayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import { type Address, addressOf } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import type { Opaque } from './disguise.ts';
import { type ReaderServer, serveReaders } from './reader-server.ts';
import { recordingLogger } from './recording-logger.ts';

/** Alice and Dave have private tokens on the rollup, Sam has public ones; Bob and Carol have nothing. */
const NAMES = ['alice', 'dave', 'sam', 'bob', 'carol'] as const;
export type Name = (typeof NAMES)[number];

/** A private payment from a balance on the rollup. */
export interface QueuedPayment {
  readonly from: Name;
  readonly to: Name;
  readonly amount: bigint;
  readonly terms: DeliveryTerms;
}

/** A private payment from base to base. The payer pays its rents unless there is a sponsor. */
export interface SealedPayment {
  readonly from: Name;
  /** A wallet, or the pool of a stealth handle. */
  readonly to: Name | Address;
  readonly amount: bigint;
  readonly terms: DeliveryTerms;
  readonly sponsor?: Name;
}

/** The currency of the balances and payments in a world. */
export type Currency = 'usdc' | 'sol' | 'token-2022';

/** The group id of every payment of a world. The payment's receipt is derived from it. */
export const GROUP_ID = 77_123;

/**
 * A ledger of layout B and its rollup behind real servers. Two worlds are equal to the last byte until
 * different things happen in them.
 */
export interface NetworkWorld extends ReaderServer<'alice' | 'sam'> {
  readonly scene: LayoutBScene;
  readonly wallets: Readonly<Record<Name, Keypair>>;
  /** Bytes that reveal nothing about this world's payments and differ in every world. */
  readonly opaque: readonly Opaque[];
  /** Addresses that strangers request in addition to the wallets. A test adds its own. */
  readonly others: Address[];
  /** Number of reads of the rollup for its readers so far, by method. */
  readonly reads: ReadonlyMap<string, number>;
  /** Lands a payment on the rollup and returns its signature. */
  queue(payment: QueuedPayment): Promise<string>;
  /** Lands a payment with sealed recipient and terms on base. Resolves once the rollup has received it. */
  seal(payment: SealedPayment): Promise<void>;
  /** Advances time, and waits until all pending work is complete. */
  pass(ms: number): Promise<void>;
}

/** Initial balance of the wallets, of which they deposit 15 tokens. */
const FUNDS = 20_000_000n;
const DEPOSIT = 15_000_000n;

const TOKEN_2022_MINT = addressOf(new Uint8Array(32).fill(99));

export async function openNetworkWorld(currency: Currency = 'usdc'): Promise<NetworkWorld> {
  const logged: string[] = [];
  const reads = new Map<string, number>();
  const scene = await openScene(currency, logged, reads);
  await scene.initializeMint();
  const wallets = {
    alice: await fundedWallet(scene),
    dave: await fundedWallet(scene),
    sam: await fundedWallet(scene),
    bob: await scene.wallet(),
    carol: await scene.wallet(),
  };
  for (const name of ['alice', 'dave'] as const) {
    await scene.must(scene.base, wallets[name], ...scene.privateDeposit(wallets[name], DEPOSIT));
  }
  await scene.must(scene.base, wallets.sam, ...scene.deposit(wallets.sam, DEPOSIT));
  await scene.rollup.settled();
  const { base, rollup, views, time } = scene;
  const server = await serveReaders(
    { rollup, views, clock: time, logged },
    { alice: wallets.alice, sam: wallets.sam },
  );
  addFigures(server.registry, scene);
  const opaque: Opaque[] = [];
  return {
    ...server,
    scene,
    wallets,
    opaque,
    reads,
    others: [],
    async queue({ from, to, amount, terms }) {
      const payment = scene.queueTransfer(wallets[from], wallets[to].address, amount, {
        groupId: GROUP_ID,
        terms,
      });
      const { err, signature } = await rollup.submit(buildTransaction(rollup, [wallets[from]], [payment]));
      if (err !== null) throw new Error(JSON.stringify(err));
      return signature;
    },
    async seal({ from, to, amount, terms, sponsor = from }) {
      const owner = to in wallets ? wallets[to as Name].address : (to as Address);
      const [payer, feePayer] = [wallets[from], wallets[sponsor]];
      const payment = scene.sponsoredTransfer(payer, feePayer, { to: owner, amount, terms });
      const signers = sponsor === from ? ([payer] as const) : ([feePayer, payer] as const);
      const transaction = buildTransaction(base, signers, [payment]);
      opaque.push(...boxesIn(payment, opaque.length));
      for (const bytes of transaction.signatures)
        opaque.push({ bytes, name: `(signature ${opaque.length})` });
      const { err } = await base.submit(transaction);
      if (err !== null) throw new Error(JSON.stringify(err));
      await rollup.settled();
    },
    async pass(ms) {
      await time.pass(ms);
      await rollup.settled();
      server.timer.pass(rollup.slotMs);
    },
    async close() {
      await server.close();
      await scene.close();
    },
  };
}

async function openScene(
  currency: Currency,
  logged: string[],
  reads: Map<string, number>,
): Promise<LayoutBScene> {
  const options = {
    concealsNames: true,
    logger: recordingLogger(logged),
    shownAs: (ledger: Ledger) => countingReads(ledger, reads),
  };
  const stores = new CrashStores().open();
  if (currency === 'usdc') return await openLayoutBScene(stores, options);
  if (currency === 'sol') return await openLayoutBScene(stores, { ...options, mint: NATIVE_MINT });
  const token2022 = { mint: TOKEN_2022_MINT, tokenProgram: TOKEN_2022_PROGRAM };
  const scene = await openLayoutBScene(stores, { ...options, ...token2022 });
  const mint = { ...mintAccount(scene.base.faucet, 6), owner: TOKEN_2022_PROGRAM };
  await scene.base.setAccounts([[TOKEN_2022_MINT, mint]]);
  return scene;
}

/** Wraps a ledger to count its calls in `reads`. */
function countingReads(ledger: Ledger, reads: Map<string, number>): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]): unknown => {
        reads.set(String(name), (reads.get(String(name)) ?? 0) + 1);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** Creates a wallet with tokens. SOL is wrapped, because there is no faucet for wrapped SOL. */
async function fundedWallet(scene: LayoutBScene): Promise<Keypair> {
  const { mint } = scene;
  if (mint !== NATIVE_MINT) return await scene.wallet(FUNDS);
  const wallet = await scene.wallet();
  const payer = wallet.address;
  const ata = scene.ataOf(payer);
  await scene.must(
    scene.base,
    wallet,
    createAtaIdempotent({ payer, ata, owner: payer, mint, tokenProgram: TOKEN_PROGRAM }),
    transferLamports(payer, ata, FUNDS),
    syncNative(TOKEN_PROGRAM, ata),
  );
  return wallet;
}

/** Adds the metrics of a node with both ledgers, except its server's metrics. */
function addFigures(registry: Registry, { base, rollup }: LayoutBScene): void {
  addLedgerMetrics(registry, 'ledger', base);
  const figures = coarseFigures(rollup.figures);
  addLedgerMetrics(registry, 'rollup', figures);
  addSettlementMetrics(registry, () => ({ ...rollup.settlement, held: rollup.heldIntents }));
}

/** Returns the two sealed boxes of a payment, with its recipient and its terms. */
function boxesIn({ data }: Instruction, first: number): Opaque[] {
  const fields = decodeFields(SHUTTLE_TABLE.transferByShuttle.fields, data.subarray(1));
  if (fields === null) throw new Error('this is no private transfer');
  return [fields.sealedDestination, fields.sealedTerms].map((bytes, at) => ({
    bytes,
    name: `(box ${first + at})`,
  }));
}
