import type { Layout } from '../../../chain/chain.ts';
import { createAtaIdempotent } from '../../../programs/associated-token.ts';
import * as layoutA from '../../../programs/ephemeral-token/layout-a.ts';
import { initTransferQueue } from '../../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { initVault } from '../../../programs/ephemeral-token/layout-b/vault.ts';
import { addMemo } from '../../../programs/memo.ts';
import {
  transferChecked,
  transferCheckedWithFee,
  transferTokens,
} from '../../../programs/token/instructions.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { withheldOf, type MintTerms } from '../../mints/mint-terms.ts';
import { RENT_PDA } from '../../fees/shuttle-costs.ts';
import type { Shuttle } from '../../accounts/shuttle.ts';
import { planWrap, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import { deriveMintVault } from '../../accounts/deposit-accounts.ts';
import type { TransferCreations } from '../request/transfer-request.ts';
import { queueAccountsOf } from './queue-accounts.ts';

/** What every transfer contains, on any route. Amounts are base units. */
export interface Payment {
  readonly from: Address;
  /** Pays the lamports: the sender or the sponsor. */
  readonly payer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The sender's ATA. */
  readonly sourceAta: Address;
  readonly amount: bigint;
  /** For a mint whose transfers must name it; null otherwise. */
  readonly checked: { readonly terms: MintTerms; readonly decimals: number } | null;
  /** Fees paid by separate transfers, in this order. */
  readonly tolls: readonly { readonly account: Address; readonly amount: bigint }[];
  /** Null for none; an empty memo is a memo. */
  readonly memo: string | null;
  readonly creates: Pick<TransferCreations, 'vault' | 'sourceAta'>;
}

/** A payment into the rollup, for which native SOL may have to be wrapped. */
export interface ShuttlePaymentPlan extends Payment {
  readonly wrap: WrapNeeds;
  readonly shuttle: Shuttle;
}

/** The instructions before a payment by shuttle: wrapping native SOL, then the fees. */
export function planShuttlePrefix(payment: ShuttlePaymentPlan): Instruction[] {
  const { from: owner, payer, sourceAta: ata } = payment;
  return [...planWrap(payment.wrap, { owner, payer, ata }), ...planTolls(payment)];
}

/** The fees paid by separate transfers. */
export const planTolls = (payment: Payment): Instruction[] =>
  payment.tolls.map(({ account, amount }) => moveTokens(payment, account, amount));

/** The payment itself, as a plain token transfer. */
export const planTokenTransfer = (payment: Payment, destination: Address): Instruction =>
  moveTokens(payment, destination, payment.amount);

/** A transfer out of the sender's ATA, in the form the mint requires. */
function moveTokens(payment: Payment, destination: Address, amount: bigint): Instruction {
  const { tokenProgram, mint, sourceAta: source, from: authority, checked } = payment;
  if (checked === null) return transferTokens(tokenProgram, { source, destination, authority }, amount);
  const { terms, decimals } = checked;
  const accounts = { source, mint, destination, authority };
  if (terms.extensions.transferFee === null) return transferChecked(tokenProgram, accounts, amount, decimals);
  // With the fee stated, the transfer fails if the mint's fee has changed since it was built.
  return transferCheckedWithFee(tokenProgram, accounts, amount, { decimals, fee: withheldOf(terms, amount) });
}

/** Creates the sender's ATA, if requested. */
export function planSourceAta({ creates, payer, sourceAta: ata, from: owner, mint, tokenProgram }: Payment) {
  return creates.sourceAta ? [createAtaIdempotent({ payer, ata, owner, mint, tokenProgram })] : [];
}

/** Creates the vault of the mint and its ATA; does nothing if they exist. */
export function planVault({ payer, mint, tokenProgram }: Payment, layout: Layout): Instruction[] {
  const { vault, vaultEata, vaultAta } = deriveMintVault(mint, tokenProgram);
  const accounts = { vault: vault.address, payer, mint, vaultAta, tokenProgram };
  return [
    layout === 'a' ? layoutA.initVault(accounts, vault.bump) : initVault({ ...accounts, vaultEata }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault.address, mint, tokenProgram }),
  ];
}

/** Creates the transfer queue of the mint on a validator; does nothing if it exists. */
export function planQueue({ payer, mint, tokenProgram }: Payment, validator: Address): Instruction {
  const queue = queueAccountsOf(mint, validator, tokenProgram);
  return initTransferQueue({ payer, mint, validator, tokenProgram, ...queue }, null);
}

/** The accounts common to all payments by shuttle. */
export function shuttleAccounts({
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

/** The memo, always the last instruction. */
export function planMemo({ memo }: Payment): Instruction[] {
  return memo === null ? [] : [addMemo(memo)];
}
