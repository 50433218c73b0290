import { HandTime } from '../../chain/testing/hand-time.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import { networkProgramsGenesis, validatorNetworkAccounts } from '../../ledger/genesis/genesis.ts';
import { Keypair } from '../../ledger/keypair.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Ledger, Submission } from '../../ledger/ledger.ts';
import { layoutBDumps } from '../../ledger/network-programs/testing/layout-b-dumps.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveMagicFeeVault,
} from '../../programs/delegation/pdas.ts';
import * as shuttleCalls from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import * as queues from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import {
  deriveEata,
  deriveGroupReceipt,
  deriveRentPda,
  deriveShuttleMetadata,
  deriveTransferQueue,
  deriveVault,
} from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { EATA_TABLE } from '../../programs/ephemeral-token/table/eata.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { addMemo } from '../../programs/memo.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import {
  type DeliveryTerms,
  recipientOf,
  sealTransfer,
} from '../../programs/private-transfer/seal-transfer.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { openRollup } from '../open-rollup.ts';
import { Guards } from '../privacy/guards.ts';
import { PrivateViews } from '../privacy/private-views.ts';
import { HistoryNames } from '../privacy/shown-history.ts';
import type { EmbeddedRollup } from '../rollup.ts';
import { rollupValidatorOf } from '../validator-accounts.ts';
import type { StorePair } from './crash-stores.ts';
import { fallible } from './rollup-scene.ts';

/** Options for a scene. All are optional. */
export interface LayoutBOptions {
  /** The clock and timer of both ledgers. */
  readonly time?: HandTime;
  readonly random?: SeededRandom;
  readonly logger?: Logger;
  /** The mint whose tokens are paid, and its token program. */
  readonly mint?: Address;
  readonly tokenProgram?: Address;
  /** Whether private transactions are listed under concealed names, as in production. */
  readonly concealsNames?: boolean;
  /** The ledger that readers' views use instead of the rollup itself. */
  readonly shownAs?: (rollup: Ledger) => Ledger;
  /** Returns the error with which base rejects a transaction of the rollup; null if base accepts it. */
  readonly refuses?: (transaction: Transaction) => TransactionError | null;
  /** Whether an event of base reaches the rollup. */
  readonly reachesRollup?: (event: Parameters<LedgerListener>[0]) => boolean;
  /** Whether base's history appears dropped to the rollup. */
  readonly hasDroppedHistory?: () => boolean;
  /** Maximum total data of the rollup's accounts, in bytes. */
  readonly accountsBytesMax?: number;
  /** Number of shuttles created on the same stores before. */
  readonly shuttlesBefore?: number;
  /** The validator of the rollup; by default the base ledger's. */
  readonly validator?: Keypair;
}

/** One part, paid immediately. */
export const AT_ONCE: DeliveryTerms = { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: null };

/** Returns the delegation accounts of an account of the ephemeral token program. */
const delegationOf = (account: Address) => ({
  buffer: deriveDelegateBuffer(account, EPHEMERAL_TOKEN_PROGRAM).address,
  record: deriveDelegationRecord(account).address,
  metadata: deriveDelegationMetadata(account).address,
});

/** A base ledger with the networks' programs, and its rollup, in memory, with a manual clock. */
export class LayoutBScene {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedRollup;
  readonly validator: Keypair;
  readonly time: HandTime;
  readonly random: SeededRandom;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The rollup as its readers see it. */
  readonly views: PrivateViews;
  readonly #guards: Guards;
  #shuttleId: number;
  #memos = 0;

  constructor(
    base: EmbeddedLedger,
    rollup: EmbeddedRollup,
    {
      guards,
      views,
    }: {
      readonly guards: Guards;
      readonly views: PrivateViews;
    },
    {
      time,
      random,
      mint,
      tokenProgram,
      shuttlesBefore,
      validator = rollupValidatorOf(base),
    }: Required<Pick<LayoutBOptions, 'time' | 'random' | 'mint' | 'tokenProgram' | 'shuttlesBefore'>> &
      Pick<LayoutBOptions, 'validator'>,
  ) {
    this.base = base;
    this.rollup = rollup;
    this.views = views;
    this.#guards = guards;
    this.validator = validator;
    this.time = time;
    this.random = random;
    this.mint = mint;
    this.tokenProgram = tokenProgram;
    this.#shuttleId = shuttlesBefore;
  }

  /** Number of shuttles created so far. */
  get shuttles(): number {
    return this.#shuttleId;
  }

  /** Returns the id of an unused shuttle. */
  nextShuttle(): number {
    return ++this.#shuttleId;
  }

  /** Creates another mint on the same two ledgers. Close only this scene. */
  withMint(mint: Address, tokenProgram: Address, shuttlesBefore = 0): LayoutBScene {
    const { base, rollup, views, time, random, validator } = this;
    const parts = { guards: this.#guards, views };
    const options = { time, random, mint, tokenProgram, shuttlesBefore, validator };
    return new LayoutBScene(base, rollup, parts, options);
  }

  ataOf(owner: Address): Address {
    return deriveAta(owner, this.mint, this.tokenProgram).address;
  }

  eataOf(owner: Address): Address {
    return deriveEata(owner, this.mint).address;
  }

  get vault(): Address {
    return deriveVault(this.mint).address;
  }

  get queue(): Address {
    return deriveTransferQueue(this.mint, this.validator.address).address;
  }

  /** Creates a wallet with 10 SOL and `amount` base units on base. */
  async wallet(amount = 0n): Promise<Keypair> {
    const wallet = new Keypair(this.random.bytes(32));
    await this.base.airdrop(wallet.address, 10_000_000_000n);
    if (amount > 0n) await this.base.airdropTokens(wallet.address, this.mint, amount);
    return wallet;
  }

  /** Creates a wallet that has deposited `amount` through a shuttle and has nothing on base. */
  async depositor(amount: bigint): Promise<Keypair> {
    const wallet = await this.wallet(amount);
    await this.must(this.base, wallet, ...this.deposit(wallet, amount));
    await this.rollup.settled();
    return wallet;
  }

  /** Initializes the mint: vault and queue, delegated to the rollup. */
  async initializeMint(): Promise<void> {
    const { mint, tokenProgram, queue, vault } = this;
    const wallet = await this.wallet();
    const payer = wallet.address;
    const vaultEata = this.eataOf(vault);
    const queueEata = this.eataOf(queue);
    const rentPda = deriveRentPda().address;
    const setUp = [
      encode(
        QUEUE_TABLE.initTransferQueue,
        {
          payer,
          queue,
          queuePermission: derivePermission(queue).address,
          mint,
          validator: this.validator.address,
          queueEata,
          queueAta: this.ataOf(queue),
          tokenProgram,
          eataDelegation: delegationOf(queueEata),
        },
        { requestedItems: null },
      ),
      encode(QUEUE_TABLE.initRentPda, { payer, rentPda }),
      encode(QUEUE_TABLE.delegateTransferQueue, { payer, queue, mint, delegation: delegationOf(queue) }),
      encode(EATA_TABLE.initVault, {
        vault,
        payer,
        mint,
        vaultEata,
        vaultAta: this.ataOf(vault),
        tokenProgram,
      }),
      createAtaIdempotent({ payer, ata: this.ataOf(vault), owner: vault, mint, tokenProgram }),
      encode(
        EATA_TABLE.delegateEata,
        { payer, eata: vaultEata, delegation: delegationOf(vaultEata) },
        { validator: this.validator.address },
      ),
    ];
    await this.must(this.base, wallet, ...setUp);
    await this.rollup.settled();
  }

  /** Creates the owner's eATA and delegates it to the rollup. */
  delegation({ address: payer }: Keypair, owner: Address = payer): Instruction[] {
    const { mint, tokenProgram } = this;
    const eata = this.eataOf(owner);
    return [
      createAtaIdempotent({ payer, ata: this.ataOf(owner), owner, mint, tokenProgram }),
      encode(EATA_TABLE.initEata, { eata, payer, owner, mint }),
      encode(
        EATA_TABLE.delegateEata,
        { payer, eata, delegation: delegationOf(eata) },
        { validator: this.validator.address },
      ),
    ];
  }

  /** Creates a deposit through a shuttle, which credits the owner or `to` on the rollup. */
  deposit(wallet: Keypair, amount: bigint, to: Address = wallet.address): Instruction[] {
    const transfer = { shuttleId: this.nextShuttle(), amount, validator: this.validator.address };
    const accounts = { ...this.#shuttleAccounts(wallet, transfer.shuttleId), destinationAta: this.ataOf(to) };
    return [...this.delegation(wallet, to), encode(SHUTTLE_TABLE.depositByShuttle, accounts, transfer)];
  }

  /** Deposits to the wallet itself like {@link deposit}, but only the wallet can read its rollup tokens. */
  privateDeposit(wallet: Keypair, amount: bigint): Instruction[] {
    const { address: payer } = wallet;
    const eata = this.eataOf(payer);
    const permission = derivePermission(eata).address;
    const [ata, init, ...rest] = this.deposit(wallet, amount) as [Instruction, Instruction];
    return [
      ata,
      init,
      encode(EATA_TABLE.createPermission, { eata, permission, payer }, { flags: 0 }),
      ...rest,
    ];
  }

  /** Creates a private payment from base to base. */
  privateTransfer(
    wallet: Keypair,
    to: Address,
    amount: bigint,
    terms: DeliveryTerms = AT_ONCE,
  ): Instruction[] {
    return [...this.delegation(wallet), this.sponsoredTransfer(wallet, wallet, { to, amount, terms })];
  }

  /** Creates a private payment from base to base by a wallet with an eATA, whose rents a sponsor pays. */
  sponsoredTransfer(
    wallet: Keypair,
    sponsor: Keypair,
    { to, amount, terms = AT_ONCE }: { to: Address; amount: bigint; terms?: DeliveryTerms },
  ): Instruction {
    const shuttleId = this.nextShuttle();
    const sealed = sealTransfer(
      { destinationOwner: to, terms },
      recipientOf(this.validator.address),
      this.random,
    );
    const accounts = {
      ...this.#shuttleAccounts(wallet, shuttleId),
      payer: sponsor.address,
      queue: this.queue,
    };
    return shuttleCalls.transferByShuttle(accounts, { shuttleId, amount, exactOut: true, sealed });
  }

  /** Moves tokens from the rollup to the owner's ATA on base through a shuttle. */
  withdrawal(wallet: Keypair, amount: bigint): Instruction[] {
    const transfer = { shuttleId: this.nextShuttle(), amount, validator: this.validator.address };
    return [
      encode(SHUTTLE_TABLE.withdrawByShuttle, this.#shuttleAccounts(wallet, transfer.shuttleId), transfer),
    ];
  }

  /** Withdraws tokens of an undelegated eATA from the vault. */
  directWithdrawal({ address: owner }: Keypair, amount: bigint): Instruction {
    const { vault, mint, tokenProgram } = this;
    return encode(
      EATA_TABLE.withdraw,
      {
        owner,
        eata: this.eataOf(owner),
        vault,
        mint,
        vaultAta: this.ataOf(vault),
        ownerAta: this.ataOf(owner),
        tokenProgram,
      },
      { amount },
    );
  }

  undelegation({ address: owner }: Keypair): Instruction {
    return encode(EATA_TABLE.undelegateEata, {
      owner,
      ownerAta: this.ataOf(owner),
      eata: this.eataOf(owner),
    });
  }

  /** Creates a private payment from the rollup to base, to be submitted to the rollup. */
  queueTransfer(
    { address: owner }: Keypair,
    to: Address,
    amount: bigint,
    { groupId = 1, terms = AT_ONCE }: { readonly groupId?: number; readonly terms?: DeliveryTerms } = {},
  ): Instruction {
    const { queue, mint, tokenProgram } = this;
    const receipt = deriveGroupReceipt(queue, owner, groupId).address;
    return queues.queueTransfer(
      {
        queue,
        mint,
        ownerAta: this.ataOf(owner),
        queueAta: this.ataOf(queue),
        destinationOwner: to,
        owner,
        tokenProgram,
        receipt,
        receiptPermission: derivePermission(receipt).address,
      },
      { amount, groupId, terms },
    );
  }

  ensureCrank({ address: payer }: Keypair): Instruction {
    const magicFeeVault = deriveMagicFeeVault(this.validator.address).address;
    return encode(QUEUE_TABLE.ensureTransferQueueCrank, { payer, queue: this.queue, magicFeeVault });
  }

  /** The queue on the rollup. */
  get queueState() {
    const account = this.rollup.getAccount(this.queue);
    return account === null ? null : decodeTransferQueue(account.data);
  }

  /** Submits instructions. A memo makes each transaction unique. */
  submit(ledger: Ledger, wallet: Keypair, ...instructions: Instruction[]): Promise<Submission> {
    const memo = addMemo(`${this.#memos++}`);
    return ledger.submit(buildTransaction(ledger, [wallet], [...instructions, memo]));
  }

  /** Submits instructions that must succeed; returns the signature. */
  async must(ledger: Ledger, wallet: Keypair, ...instructions: Instruction[]): Promise<string> {
    const { err, signature } = await this.submit(ledger, wallet, ...instructions);
    if (err === null) return signature;
    const { logs = [] } = ledger.getTransaction(signature) ?? {};
    throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`);
  }

  /** Returns the base units in an owner's ATA; null if there is none. */
  tokens(ledger: Ledger, owner: Address): bigint | null {
    const account = ledger.getAccount(this.ataOf(owner));
    return account === null ? null : (decodeTokenAccount(account.data)?.amount ?? null);
  }

  /** Returns the base units in an owner's eATA; null if there is none. */
  eataTokens(ledger: Ledger, owner: Address): bigint | null {
    const account = ledger.getAccount(this.eataOf(owner));
    return account === null ? null : (decodeEata(account.data)?.amount ?? null);
  }

  /** Freezes an owner's ATA on base, so payments to it fail. */
  async freeze(owner: Address): Promise<void> {
    const ata = this.ataOf(owner);
    const account = this.base.getAccount(ata);
    if (account === null) throw new Error(`${owner} has no tokens on base that could be frozen`);
    const data = Uint8Array.from(account.data);
    // `AccountState::Frozen` of an SPL token account.
    data[108] = 2;
    await this.base.setAccounts([[ata, { ...account, data }]]);
  }

  /** Returns the base units in the vault. */
  vaultTokens(): bigint {
    return this.tokens(this.base, this.vault) ?? 0n;
  }

  /** Returns the accounts of the newest shuttle. */
  shuttleOf(owner: Address, shuttleId = this.#shuttleId) {
    const metadata = deriveShuttleMetadata(owner, this.mint, shuttleId).address;
    return { metadata, eata: this.eataOf(metadata), walletAta: this.ataOf(metadata) };
  }

  async close(): Promise<void> {
    await this.rollup.close();
    this.#guards.close();
    await this.base.close();
  }

  #shuttleAccounts({ address: owner }: Keypair, shuttleId: number) {
    const { vault, mint, tokenProgram } = this;
    const shuttle = this.shuttleOf(owner, shuttleId);
    return {
      payer: owner,
      rentPda: deriveRentPda().address,
      shuttle,
      owner,
      delegation: delegationOf(shuttle.eata),
      mint,
      tokenProgram,
      vault,
      ownerAta: this.ataOf(owner),
      vaultAta: this.ataOf(vault),
    };
  }
}

/** Opens a base ledger of layout B and its rollup, without an initialized mint. */
export async function openLayoutBScene(
  stores: StorePair,
  options: LayoutBOptions = {},
): Promise<LayoutBScene> {
  const { time = new HandTime(), random = new SeededRandom('layout b'), logger = silentLogger } = options;
  const {
    mint = USDC_MINT,
    tokenProgram = TOKEN_PROGRAM,
    refuses = () => null,
    reachesRollup = () => true,
    hasDroppedHistory = () => false,
    shuttlesBefore = 0,
  } = options;
  const { concealsNames = false, shownAs = (ledger) => ledger, accountsBytesMax } = options;
  const parts = { clock: time, random, logger };
  const base = await openLedger({
    place: { store: stores.base },
    ...parts,
    genesis: networkProgramsGenesis(layoutBDumps()),
  });
  const { validator = rollupValidatorOf(base) } = options;
  const guards = new Guards(base);
  const names = new HistoryNames(base.secretFor('rollup history'), guards);
  const rollup = await openRollup({
    base: fallible(base, { refuses, reachesRollup, hasDroppedHistory }),
    timer: time,
    validator,
    baseAccounts: validatorNetworkAccounts(validator.address),
    place: { store: stores.rollup },
    ...parts,
    listedUnder: concealsNames ? names.namesOf : (keys) => keys,
    observer: guards,
    ...(accountsBytesMax !== undefined && { accountsBytesMax }),
  });
  const views = new PrivateViews(shownAs(rollup), guards, names);
  return new LayoutBScene(
    base,
    rollup,
    { guards, views },
    { time, random, mint, tokenProgram, shuttlesBefore, validator },
  );
}
