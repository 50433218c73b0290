import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { AddressBook } from '../payments/explain/address-book.ts';
import type { Finding } from '../payments/explain/finding.ts';
import { type Evidence, gatherEvidence } from '../payments/explain/gather-evidence.ts';
import { readMint } from '../payments/mints/mint-facts.ts';
import { LIGHTHOUSE_PROGRAM } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { isTokenProgram } from '../programs/token/state.ts';
import type { ExactTransfer } from './exact-rules.ts';
import { PaymentRefusal } from './refusal.ts';
import type { VerifiedPayment } from './verified-payment.ts';

/** A payment that satisfies the rules of the scheme, and its ledger. */
interface JudgedPayment extends ExactTransfer {
  readonly chain: Chain;
  readonly ledger: VerifiedPayment['ledger'];
}

/** The explanation of a payment. */
interface SecondOpinion {
  /** Reasons to refuse it, as codes that contain nothing of the payment; empty if both judgments agree. */
  readonly disagreements: readonly string[];
  /** Maximum network fee, in lamports. */
  readonly lamportsMax: bigint;
}

/**
 * Explains a payment independently of the scheme's rules, and simulates it on its ledger. The explanation
 * must show exactly that the payer loses the amount and the recipient gets it.
 *
 * @throws {PaymentRefusal} if the simulation fails or is refused.
 * @throws {ServiceError} UPSTREAM_UNAVAILABLE if the ledger cannot be read.
 */
export async function explainPayment(payment: JudgedPayment): Promise<SecondOpinion> {
  const { transaction, chain, payer, payTo, mint } = payment;
  const book = new AddressBook();
  // A rollup hides private accounts, whose owners then follow only from their addresses.
  book.deriveHoldings([payer, payTo], [mint]);
  const isOnBase = payment.ledger === 'base';
  const evidence = await gatherEvidence(
    {
      transaction,
      chain,
      book,
      request: null,
      location: isOnBase ? 'base' : 'ephemeral',
      token: undefined,
      rollupToken: undefined,
      wallet: null,
      sponsor: null,
      isBusy: true,
    },
    false,
  );
  await requireSimulation(evidence, payment);
  const { explained, report, simulation } = evidence;
  const findings = [...explained.findings, ...report.findings, ...(simulation?.findings ?? [])];
  return {
    disagreements: [
      ...findings.filter((finding) => isAgainst(finding, evidence)).map(({ code }) => code),
      ...(movesOnlyPayment(evidence, payment) ? [] : ['OTHER_EFFECTS']),
    ],
    lamportsMax: isOnBase ? explained.networkFeeMax : 0n,
  };
}

async function requireSimulation({ simulation, chain }: Evidence, payment: JudgedPayment): Promise<void> {
  const { status, error } = simulation?.summary ?? { status: 'unavailable' };
  if (status === 'succeeds') return;
  // A rollup asks for a login if the payer's signature does not show private accounts.
  if (status === 'unavailable' && error?.name !== 'MISSING_AUTH_TOKEN') {
    throw new ServiceError(
      'UPSTREAM_UNAVAILABLE',
      `The payment could not be checked, because a ledger of cluster ${chain.cluster} did not answer; try again`,
    );
  }
  throw new PaymentRefusal(
    'invalid_exact_svm_transaction_simulation_failed',
    `The payment cannot be settled: ${(await missingAccount(payment)) ?? error?.message}`,
  );
}

/** Describes which party of a payment on base has no token account; null if both have one. */
async function missingAccount({ chain, ledger, payer, payTo, mint }: JudgedPayment): Promise<string | null> {
  if (ledger !== 'base') return null;
  const { tokenProgram } = await readMint(chain, mint);
  const owners = [payer, payTo];
  const accounts = await chain.getAccounts(
    owners.map((owner) => deriveAta(owner, mint, tokenProgram).address),
  );
  const at = accounts.findIndex((account) => account === null || !isTokenProgram(account.owner));
  if (at < 0) return null;
  const who = at === 0 ? `the payer ${payer}` : `payTo ${payTo}`;
  return `${who} has no token account for mint ${mint}: send it tokens of that mint first`;
}

/** Only the calls of Lighthouse are unknown to `explain` and allowed: they assert, and move nothing. */
function isAgainst({ level, code, instruction }: Finding, { explained }: Evidence): boolean {
  const { call } = (instruction === undefined ? undefined : explained.calls[instruction]) ?? {};
  return level === 'danger' && !(code === 'UNKNOWN_PROGRAM' && call?.program === LIGHTHOUSE_PROGRAM);
}

/** Whether the only effects are that the payer loses the amount and the recipient gets all of it. */
function movesOnlyPayment({ explained, location }: Evidence, payment: ExactTransfer): boolean {
  const { tokens, lamports, creations } = explained.effects;
  const { payer, payTo, mint, amount } = payment;
  const moves = (owner: string, change: bigint): boolean =>
    tokens.some(
      (effect) =>
        effect.owner === owner &&
        effect.mint === mint &&
        effect.change === change &&
        effect.location === location &&
        effect.held === undefined &&
        effect.later === undefined,
    );
  return (
    tokens.length === 2 &&
    lamports.length === 0 &&
    creations.length === 0 &&
    moves(payer, -amount) &&
    moves(payTo, amount)
  );
}
