import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../../chain/chain.ts';
import type { ExplainTransactionOutput } from '../../client/generated.ts';
import { PaymentsError } from '../../client/payments-error.ts';
import { createPrivatePayments } from '../../client/private-payments.ts';
import { findNearestName } from '../../errors/nearest-name.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { CheckedPayments } from '../../kit/checked-payments.ts';
import type { Receipt } from '../../kit/payments.ts';
import { SignedMessages } from '../../kit/signed-messages.ts';
import { FINDING_CODES } from '../../payments/explain/finding.ts';
import { systemClock } from '../../ports/clock.ts';
import { decimalsOf, type MintScale, parseAmount } from './amount.ts';
import { explanationLines } from './explain.ts';
import type { Ledgers } from './ledgers.ts';
import { printableLines } from './terminal.ts';
import { serviceTokenOf } from './target.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit, VerbFailure } from './verb-failure.ts';
import { confirms, sessionOf, signerOf } from './wallet-signer.ts';
import { readKeypair } from './wallet.ts';

/** Matches an amount of lamports, at most 20 digits (u64). */
const LAMPORTS = /^\d{1,20}$/;

/** The wallet, with the functions that build, check, sign and send its payments. */
interface Signing {
  readonly wallet: string;
  readonly checked: CheckedPayments;
  /** Returns the wallet's last signature; null before the first. */
  signature(): string | null;
}

/**
 * Opens the wallet of a call. It signs only transactions that it understands, that match the request and the
 * limits, and that are confirmed.
 *
 * @param scale the unit of `--max-amount`.
 * @throws {VerbFailure} `config`.
 */
export function openSigning(call: VerbCall, ledgers: Ledgers, scale: MintScale | null): Signing {
  const { target, clusters, chain, local } = ledgers;
  const { signer, signature } = signerOf(readKeypair(call), (known) => refuseLanded(chain, known));
  const maxAmount = call.valueOf('max-amount');
  const maxLamports = call.valueOf('max-lamports');
  const recipient = call.valueOf('to');
  if (maxLamports !== undefined && !LAMPORTS.test(maxLamports)) {
    throw unusable(`--max-lamports needs a whole number, not '${maxLamports}'`);
  }
  const decimals = scale === null ? 0 : decimalsOf(call, scale);
  const checked = new CheckedPayments({
    service: createPrivatePayments({ url: target.service, apiKey: serviceTokenOf(call, target) }),
    cluster: target.cluster,
    clusters,
    local,
    session: sessionOf(call, chain, signer),
    signers: [signer],
    limits: {
      ...(maxAmount !== undefined && { maxAmount: parseAmount(maxAmount, decimals, '--max-amount') }),
      ...(maxLamports !== undefined && { maxLamports: BigInt(maxLamports) }),
      ...(recipient !== undefined && { recipients: [recipient] }),
    },
    accept: readAccepted(call),
    watchRecipients: call.has('watch-recipient') || undefined,
    agree: (explanation) => confirm(call, explanation),
    signed: new SignedMessages(),
    ledgers: { base: String(target.base), ephemeral: String(target.rollup) },
    waiting: { clock: systemClock, sleep },
  });
  return { wallet: signer.address, checked, signature };
}

/**
 * Reads the codes of `--accept`.
 *
 * @throws {VerbFailure} `config` if a code does not belong to any finding.
 */
function readAccepted(call: VerbCall): ReadonlySet<string> {
  const codes = call.valuesOf('accept');
  const unknown = codes.find((code) => !Object.hasOwn(FINDING_CODES, code));
  if (unknown === undefined) return new Set(codes);
  const nearest = findNearestName(unknown, Object.keys(FINDING_CODES));
  const hint = nearest === undefined ? '. docs/explain.md lists the codes' : `: did you mean ${nearest}?`;
  throw unusable(`--accept needs the code of a caution, not '${unknown}'${hint}`);
}

/**
 * Checks that a terminal or `--yes` can confirm the payment.
 *
 * @throws {VerbFailure} `unsigned`
 */
export function requireConsent(call: VerbCall): void {
  if (call.has('yes') || call.terminal.canAsk) return;
  throw new VerbFailure(
    'unsigned',
    'NOT_CONFIRMED',
    'Nothing was signed: there is no terminal to ask for confirmation. Pass --yes to sign transactions that are clear and match the request, and --max-amount to limit them',
  );
}

/**
 * Rejects a transaction that has already landed. Identical payments on one blockhash are one transaction,
 * which a ledger executes once. A repetition would pay nothing.
 *
 * @throws {VerbFailure} `unsigned`
 */
async function refuseLanded(chain: Chain, signature: string): Promise<void> {
  const ledgers = chain.rollup === null ? [chain] : [chain, chain.rollup];
  const found = await Promise.all(ledgers.map((ledger) => ledger.signatureStatus(signature)));
  if (found.every((status) => status === null)) return;
  throw new VerbFailure(
    'unsigned',
    'ALREADY_SIGNED',
    `Nothing was sent: this is the same transaction as an earlier payment (${signature}), and the ledger executes it only once. To pay again, retry in a few seconds`,
    { signature },
  );
}

async function confirm(call: VerbCall, explanation: ExplainTransactionOutput): Promise<void> {
  if (call.has('yes')) return;
  const { terminal } = call;
  terminal.log(`${printableLines(explanationLines(explanation))}\n`);
  if (await confirms(terminal, 'Sign and send it?')) return;
  throw new VerbFailure('unsigned', 'NOT_CONFIRMED', 'Nothing was signed: you did not confirm');
}

/**
 * Runs a payment and reports its outcome.
 *
 * @throws {VerbFailure} `unconfirmed` with the signature if the payment was signed and its outcome is
 * unknown.
 */
export async function reportSent(
  call: VerbCall,
  signing: Signing,
  work: () => Promise<Receipt>,
): Promise<VerbExit> {
  const receipt = await working(signing, () => call.during('Building, checking and sending', work()));
  const { signature, sendTo, outcome, message, explanation } = receipt;
  const { tokens } = explanation.effects;
  call.report({ outcome, message, signature, sendTo, tokens }, [`${outcome} ${signature}`]);
  if (outcome !== 'arrived') call.terminal.log(`${message}\n`);
  return EXITS[outcome];
}

const EXITS = { arrived: 'done', 'moved nothing': 'refused', 'still under way': 'unconfirmed' } as const;

/** Runs a payment. A ledger's rejection is final. After other failures, a signed payment may still arrive. */
async function working(signing: Signing, work: () => Promise<Receipt>): Promise<Receipt> {
  const before = signing.signature();
  try {
    return await work();
  } catch (error) {
    const signature = signing.signature();
    if (signature === before || signature === null || isRefusal(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new VerbFailure(
      'unconfirmed',
      'OUTCOME_UNKNOWN',
      `It was signed and may have landed: look up ${signature} before paying again. ${why}`,
      { signature },
    );
  }
}

const FINAL: ReadonlySet<string> = new Set([
  'TRANSACTION_FAILED',
  'TRANSACTION_EXPIRED',
  'INVALID_TRANSACTION',
]);

const isRefusal = (error: unknown): boolean =>
  (error instanceof PaymentsError || isServiceError(error)) && FINAL.has(error.code);
