import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../../chain/chain.ts';
import type { ExplainTransactionOutput } from '../../client/generated.ts';
import { PaymentsError } from '../../client/payments-error.ts';
import { createPrivatePayments } from '../../client/private-payments.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { CheckedPayments } from '../../kit/checked-payments.ts';
import type { Receipt } from '../../kit/payments.ts';
import { SignedMessages } from '../../kit/signed-messages.ts';
import { FINDING_CODES } from '../../payments/explain/finding.ts';
import { systemClock } from '../../ports/clock.ts';
import { findNearest } from '../nearest.ts';
import { decimalsOf, type MintScale, parseAmount } from './amount.ts';
import type { VerbExit } from './exit-codes.ts';
import { explanationLines } from './explanation-lines.ts';
import { readKeypair } from './keypair-file.ts';
import type { Ledgers } from './ledgers.ts';
import { printableLines } from './printable.ts';
import { saysYes } from './says-yes.ts';
import { sessionOf } from './session.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, VerbFailure } from './verb-failure.ts';
import { signerOf } from './wallet-signer.ts';

/** Lamports fit into 20 digits (u64). */
const LAMPORTS = /^\d{1,20}$/;

/** Who signs, and what makes, checks and sends what is signed. */
interface Signing {
  /** The address of the wallet. */
  readonly wallet: string;
  readonly checked: CheckedPayments;
  /** What the wallet has signed a transaction with; null as long as it has signed none. */
  signature(): string | null;
}

/**
 * The wallet of a call, whose key signs what is clear, as asked for, within the limits, and agreed to.
 *
 * @param scale how `--max-amount` is written.
 * @throws {VerbFailure} `unsigned` where nobody could agree; `config`.
 */
export function openSigning(call: VerbCall, ledgers: Ledgers, scale: MintScale | null): Signing {
  const { target, clusters, chain, local } = ledgers;
  const { signer, signature } = signerOf(readKeypair(call), (known) => refuseLanded(chain, known));
  const maxAmount = call.valueOf('max-amount');
  const maxLamports = call.valueOf('max-lamports');
  if (maxLamports !== undefined && !LAMPORTS.test(maxLamports)) {
    throw unusable(`--max-lamports needs a whole number, where it has '${maxLamports}'`);
  }
  const decimals = scale === null ? 0 : decimalsOf(call, scale);
  const checked = new CheckedPayments({
    service: createPrivatePayments({ url: target.service }),
    cluster: target.cluster,
    clusters,
    local,
    session: sessionOf(call, chain, signer),
    signers: [signer],
    limits: {
      ...(maxAmount !== undefined && { maxAmount: parseAmount(maxAmount, decimals, '--max-amount') }),
      ...(maxLamports !== undefined && { maxLamports: BigInt(maxLamports) }),
    },
    accept: readAccepted(call),
    watchRecipients: call.has('watch-recipient') || undefined,
    agree: (explanation) => agree(call, explanation),
    signed: new SignedMessages(),
    ledgers: { base: String(target.base), ephemeral: String(target.rollup) },
    waiting: { clock: systemClock, sleep },
  });
  return { wallet: signer.address, checked, signature };
}

const CODES_LOWER = Object.keys(FINDING_CODES).map((code) => code.toLowerCase());

/** A code that no finding has would accept nothing, and nobody would know. */
function readAccepted(call: VerbCall): ReadonlySet<string> {
  const codes = call.valuesOf('accept');
  const unknown = codes.find((code) => !Object.hasOwn(FINDING_CODES, code));
  if (unknown === undefined) return new Set(codes);
  const nearest = findNearest(unknown, CODES_LOWER)?.toUpperCase();
  const hint = nearest === undefined ? ', which docs/explain.md lists' : `: did you mean ${nearest}?`;
  throw unusable(`--accept needs the code of a caution, where it has '${unknown}'${hint}`);
}

/**
 * Without a terminal nothing is signed that was not agreed to beforehand. Checked before anybody is asked.
 *
 * @throws {VerbFailure} `unsigned`
 */
export function requireConsent(call: VerbCall): void {
  if (call.has('yes') || call.terminal.canAsk) return;
  throw new VerbFailure(
    'unsigned',
    'NOT_CONFIRMED',
    'Nothing was signed: there is no terminal to ask at. Pass --yes to sign whatever is clear and as asked for, and --max-amount to bound it',
  );
}

/**
 * Equal bytes have equal signatures, and a ledger takes each once: a payment that is repeated on the
 * blockhash of the first would be told as landed, and pay nothing.
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
    `This is the transaction of an earlier payment, ${signature}, which the ledger takes once: nothing was sent. Try again in a few seconds to pay once more`,
    { signature },
  );
}

async function agree(call: VerbCall, explanation: ExplainTransactionOutput): Promise<void> {
  if (call.has('yes')) return;
  const { terminal } = call;
  terminal.tell(`${printableLines(explanationLines(explanation))}\n`);
  if (await saysYes(terminal, 'Sign and send it?')) return;
  throw new VerbFailure('unsigned', 'NOT_CONFIRMED', 'Nothing was signed: you did not say yes');
}

/**
 * Does what signs, and reports what became of it.
 *
 * @throws {VerbFailure} `unconfirmed` with the signature where it was signed and no ledger said how it went.
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
  if (outcome !== 'arrived') call.terminal.tell(`${message}\n`);
  return EXITS[outcome];
}

const EXITS = { arrived: 'done', 'moved nothing': 'refused', 'still under way': 'unconfirmed' } as const;

/** A ledger's refusal is final; whatever else goes wrong after signing leaves open what became of it. */
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
      `It was signed, and may have been taken: look ${signature} up before paying again. ${why}`,
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
