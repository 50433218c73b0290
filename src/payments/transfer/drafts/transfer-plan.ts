import type { Layout } from '../../../chain/chain.ts';
import { createAtaIdempotent, deriveAta } from '../../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../../programs/ephemeral-token/layout-a.ts';
import { delegateEata, initEata } from '../../../programs/ephemeral-token/layout-b/eata.ts';
import { createPermission } from '../../../programs/ephemeral-token/layout-b/permission.ts';
import {
  depositByShuttle,
  transferByShuttle,
} from '../../../programs/ephemeral-token/layout-b/shuttle-transfer.ts';
import { queueTransfer } from '../../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import type { DeliveryTerms } from '../../../programs/private-transfer/delivery-terms.ts';
import type { SealedTransfer } from '../../../programs/private-transfer/seal-transfer.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { queueAccountsOf } from './queue-accounts.ts';
import {
  planMemo,
  planQueue,
  planShuttlePrefix,
  planSourceAta,
  planTokenTransfer,
  planTolls,
  planVault,
  shuttleAccounts,
  type Payment,
  type ShuttlePaymentPlan,
} from './plan-parts.ts';

/** The instructions of each route, in the order of the hosted API. */

/**
 * Permission flags of a recipient's account: the owner alone, to whom the program gives the authority itself.
 */
const OWNER_ONLY = 0;

/** The accounts behind an owner's delegated tokens. */
export interface EataAccounts {
  readonly owner: Address;
  readonly eata: Address;
  readonly delegation: DelegationAccounts;
}

/**
 * Public, base to base: a plain token transfer. With `recipient.create` it first pays for the recipient's
 * ATA. The memo comes last, unless the recipient's account requires one: that one must directly precede the
 * transfer.
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

/**
 * Private, base to base: by a shuttle and the transfer queue, with the destination sealed for the validator.
 */
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
    initEata({ eata: sender.eata, payer, owner: from, mint }),
    delegateEata({ payer, eata: sender.eata, delegation: sender.delegation }, validator),
    transferByShuttle(
      { queue: queueAccountsOf(mint, validator, payment.tokenProgram).queue, ...shuttleAccounts(payment) },
      { shuttleId: shuttle.id, amount, ...transfer },
    ),
    ...planMemo(payment),
  ];
}

/** Private, base to rollup: by a shuttle that is merged into the recipient's account there. */
export function planBaseToEphemeral(
  payment: ShuttlePaymentPlan,
  recipient: EataAccounts & { readonly ata: Address; readonly permission: Address; readonly init: boolean },
  validator: Address,
): Instruction[] {
  const { payer, mint, tokenProgram, shuttle, amount } = payment;
  const { owner, ata, eata, permission, delegation } = recipient;
  const initRecipient = [
    createAtaIdempotent({ payer, ata, owner, mint, tokenProgram }),
    initEata({ eata, payer, owner, mint }),
    createPermission({ eata, permission, payer }, OWNER_ONLY),
    // To the validator of the transfer, or the tokens could not arrive.
    delegateEata({ payer, eata, delegation }, validator),
  ];
  return [
    ...planShuttlePrefix(payment),
    ...(payment.creates.vault ? planVault(payment, 'b') : []),
    ...planSourceAta(payment),
    ...(recipient.init ? initRecipient : []),
    depositByShuttle(
      { destinationAta: ata, ...shuttleAccounts(payment) },
      { shuttleId: shuttle.id, amount, validator },
    ),
    ...planMemo(payment),
  ];
}

/** On the rollup: a plain token transfer between projected accounts. */
export function planEphemeral(payment: Payment, recipientAta: Address): Instruction[] {
  return [...planTolls(payment), planTokenTransfer(payment, recipientAta), ...planMemo(payment)];
}

/** Private, rollup to base: by the transfer queue. */
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
