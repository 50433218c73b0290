import type { Chain } from '../../chain/chain.ts';
import type { Random } from '../../ports/random.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { ataBytes } from '../../programs/token/mint-extensions.ts';
import type { Address } from '../../solana/address.ts';
import type { LookupTable } from '../../solana/v0-message.ts';
import type { Draft } from '../building/draft.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { type MintTerms, needsCheckedTransfer } from '../mints/mint-terms.ts';
import type { Payment } from './plan.ts';
import type { TransferRequest } from './request.ts';

/** A checked request with its mint read from the chain, ready to be drafted. */
export interface TransferTask {
  readonly chain: Chain;
  readonly random: Random;
  readonly request: TransferRequest;
  readonly facts: MintFacts;
  /** Null for a mint of SPL Token. */
  readonly terms: MintTerms | null;
  /** Pays the lamports: the sender or the sponsor. */
  readonly payer: Address;
  /** The sender's ATA. */
  readonly sourceAta: Address;
  /** Receives the sponsor's fee; null without a sponsor. */
  readonly sponsorAta: Address | null;
}

/** A drafted transfer. */
export interface TransferDraft extends Draft {
  /** The lookup table its v0 form may use. */
  readonly lookupTable: LookupTable | null;
  /** The most that it can cost its payer, lamports. */
  readonly payerLamports: bigint;
}

/** Derives what every route needs. */
export function beginTask(
  { chain, random }: Pick<TransferTask, 'chain' | 'random'>,
  request: TransferRequest,
  facts: MintFacts,
  terms: MintTerms | null = null,
): TransferTask {
  const { from, sponsor } = request;
  const { mint, tokenProgram } = facts;
  return {
    request,
    facts,
    terms,
    payer: sponsor?.address ?? from,
    sourceAta: deriveAta(from, mint, tokenProgram).address,
    sponsorAta: sponsor === null ? null : deriveAta(sponsor.address, mint, tokenProgram).address,
    chain,
    random,
  };
}

/** Size of a new token account of the mint, bytes. */
export const ataBytesOf = ({ facts, terms }: Pick<TransferTask, 'facts' | 'terms'>): number =>
  ataBytes(facts.tokenProgram, terms?.extensions ?? null);

/** The part of the plan that does not depend on chain state. */
export function paymentOf(task: TransferTask): Payment {
  const { request, facts, terms, payer, sourceAta, sponsorAta } = task;
  const { sums, platformFee } = request;
  return {
    from: request.from,
    payer,
    mint: facts.mint,
    tokenProgram: facts.tokenProgram,
    sourceAta,
    amount: sums.moved,
    checked: terms !== null && needsCheckedTransfer(terms) ? { terms, decimals: facts.decimals } : null,
    tolls: [
      ...(sponsorAta === null ? [] : [{ account: sponsorAta, amount: sums.relayFee }]),
      ...(platformFee === null ? [] : [platformFee]),
    ],
    memo: request.memo,
    creates: request.creates,
  };
}
