import { createClient } from '@solana/kit';
import { type as typeVerb } from '../../src/cli/verbs/testing/typed.ts';
import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { PaymentsError } from '../../src/client/payments-error.ts';
import type { Layout } from '../../src/chain/chain.ts';
import { privatePayments, TransactionRefused } from '../../src/kit/index.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import type { RunningApp } from '../client/running-app.ts';
import { HELD, type Condition, type Route } from './cases.ts';
import { Party, type Balances } from './party.ts';

/** The client that signs and sends. */
export type Face = 'plugin' | 'command line';

/** All cautions that a caller can accept. Only dangers and differences still stop a payment. */
const ACCEPTED = [
  'ARRIVAL_UNPROVEN',
  'REQUEST_UNVERIFIABLE',
  'SEALED_RECIPIENT',
  'SETTLEMENT_REQUESTED',
  'HOLDER_UNSEEN',
];

/** The explanations, outcome and effects of one payment. */
export interface Row {
  readonly route: Route;
  readonly condition: Condition;
  readonly face: Face;
  /** Error code of the builder; null if it succeeded. */
  readonly refusal: string | null;
  /** The explanations without and with the sender's bearer token. */
  readonly explained: readonly ExplainTransactionOutput[];
  /** The outcome of the receipt, or the error code. */
  readonly outcome: string;
  /** Base units in the explanation, and those that moved, by party and ledger. */
  readonly expected: Readonly<Record<string, bigint>>;
  readonly moved: Readonly<Record<string, bigint>>;
  /** Reads the balance changes so far. */
  readonly look: () => Promise<Readonly<Record<string, bigint>>>;
}

/** Prepares a condition, pays with a client, and records the results. */
export async function playRow(
  app: RunningApp,
  folder: string,
  { layout, route, condition, face }: { layout: Layout; route: Route; condition: Condition; face: Face },
): Promise<Row> {
  const [sender, recipient] = [await Party.create(app, folder), await Party.create(app, folder)];
  await prepare(sender, recipient, route, condition);
  const args = argumentsOf(route, condition, sender.address, recipient.address);
  const path = `spl/${route.operation === 'undelegate' ? 'undelegate-ephemeral-ata' : route.operation}`;
  const built = await settledCall(sender, path, args);
  const refusal = built['code'] === undefined ? null : String(built['code']);
  const request = { operation: route.operation, arguments: args };
  const { transactionBase64, sendTo } = built;
  const explain = async (isAnonymous: boolean) =>
    (await sender.call(
      'transaction/explain',
      { transactionBase64, sendTo, request },
      isAnonymous,
    )) as unknown as ExplainTransactionOutput;
  const explained = refusal === null ? [await explain(true), await explain(false)] : [];
  const before = await bothBalances(sender, recipient);
  const pay = face === 'plugin' ? payByPlugin : payByCommand;
  const outcome = await pay(app, layout, sender, route, args);
  const look = async () => {
    const now = await bothBalances(sender, recipient);
    return Object.fromEntries(
      Object.entries(now).map(([name, amount]) => [name, amount - (before[name] ?? 0n)]),
    );
  };
  return {
    route,
    condition,
    face,
    refusal,
    explained,
    outcome,
    expected: namedEffects(explained[1], sender, recipient),
    moved: {},
    look,
  };
}

/** Calls the service until a pending undelegation is settled. Until then, it rejects the request. */
async function settledCall(sender: Party, path: string, args: object) {
  for (;;) {
    const built = await sender.call(path, args);
    if (built['code'] !== 'EATA_SETTLING') return built;
  }
}

async function prepare(sender: Party, recipient: Party, route: Route, condition: Condition): Promise<void> {
  const isPayment = route.operation === 'transfer';
  const isPoor = condition === 'zero left';
  const lacksSender = condition === 'no account' && !isPayment;
  const usesRollup = route.from !== 'base';
  if (!lacksSender) {
    await sender.setTokens({ amount: usesRollup ? HELD * 2 : isPoor ? 0 : HELD + (route.fee ?? 0) });
    if (usesRollup) await sender.do('spl/deposit', deposit(sender, HELD));
  }
  if (isPayment ? condition !== 'no account' : isPoor && usesRollup) {
    await recipient.setTokens({ amount: HELD });
    await recipient.do('spl/deposit', deposit(recipient, 1));
  }
  if (isPoor && usesRollup) await sender.do('spl/transfer', onRollup(sender, recipient, HELD));
  if (route.from === 'returned' && !lacksSender) {
    await sender.do('spl/undelegate-ephemeral-ata', { payer: sender.address, mint: USDC_MINT });
  }
  if (condition === 'frozen') await (isPayment ? recipient : sender).setTokens({ state: 'frozen' });
}

const deposit = (owner: Party, amount: number) => ({
  owner: owner.address,
  amount,
  mint: USDC_MINT,
  initVaultIfMissing: true,
});

const onRollup = (from: Party, to: Party, amount: number) => ({
  from: from.address,
  to: to.address,
  mint: USDC_MINT,
  amount,
  visibility: 'private',
  fromBalance: 'ephemeral',
  toBalance: 'ephemeral',
});

function argumentsOf(
  { operation, from, to, isPublic }: Route,
  condition: Condition,
  owner: string,
  payee: string,
) {
  if (operation === 'undelegate') return { payer: owner, mint: USDC_MINT as string };
  const amount = condition === 'one too much' ? HELD + 1 : HELD;
  const common = { mint: USDC_MINT as string, amount };
  if (operation === 'deposit') return { ...common, owner, initVaultIfMissing: true };
  if (operation === 'withdraw') return { ...common, owner };
  return {
    ...common,
    from: owner,
    to: payee,
    visibility: isPublic === true ? 'public' : 'private',
    fromBalance: from === 'base' ? 'base' : 'ephemeral',
    toBalance: to,
  };
}

async function payByPlugin(
  app: RunningApp,
  layout: Layout,
  sender: Party,
  { operation }: Route,
  args: object,
): Promise<string> {
  const { payments } = createClient({ payer: sender.signer }).use(
    privatePayments({
      url: app.serviceUrl,
      base: app.ledgerUrl,
      rollup: app.rollupUrl,
      layout,
      accept: ACCEPTED,
    }),
  );
  try {
    const pay = payments[operation] as (own: object) => Promise<{ outcome: string }>;
    const { owner: _owner, from: _from, payer: _payer, ...own } = args as Record<string, unknown>;
    return (await pay(own)).outcome;
  } catch (error) {
    if (error instanceof TransactionRefused) {
      return `not signed (${error.reasons.map(({ code }) => code).join(', ')})`;
    }
    if (error instanceof PaymentsError) return `refused (${error.code})`;
    throw error;
  } finally {
    await payments.close();
  }
}

async function payByCommand(
  app: RunningApp,
  layout: Layout,
  sender: Party,
  { operation, from, to, isPublic }: Route,
  args: object,
): Promise<string> {
  const { amount, to: payee } = args as { amount?: number; to?: string };
  const sides = ['--from-balance', from, '--to-balance', to, ...(isPublic === true ? ['--public'] : [])];
  const words = {
    deposit: ['deposit', `${amount}`, '--base-units'],
    withdraw: ['withdraw', `${amount}`, '--base-units'],
    undelegate: ['undelegate'],
    transfer: ['pay', `${payee}`, `${amount}`, '--base-units', ...sides],
  }[operation];
  const places = ['--service', app.serviceUrl, '--url', app.ledgerUrl, '--rollup', app.rollupUrl];
  const accepted = ACCEPTED.flatMap((code) => ['--accept', code]);
  const options = ['--layout', layout, '-k', sender.file, '--yes', '--json', ...accepted];
  const { code, stdout, stderr } = await typeVerb([...words, ...places, ...options]);
  if (stdout !== '') {
    const { outcome } = JSON.parse(stdout) as { outcome: string };
    return code === { arrived: 0, 'moved nothing': 65 }[outcome] || code === 74
      ? outcome
      : `${outcome}, but ${code}`;
  }
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
  return `exit ${code} (${error.code}: ${error.message})`;
}

const named = (who: string, { base, ephemeral }: Balances): Record<string, bigint> => ({
  [`${who} base`]: base,
  [`${who} ephemeral`]: ephemeral,
});

const bothBalances = async (sender: Party, recipient: Party): Promise<Record<string, bigint>> => ({
  ...named('sender', await sender.balances()),
  ...named('recipient', await recipient.balances()),
});

/** Returns the changes of sender and recipient in an explanation. Sealed amounts count as the recipient's. */
function namedEffects(
  explanation: ExplainTransactionOutput | undefined,
  sender: Party,
  recipient: Party,
): Record<string, bigint> {
  const none = { base: 0n, ephemeral: 0n };
  const effects = { ...named('sender', none), ...named('recipient', none) };
  for (const { owner, location, held, change } of explanation?.effects.tokens ?? []) {
    if (held === 'vault' || change === null) continue;
    const isSenders = owner === sender.address;
    if (!isSenders && owner !== recipient.address && held !== 'sealed') continue;
    const name = `${isSenders ? 'sender' : 'recipient'} ${location}`;
    effects[name] = (effects[name] ?? 0n) + BigInt(change);
  }
  return effects;
}
