import { TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import {
  deriveEata,
  deriveGroupReceipt,
  deriveTransferQueue,
} from '../../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../../programs/permission/state.ts';
import { encodeDeliveryTerms } from '../../../programs/private-transfer/seal-transfer.ts';
import { SEAL_BYTES } from '../../../programs/private-transfer/sealed-box.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import { decodeMintScale } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { deriveShuttle } from '../../accounts/deposit-accounts.ts';
import { checkTokenAccount } from '../../accounts/token-account.ts';
import type { Sponsor } from '../../fees/sponsor.ts';
import type { MintFacts } from '../../mints/mint-facts.ts';
import { decodeMintTerms, type MintTerms, requireMovable, requireWhole } from '../../mints/mint-terms.ts';
import { NO_WRAP } from '../../mints/wrapped-sol.ts';
import { requireWholeFee } from '../../transfer/fees.ts';
import type { TransferInput } from '../../transfer/input.ts';
import {
  deriveEataAccounts,
  type Payment,
  planBaseToEphemeral,
  planEphemeral,
  planEphemeralToBase,
  planPrivateBase,
  planPublicBase,
  type ShuttlePaymentPlan,
} from '../../transfer/plan.ts';
import {
  beginTask,
  checkTransferRequest,
  hasDeliveryTerms,
  paymentOf,
  type TransferRequest,
} from '../../transfer/request.ts';
import type { Doubt } from '../finding.ts';
import { expectedWrap } from './expect-vault-payment.ts';
import { type Expectation, type ExpectationSource, expectedValidator } from './expectation.ts';

interface ExpectedMint {
  readonly facts: MintFacts;
  /** The mint's terms; null for SPL Token mints, or if no chain was read. */
  readonly terms: MintTerms | null;
  /** Whether `decimals` was read from the mint; otherwise it is 0. */
  readonly isRead: boolean;
}

/**
 * Describes the mint of a request. Without a chain, the mint is assumed to have no terms. The result
 * already says that the state was not checked.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the terms of a Token-2022 mint cannot be read.
 */
function expectMint(mint: Address, { facts, hints }: ExpectationSource): ExpectedMint {
  const tokenProgram = hints.tokenProgramOf(mint);
  const account = facts?.accounts.get(mint) ?? null;
  const decimals = (account === null ? null : decodeMintScale(account.data)?.decimals) ?? null;
  const known = { mint, tokenProgram, decimals: decimals ?? 0 };
  const isRead = decimals !== null;
  if (tokenProgram !== TOKEN_2022_PROGRAM || account === null) return { facts: known, terms: null, isRead };
  const clock = facts?.accounts.get(CLOCK_SYSVAR) ?? null;
  return { facts: known, terms: decodeMintTerms(known, account, clock), isRead };
}

/**
 * Builds the expected transaction for a transfer.
 *
 * @throws {ServiceError} if the transfer would reject the request.
 */
export function expectTransfer(input: TransferInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  // Without a configured sponsor the actual fee payer is assumed; every fee to the sponsor must then be
  // consistent with it.
  const sponsor = source.sponsor ?? hints.feePayer;
  const request = checkTransferRequest(input, chain, unsignedSponsor(sponsor, input.mint));
  const { facts, terms, isRead } = expectMint(request.mint, source);
  requireMovable(facts, terms);
  if (request.route !== 'publicBase') requireWhole(facts, terms);
  if (request.sponsor !== null && isRead) requireWholeFee(facts, terms);
  const task = beginTask({ chain, random: NO_RANDOM }, request, facts, terms);
  const { validator, isKnown, doubts } = expectedValidator(input.validator, source);
  const isFromBaseByShuttle = request.route === 'privateBase' || request.route === 'baseToEphemeral';
  // SOL is never relayed, so no relay fee is wrapped.
  const { sourceAta: ata } = task;
  const wrapping = isFromBaseByShuttle
    ? expectedWrap(source, { mint: request.mint, ata, wanted: request.sums.debited })
    : null;
  const payment = paymentOf(task);
  const plan: Plan = { request, payment, validator, isKnown, source, wrap: wrapping?.wrap };
  const usesValidator = !['publicBase', 'ephemeral'].includes(request.route);
  return {
    sendTo: request.way.fromBalance,
    feePayer: task.payer,
    instructions: planRoute(plan),
    claims: claimsOf(request, usesValidator ? validator : null),
    mints: [request.mint],
    doubts: [
      ...(usesValidator ? doubts : []),
      ...(wrapping?.doubts ?? []),
      ...(request.route === 'privateBase' ? [sealedDoubt(validator)] : []),
      ...(request.route === 'ephemeralToBase' ? [unreadRecipientDoubt(request.to)] : []),
      ...(request.sponsor !== null && source.sponsor === null ? [sponsorDoubt(sponsor)] : []),
    ],
  };
}

interface Plan {
  readonly request: TransferRequest;
  readonly payment: Payment;
  readonly validator: Address;
  /** Whether the request, cluster or transaction names the validator. */
  readonly isKnown: boolean;
  readonly source: ExpectationSource;
  readonly wrap: ShuttlePaymentPlan['wrap'] | undefined;
}

function planRoute(plan: Plan): Instruction[] {
  const { request, payment, source } = plan;
  const recipientAta = (): Address => deriveAta(request.to, payment.mint, payment.tokenProgram).address;
  switch (request.route) {
    case 'publicBase': {
      const ata = recipientAta();
      const needsMemo = requiresMemo(plan, ata);
      const recipient = { owner: request.to, ata, create: request.creates.recipientAta, needsMemo };
      return planPublicBase(payment, recipient, source.chain.layout);
    }
    case 'ephemeral':
      return planEphemeral(payment, recipientAta());
    case 'privateBase':
      return planSealed(plan);
    case 'baseToEphemeral':
      return planBaseToEphemeral(
        shuttlePayment(plan),
        {
          ...deriveEataAccounts(request.to, payment.mint),
          ata: recipientAta(),
          permission: derivePermission(deriveEata(request.to, payment.mint).address).address,
          init: request.creates.recipient,
        },
        plan.validator,
      );
    case 'ephemeralToBase':
      return planQueued(plan);
  }
}

function requiresMemo({ payment, source }: Plan, ata: Address): boolean {
  const { mint, tokenProgram } = payment;
  const place = { ata, owner: null, mint, tokenProgram };
  const checked = checkTokenAccount(place, source.facts?.accounts.get(ata) ?? null);
  return typeof checked !== 'string' && checked.rules.needsMemo;
}

/** Plans a sealed transfer with the transaction's own boxes, because only their lengths can be checked. */
function planSealed(plan: Plan): Instruction[] {
  const { request, payment, validator, source } = plan;
  const termsBytes = SEAL_BYTES + encodeDeliveryTerms(request.terms).length;
  const found = source.hints.sealed;
  const terms = found?.terms.length === termsBytes ? found.terms : new Uint8Array(termsBytes);
  const destination = found?.destination ?? new Uint8Array(SEAL_BYTES + 32);
  return planPrivateBase(shuttlePayment(plan), deriveEataAccounts(request.from, payment.mint), {
    exactOut: request.exactOut,
    sealed: { validator, destination, terms },
  });
}

/** Plans a queued transfer. If no validator is known, it uses the transaction's queue and leaves a doubt. */
function planQueued({ request, payment, validator, isKnown, source }: Plan): Instruction[] {
  const queue = (isKnown ? null : source.hints.queue) ?? deriveTransferQueue(payment.mint, validator).address;
  const groupId = source.hints.groupId || 1;
  const receipt = deriveGroupReceipt(queue, request.from, groupId).address;
  return planEphemeralToBase(payment, {
    to: request.to,
    validator,
    queue,
    receipt,
    receiptPermission: derivePermission(receipt).address,
    groupId,
    terms: request.terms,
  });
}

function shuttlePayment({ payment, source, wrap }: Plan): ShuttlePaymentPlan {
  const { from: owner, mint, tokenProgram } = payment;
  const shuttle = deriveShuttle({ owner, mint, tokenProgram }, source.hints.shuttleId ?? 0);
  return { ...payment, shuttle, wrap: wrap ?? NO_WRAP };
}

function claimsOf(request: TransferRequest, validator: Address | null): Record<string, string> {
  const { sums, terms } = request;
  return {
    from: request.from,
    to: request.to,
    amount: sums.moved.toString(),
    mint: request.mint,
    fees: (sums.platformFee + sums.relayFee).toString(),
    ...(validator === null ? {} : { validator }),
    ...(request.memo === null ? {} : { memo: request.memo }),
    ...(hasDeliveryTerms(request.route)
      ? {
          delivery: `${terms.minDelayMs} to ${terms.maxDelayMs} ms, ${terms.split} part(s), reference ${terms.clientRefId ?? 'none'}`,
        }
      : {}),
  };
}

const sealedDoubt = (validator: Address): Doubt => ({
  claim: 'to',
  message: `Recipient and delivery terms are sealed for validator ${validator}, so no one else can check them. Sign only if you trust the service that built it.`,
});

const unreadRecipientDoubt = (to: Address): Doubt => ({
  claim: 'to',
  message: `The token account of ${to} on base is not read, so that the base RPC does not learn who is paid. Whether it still belongs to the recipient is unknown.`,
});

const sponsorDoubt = (sponsor: Address): Doubt => ({
  claim: 'sponsor',
  message: `The sponsor ${sponsor} pays the lamports and receives the relay fee. This service has no sponsor configured to compare with.`,
});

/** Builds a sponsor that cannot sign, because expected transactions are never signed. */
const unsignedSponsor = (address: Address, mint: Address): Sponsor => ({
  address,
  // The sponsor's signature shows whether the operator accepts this mint.
  customMints: [mint],
  cosign: () => {
    throw new Error('an expectation is not signed');
  },
});

/** A random source that throws, because expectations need no randomness. */
const NO_RANDOM = {
  bytes: (): Uint8Array => {
    throw new Error('an expectation draws no random bytes');
  },
};
