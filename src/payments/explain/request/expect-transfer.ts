import { deriveAta } from '../../../programs/associated-token.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import {
  deriveEata,
  deriveGroupReceipt,
  deriveTransferQueue,
} from '../../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../../programs/permission/pdas.ts';
import { SEAL_BYTES } from '../../../programs/private-transfer/sealed-box.ts';
import { encodeDeliveryTerms } from '../../../programs/private-transfer/delivery-terms.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { deriveDelegationAccounts } from '../../accounts/deposit-accounts.ts';
import { requireMovable, requireWhole } from '../../mints/mint-terms.ts';
import { deriveShuttle } from '../../accounts/shuttle.ts';
import type { Sponsor } from '../../fees/sponsor.ts';
import { NO_WRAP } from '../../mints/wrapped-sol.ts';
import { judgeTokenAccount } from '../../accounts/token-account.ts';
import {
  planBaseToEphemeral,
  planEphemeral,
  planEphemeralToBase,
  planPrivateBase,
  planPublicBase,
  type EataAccounts,
} from '../../transfer/drafts/transfer-plan.ts';
import type { Payment, ShuttlePaymentPlan } from '../../transfer/drafts/plan-parts.ts';
import { requireWholeFee } from '../../transfer/request/gasless.ts';
import type { TransferInput } from '../../transfer/request/transfer-input.ts';
import {
  judgeRequest,
  hasDeliveryTerms,
  type TransferRequest,
} from '../../transfer/request/transfer-request.ts';
import { beginTask, paymentOf } from '../../transfer/transfer-task.ts';
import { expectedValidator, type Doubt, type Expectation, type ExpectationSource } from './expectation.ts';
import { expectMint } from './expect-mint.ts';
import { expectedWrap } from './expect-wrap.ts';

/**
 * The expected transaction of a transfer.
 *
 * @throws {ServiceError} what the transfer throws for a request it would refuse.
 */
export function expectTransfer(input: TransferInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  // Without a configured sponsor the actual fee payer is assumed; every fee to the sponsor must then be
  // consistent with it.
  const sponsor = source.sponsor ?? hints.feePayer;
  const request = judgeRequest(input, chain, nobodySigns(sponsor, input.mint));
  const { facts, terms, isRead } = expectMint(request.mint, source);
  requireMovable(facts, terms);
  if (request.route !== 'publicBase') requireWhole(facts, terms);
  if (request.sponsor !== null && isRead) requireWholeFee(facts, terms);
  const task = beginTask({ chain, random: NO_RANDOM }, request, facts, terms);
  const { validator, isKnown, doubts } = expectedValidator(input.validator, source);
  const wrapping = isFromBaseByShuttle(request)
    ? expectedWrap(source, { mint: request.mint, ata: task.sourceAta, wanted: debitedBeforeRelay(request) })
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
  /** Whether request, cluster or transaction names that validator. */
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
      const needsMemo = asksForMemo(plan, ata);
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
          ...eataOf(request.to, payment.mint),
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

function asksForMemo({ payment, source }: Plan, ata: Address): boolean {
  const { mint, tokenProgram } = payment;
  const place = { ata, owner: null, mint, tokenProgram };
  const judged = judgeTokenAccount(place, source.facts?.accounts.get(ata) ?? null);
  return typeof judged !== 'string' && judged.rules.needsMemo;
}

/** The sealed boxes are taken from the transaction. Only the length of their contents can be checked. */
function planSealed(plan: Plan): Instruction[] {
  const { request, payment, validator, source } = plan;
  const termsBytes = SEAL_BYTES + encodeDeliveryTerms(request.terms).length;
  const found = source.hints.sealed;
  const terms = found?.terms.length === termsBytes ? found.terms : new Uint8Array(termsBytes);
  const destination = found?.destination ?? new Uint8Array(SEAL_BYTES + 32);
  return planPrivateBase(shuttlePayment(plan), eataOf(request.from, payment.mint), {
    exactOut: request.exactOut,
    sealed: { validator, destination, terms },
  });
}

/**
 * If the validator is unknown, the transaction's own queue is assumed; the doubt about the validator covers
 * that.
 */
function planQueued({ request, payment, validator, isKnown, source }: Plan): Instruction[] {
  const queue = (isKnown ? null : source.hints.queue) ?? deriveTransferQueue(payment.mint, validator).address;
  const groupId = source.hints.groupId === null || source.hints.groupId === 0 ? 1 : source.hints.groupId;
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

function eataOf(owner: Address, mint: Address): EataAccounts {
  const eata = deriveEata(owner, mint).address;
  return { owner, eata, delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM) };
}

const isFromBaseByShuttle = ({ route }: TransferRequest): boolean =>
  route === 'privateBase' || route === 'baseToEphemeral';

/** The most that native SOL is wrapped for. SOL is never relayed. */
const debitedBeforeRelay = ({ sums }: TransferRequest): bigint => sums.debited;

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
  message: `Recipient and delivery terms are sealed for validator ${validator}: nobody else can check them. Sign only what you have had built by a service you trust.`,
});

/** The builder does not read it either. */
const unreadRecipientDoubt = (to: Address): Doubt => ({
  claim: 'to',
  message: `The token account of ${to} on base is not looked up, so that the RPC of base does not learn who is paid: whether it still is theirs cannot be told.`,
});

const sponsorDoubt = (sponsor: Address): Doubt => ({
  claim: 'sponsor',
  message: `The sponsor ${sponsor} pays the lamports and takes the relay fee; this service has none configured to compare with.`,
});

/** A sponsor in name only: an expected transaction is never signed. */
const nobodySigns = (address: Address, mint: Address): Sponsor => ({
  address,
  // Whether the operator takes this mint is told by what the sponsor has signed.
  customMints: [mint],
  cosign: () => {
    throw new Error('an expectation is not signed');
  },
});

/** An expectation draws no random bytes. */
const NO_RANDOM = {
  bytes: (): Uint8Array => {
    throw new Error('an expectation draws no random bytes');
  },
};
