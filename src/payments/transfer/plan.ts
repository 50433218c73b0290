import type { Layout } from '../../chain/chain.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../programs/delegation/pdas.ts';
import { transferByShuttle } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { queueTransfer } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { OWNER_ONLY } from '../../programs/permission/state.ts';
import { addMemo } from '../../programs/memo.ts';
import type { DeliveryTerms, SealedTransfer } from '../../programs/private-transfer/seal-transfer.ts';
import {
  transferChecked,
  transferCheckedWithFee,
  transferTokens,
} from '../../programs/token/instructions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { deriveDelegationAccounts, deriveMintVault, type Shuttle } from '../accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../accounts/transfer-queue.ts';
import { RENT_PDA } from '../fees/costs.ts';
import { type MintTerms, withheldOf } from '../mints/mint-terms.ts';
import { planWrap, type WrapNeeds } from '../mints/wrapped-sol.ts';
import type { TransferCreations } from './request.ts';

/** The contents of every transfer, on any route. Amounts are in base units. */
export interface Payment {
  readonly from: Address;
  readonly payer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly sourceAta: Address;
  readonly amount: bigint;
  /** The terms and decimals for transfers that must name the mint; otherwise null. */
  readonly checked: { readonly terms: MintTerms; readonly decimals: number } | null;
  /** Fees paid by separate transfers, in this order. */
  readonly tolls: readonly { readonly account: Address; readonly amount: bigint }[];
  /** The memo; null if there is none. An empty string is a memo. */
  readonly memo: string | null;
  readonly creates: Pick<TransferCreations, 'vault' | 'sourceAta'>;
}

/** A payment into the rollup, which may wrap native SOL first. */
export interface ShuttlePaymentPlan extends Payment {
  readonly wrap: WrapNeeds;
  readonly shuttle: Shuttle;
}

/** Plans the instructions before a shuttle payment: wrapping native SOL, then the fees. */
function planShuttlePrefix(payment: ShuttlePaymentPlan): Instruction[] {
  const { from: owner, payer, sourceAta: ata } = payment;
  return [...planWrap(payment.wrap, { owner, payer, ata }), ...planTolls(payment)];
}

const planTolls = (payment: Payment): Instruction[] =>
  payment.tolls.map(({ account, amount }) => moveTokens(payment, account, amount));

const planTokenTransfer = (payment: Payment, destination: Address): Instruction =>
  moveTokens(payment, destination, payment.amount);

function moveTokens(payment: Payment, destination: Address, amount: bigint): Instruction {
  const { tokenProgram, mint, sourceAta: source, from: authority, checked } = payment;
  if (checked === null) return transferTokens(tokenProgram, { source, destination, authority }, amount);
  const { terms, decimals } = checked;
  const accounts = { source, mint, destination, authority };
  if (terms.extensions.transferFee === null) return transferChecked(tokenProgram, accounts, amount, decimals);
  // With a stated fee, the transfer fails if the mint's fee changes after building.
  return transferCheckedWithFee(tokenProgram, accounts, amount, { decimals, fee: withheldOf(terms, amount) });
}

function planSourceAta({ creates, payer, sourceAta: ata, from: owner, mint, tokenProgram }: Payment) {
  return creates.sourceAta ? [createAtaIdempotent({ payer, ata, owner, mint, tokenProgram })] : [];
}

/** Creates the vault of the mint and its ATA; does nothing if they exist. */
function planVault({ payer, mint, tokenProgram }: Payment, layout: Layout): Instruction[] {
  const { vault, vaultEata, vaultAta } = deriveMintVault(mint, tokenProgram);
  const accounts = { vault: vault.address, payer, mint, vaultAta, tokenProgram };
  return [
    layout === 'a'
      ? encode(EATA_TABLE_A.initVault, accounts, { vaultBump: vault.bump })
      : encode(EATA_TABLE.initVault, { ...accounts, vaultEata }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault.address, mint, tokenProgram }),
  ];
}

/** Creates the transfer queue of the mint on a validator; does nothing if it exists. */
function planQueue({ payer, mint, tokenProgram }: Payment, validator: Address): Instruction {
  const queue = queueAccountsOf(mint, validator, tokenProgram);
  return encode(
    QUEUE_TABLE.initTransferQueue,
    { payer, mint, validator, tokenProgram, ...queue },
    { requestedItems: null },
  );
}

function shuttleAccounts({
  payer,
  shuttle,
  from: owner,
  sourceAta: ownerAta,
  mint,
  tokenProgram,
}: ShuttlePaymentPlan) {
  const { vault, vaultAta } = deriveMintVault(mint, tokenProgram);
  return {
    payer,
    rentPda: RENT_PDA,
    shuttle: shuttle.accounts,
    delegation: shuttle.delegation,
    owner,
    ownerAta,
    mint,
    tokenProgram,
    vault: vault.address,
    vaultAta,
  };
}

/** Plans the memo, the last instruction. */
function planMemo({ memo }: Payment): Instruction[] {
  return memo === null ? [] : [addMemo(memo)];
}

/** The accounts behind an owner's delegated tokens. */
export interface EataAccounts {
  readonly owner: Address;
  readonly eata: Address;
  readonly delegation: DelegationAccounts;
}

/** Derives the accounts behind an owner's delegated tokens of a mint. */
export function deriveEataAccounts(owner: Address, mint: Address): EataAccounts {
  const eata = deriveEata(owner, mint).address;
  return { owner, eata, delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM) };
}

/**
 * Plans a public base-to-base transfer: a plain token transfer. With `recipient.create` it first creates the
 * recipient's ATA. The memo comes last, or directly before the transfer if the recipient's account requires a
 * memo.
 */
export function planPublicBase(
  payment: Payment,
  recipient: {
    readonly owner: Address;
    readonly ata: Address;
    readonly create: boolean;
    readonly needsMemo?: boolean;
  },
  layout: Layout,
): Instruction[] {
  const { payer, mint, tokenProgram } = payment;
  const { owner, ata, create, needsMemo = false } = recipient;
  const transfer = planTokenTransfer(payment, ata);
  const memo = planMemo(payment);
  return [
    ...planTolls(payment),
    ...(payment.creates.vault ? planVault(payment, layout) : []),
    ...planSourceAta(payment),
    ...(create ? [createAtaIdempotent({ payer, ata, owner, mint, tokenProgram })] : []),
    ...(needsMemo ? [...memo, transfer] : [transfer, ...memo]),
  ];
}

/** Plans a private base-to-base transfer through a shuttle and a queue. The destination is sealed. */
export function planPrivateBase(
  payment: ShuttlePaymentPlan,
  sender: EataAccounts,
  transfer: { readonly exactOut: boolean; readonly sealed: SealedTransfer },
): Instruction[] {
  const { payer, from, mint, shuttle, amount } = payment;
  const { validator } = transfer.sealed;
  return [
    ...planShuttlePrefix(payment),
    ...(payment.creates.vault ? [...planVault(payment, 'b'), planQueue(payment, validator)] : []),
    ...planSourceAta(payment),
    encode(EATA_TABLE.initEata, { eata: sender.eata, payer, owner: from, mint }),
    encode(
      EATA_TABLE.delegateEata,
      { payer, eata: sender.eata, delegation: sender.delegation },
      { validator },
    ),
    transferByShuttle(
      { queue: queueAccountsOf(mint, validator, payment.tokenProgram).queue, ...shuttleAccounts(payment) },
      { shuttleId: shuttle.id, amount, ...transfer },
    ),
    ...planMemo(payment),
  ];
}

/** Plans a private base-to-rollup transfer through a shuttle that merges into the recipient's account. */
export function planBaseToEphemeral(
  payment: ShuttlePaymentPlan,
  recipient: EataAccounts & { readonly ata: Address; readonly permission: Address; readonly init: boolean },
  validator: Address,
): Instruction[] {
  const { payer, mint, tokenProgram, shuttle, amount } = payment;
  const { owner, ata, eata, permission, delegation } = recipient;
  const initRecipient = [
    createAtaIdempotent({ payer, ata, owner, mint, tokenProgram }),
    encode(EATA_TABLE.initEata, { eata, payer, owner, mint }),
    encode(EATA_TABLE.createPermission, { eata, permission, payer }, { flags: OWNER_ONLY }),
    // Delegate to the validator of the transfer, or the tokens could not arrive.
    encode(EATA_TABLE.delegateEata, { payer, eata, delegation }, { validator }),
  ];
  return [
    ...planShuttlePrefix(payment),
    ...(payment.creates.vault ? planVault(payment, 'b') : []),
    ...planSourceAta(payment),
    ...(recipient.init ? initRecipient : []),
    encode(
      SHUTTLE_TABLE.depositByShuttle,
      { destinationAta: ata, ...shuttleAccounts(payment) },
      { shuttleId: shuttle.id, amount, validator },
    ),
    ...planMemo(payment),
  ];
}

/** Plans a rollup transfer: a plain token transfer between projected accounts. */
export function planEphemeral(payment: Payment, recipientAta: Address): Instruction[] {
  return [...planTolls(payment), planTokenTransfer(payment, recipientAta), ...planMemo(payment)];
}

/** Plans a private rollup-to-base transfer through the transfer queue. */
export function planEphemeralToBase(
  payment: Payment,
  transfer: {
    readonly to: Address;
    readonly validator: Address;
    readonly queue: Address;
    readonly receipt: Address;
    readonly receiptPermission: Address;
    readonly groupId: number;
    readonly terms: DeliveryTerms;
  },
): Instruction[] {
  const { from: owner, sourceAta: ownerAta, mint, tokenProgram, amount } = payment;
  const { to: destinationOwner, validator, queue, receipt, receiptPermission, groupId, terms } = transfer;
  const queueAta = deriveAta(queue, mint, tokenProgram).address;
  return [
    ...planTolls(payment),
    ...(payment.creates.vault ? [planQueue(payment, validator)] : []),
    queueTransfer(
      { queue, queueAta, mint, owner, ownerAta, destinationOwner, tokenProgram, receipt, receiptPermission },
      { amount, groupId, terms },
    ),
    ...planMemo(payment),
  ];
}
