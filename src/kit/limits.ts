import type { ExplainTransactionOutput } from '../client/generated.ts';
import type { PaymentLimits } from './options.ts';
import type { RefusalReason } from './transaction-refused.ts';

/** The limits that a transaction does not keep to. */
export function limitReasons(
  explanation: ExplainTransactionOutput,
  limits: PaymentLimits,
  args: Readonly<Record<string, unknown>>,
): RefusalReason[] {
  return [
    ...amountReasons(explanation, limits),
    ...lamportReasons(explanation, limits),
    ...listReasons('mint', limits.mints, mintsOf(explanation)),
    ...listReasons('recipient', limits.recipients, textsIn([args['to']])),
    ...listReasons('validator', limits.validators, fieldsNamed(explanation, 'validator')),
    ...listReasons(
      'program',
      limits.programs,
      explanation.instructions.map(({ programId }) => programId),
    ),
  ];
}

/** What leaves the wallet's balances, by mint: a deposit leaves the one on base. */
function amountReasons({ wallet }: ExplainTransactionOutput, { maxAmount }: PaymentLimits): RefusalReason[] {
  if (maxAmount === undefined) return [];
  const untold = [limit('How many tokens it takes from the wallet cannot be told.')];
  if (wallet === undefined) return untold;
  const leaving = new Map<string, bigint>();
  for (const { mint, change } of wallet.tokens) {
    if (change === null) return untold;
    if (change < 0n) leaving.set(String(mint), (leaving.get(String(mint)) ?? 0n) - change);
  }
  return [...leaving].flatMap(([mint, sum]) =>
    // What cannot be compared is not within it.
    sum <= maxAmount
      ? []
      : [limit(`It takes ${sum} base units of ${mint} from the wallet, and maxAmount is ${maxAmount}.`)],
  );
}

function lamportReasons(
  { wallet }: ExplainTransactionOutput,
  { maxLamports }: PaymentLimits,
): RefusalReason[] {
  if (maxLamports === undefined) return [];
  if (wallet === undefined || wallet.lamportsMin === null) {
    return [limit('How many lamports it takes from the wallet cannot be told.')];
  }
  const most = -wallet.lamportsMin;
  if (most <= maxLamports) return [];
  return [limit(`It may take ${most} lamports from the wallet, and maxLamports is ${maxLamports}.`)];
}

function listReasons(
  what: string,
  allowed: readonly string[] | undefined,
  found: readonly string[],
): RefusalReason[] {
  if (allowed === undefined) return [];
  const others = [...new Set(found)].filter((each) => !allowed.includes(each));
  return others.map((each) => limit(`${each} is not one of limits.${what}s.`));
}

const limit = (message: string): RefusalReason => ({ code: 'LIMIT', message });

const textsIn = (values: readonly unknown[]): string[] => values.filter((each) => typeof each === 'string');

const mintsOf = ({ effects }: ExplainTransactionOutput): string[] =>
  effects.tokens.map(({ mint }) => mint ?? 'A mint that cannot be told');

/** Where a field of that name, or an account in that role, names something. */
const fieldsNamed = ({ instructions }: ExplainTransactionOutput, name: string): string[] =>
  instructions.flatMap(({ fields, accounts }) => [
    ...fields.filter((field) => field.name === name).map(({ value }) => value),
    ...accounts.filter(({ role }) => role === name).map(({ address }) => address),
  ]);
