import type { MintCaps, SpendingPolicy } from './policy.ts';
import type { Spending } from './spending.ts';

/** A rule that a payment breaks, or for which it needs an approval. */
interface Breach {
  /**
   * Path of the rule: `mints.<mint>.payment`, `.hour`, `.day` or `.askAbove`, `mints` for a mint that is
   * not listed, `recipients`, `programs`, `validators`, `accept` for a caution, `danger`, `unverified` or
   * `dryRun`.
   */
  readonly rule: string;
  /** The amount in base units, the address, or the code of the finding that the rule does not allow. */
  readonly figure: string;
  /** Base units that the rule still allows; null for rules without an amount. */
  readonly left: bigint | null;
  readonly message: string;
}

/** Something unusual about a payment that is no breach. */
interface Caution {
  /** A code of the explanation, `RECIPIENT_NEW` or `RECIPIENT_RESEMBLES`. */
  readonly code: string;
  readonly message: string;
}

/** The verdict on a payment. `ask` means that it is allowed once a person approves it. */
export type Judgment =
  | { readonly kind: 'allow'; readonly cautions: readonly Caution[] }
  | {
      readonly kind: 'ask' | 'refuse';
      readonly breaches: readonly Breach[];
      readonly cautions: readonly Caution[];
    };

/** Describes why a payment is not allowed. */
export const describeBreaches = ({ breaches }: { readonly breaches: readonly Breach[] }): string =>
  breaches.map(({ message }) => message).join(' ');

/** Earlier payments. */
export interface Past {
  /** Base units of the last hour and day, by mint. */
  readonly hour: ReadonlyMap<string, bigint>;
  readonly day: ReadonlyMap<string, bigint>;
  /** Returns the recipients of earlier payments with the same {@link shapeOf}. */
  readonly resembling: (recipient: string) => readonly string[];
}

/**
 * Returns the part of an address that people compare. An address that someone generates to be mistaken for
 * another one has the same start and end (address poisoning).
 */
export const shapeOf = (address: string): string => `${address.slice(0, 4)} ${address.slice(-4)}`;

/** Judges a payment by its explanation and the earlier payments. */
export function judgeSpending(policy: SpendingPolicy, spending: Spending, past: Past): Judgment {
  const cautions = cautionsOf(policy, spending, past);
  const refusals = [
    ...findingBreaches(spending),
    ...[...spending.amounts].flatMap(([mint, amount]) => amountBreaches(policy, mint, amount, past)),
    ...listBreaches('recipients', policy.recipients, [
      ...spending.recipients,
      ...(spending.hidesRecipient ? ['an encrypted recipient'] : []),
    ]),
    ...listBreaches('programs', policy.programs, spending.programs),
    ...listBreaches('validators', policy.validators, spending.validators),
  ];
  if (refusals.length > 0) return { kind: 'refuse', breaches: refusals, cautions };
  if (policy.dryRun === true) return { kind: 'refuse', breaches: [DRY_RUN], cautions };
  const questions = [
    ...[...spending.amounts].flatMap(([mint, amount]) => questionOf(policy, mint, amount)),
    ...cautions
      .filter(({ code }) => policy.accept?.includes(code) !== true)
      .map(({ code, message }) => ({ rule: 'accept', figure: code, left: null, message })),
  ];
  return questions.length > 0 ? { kind: 'ask', breaches: questions, cautions } : { kind: 'allow', cautions };
}

const DRY_RUN: Breach = {
  rule: 'dryRun',
  figure: 'true',
  left: null,
  message: 'The payment breaks no rule, but dryRun rejects all payments.',
};

function findingBreaches({ isKnown, findings }: Spending): Breach[] {
  const dangers = findings
    .filter(({ level }) => level === 'danger')
    .map(({ code, message }) => ({ rule: 'danger', figure: code, left: null, message }));
  if (isKnown) return dangers;
  const message = 'The ledger does not show everything that the transaction takes from the wallet.';
  return [...dangers, { rule: 'unverified', figure: 'unknown', left: null, message }];
}

/** Returns the caps of a mint. A mint is not a member that every object has. */
const capsOf = ({ mints }: SpendingPolicy, mint: string): MintCaps | undefined =>
  Object.hasOwn(mints, mint) ? mints[mint] : undefined;

function amountBreaches(policy: SpendingPolicy, mint: string, amount: bigint, past: Past): Breach[] {
  const caps = capsOf(policy, mint);
  if (caps === undefined) {
    const message = `The payment takes ${amount} base units of ${mint}, which is not in mints.`;
    return [{ rule: 'mints', figure: String(amount), left: 0n, message }];
  }
  return [
    ...capBreach(`mints.${mint}.payment`, caps.payment, 0n, amount),
    ...capBreach(`mints.${mint}.hour`, caps.hour, past.hour.get(mint) ?? 0n, amount),
    ...capBreach(`mints.${mint}.day`, caps.day, past.day.get(mint) ?? 0n, amount),
  ];
}

function capBreach(rule: string, cap: bigint | undefined, spent: bigint, amount: bigint): Breach[] {
  if (cap === undefined || spent + amount <= cap) return [];
  const left = spent < cap ? cap - spent : 0n;
  const message = `The payment takes ${amount} base units, but only ${left} of ${rule} = ${cap} are left.`;
  return [{ rule, figure: String(amount), left, message }];
}

function questionOf(policy: SpendingPolicy, mint: string, amount: bigint): Breach[] {
  const askAbove = capsOf(policy, mint)?.askAbove;
  if (askAbove === undefined || amount <= askAbove) return [];
  const rule = `mints.${mint}.askAbove`;
  const message = `The payment takes ${amount} base units. Above ${rule} = ${askAbove} a person must approve it.`;
  return [{ rule, figure: String(amount), left: askAbove, message }];
}

function listBreaches(
  rule: string,
  allowed: readonly string[] | undefined,
  found: readonly string[],
): Breach[] {
  if (allowed === undefined) return [];
  return found
    .filter((each) => !allowed.includes(each))
    .map((each) => ({ rule, figure: each, left: null, message: `${each} is not in ${rule}.` }));
}

/** Lists the cautions of the explanation, and those of recipients without an earlier payment. */
function cautionsOf({ recipients }: SpendingPolicy, spending: Spending, past: Past): Caution[] {
  return [
    ...spending.findings
      .filter(({ level }) => level === 'caution')
      .map(({ code, message }) => ({ code, message })),
    ...spending.recipients.flatMap((recipient) =>
      recipients?.includes(recipient) === true ? [] : recipientCaution(recipient, past),
    ),
  ];
}

function recipientCaution(recipient: string, { resembling }: Past): Caution[] {
  const earlier = resembling(recipient);
  if (earlier.includes(recipient)) return [];
  const [other] = earlier;
  if (other === undefined) {
    return [{ code: 'RECIPIENT_NEW', message: `${recipient} has never been paid before.` }];
  }
  const message = `${recipient} has never been paid before, but starts and ends like ${other}, which has. Compare every character.`;
  return [{ code: 'RECIPIENT_RESEMBLES', message }];
}
