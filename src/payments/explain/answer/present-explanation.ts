import type { FieldValue } from '../../../programs/instruction-table/field-codec.ts';
import type { Address } from '../../../solana/address.ts';
import type { Transaction, TransactionConfig } from '../../../solana/transaction.ts';
import type { Location } from '../../building/built-transaction.ts';
import type { SimulationSummary } from '../../simulation/with-simulation.ts';
import type { AddressBook } from '../address-book.ts';
import { type CallAccount, roleAt } from '../call.ts';
import { type Effect, type TokenEffect, totalEffects } from '../effects.ts';
import type { ExplainedCall, ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import { networkFeeMax } from '../findings/cost-findings.ts';
import { scaleOf } from '../mint-in-play.ts';
import type { RequestVerdict } from '../request/check-request.ts';
import type { SignerState } from '../signatures.ts';
import { blockhashOf } from '../state/blockhash.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import type { Explanation } from './explanation-schema.ts';

/** The parts of an explanation. */
interface ExplanationParts {
  readonly transaction: Transaction;
  readonly cluster: string;
  readonly location: Location;
  readonly signers: readonly SignerState[];
  readonly explained: ExplainedCalls;
  readonly findings: readonly Finding[];
  readonly book: AddressBook;
  /** Null if no chain was read. */
  readonly facts: ChainFacts | null;
  /** The signer's own wallet, if given. */
  readonly wallet: Address | null;
  readonly request: RequestVerdict | null;
  readonly simulation: SimulationSummary | null;
}

/** Puts an explanation into the form of the result. */
export function presentExplanation(parts: ExplanationParts): Explanation {
  const { transaction, explained, signers, findings, facts, wallet, request, simulation } = parts;
  const effects = presentEffects(parts);
  return {
    verdict: verdictOf(findings, request),
    version: transaction.version === 'legacy' ? 'legacy' : `v${transaction.version}`,
    ...(transaction.config === null ? {} : { config: presentConfig(transaction.config) }),
    size: transaction.wire.length,
    cluster: parts.cluster,
    sendTo: parts.location,
    recentBlockhash: blockhashOf(transaction),
    feePayer: transaction.staticKeys[0] as Address,
    signers: [...signers],
    fullySigned: signers.every(({ signature }) => signature === 'valid'),
    lookupTables: transaction.lookups.map(({ table }) => ({
      address: table,
      read: facts?.tables.has(table) ?? false,
    })),
    instructions: explained.calls.map(presentCall),
    ...(wallet === null
      ? {}
      : {
          wallet: summarizeWallet(
            wallet,
            {
              effects,
              raw: explained.rawEffects,
              present: (total) => presentTokens(total, parts),
            },
            signers,
          ),
        }),
    effects,
    findings: [...findings],
    ...(request === null ? {} : { request: presentRequest(request) }),
    chainRead: facts !== null,
    ...(simulation === null ? {} : { simulation }),
  };
}

const presentRequest = ({ claims, differences, ...verdict }: RequestVerdict) => ({
  ...verdict,
  claims: [...claims],
  differences: [...differences],
});

function verdictOf(findings: readonly Finding[], request: RequestVerdict | null): Explanation['verdict'] {
  const has = (level: Finding['level']): boolean => findings.some((finding) => finding.level === level);
  if (has('danger') || request?.satisfied === 'no') return 'danger';
  return has('caution') || request?.satisfied === 'unverifiable' ? 'caution' : 'clear';
}

function presentCall({ call, program, matched, text }: ExplainedCall, index: number) {
  return {
    index,
    programId: call.program,
    program: program?.name ?? 'unknown',
    action: matched?.form.action ?? 'unknown',
    known: matched !== null,
    text,
    accounts: call.accounts.map((account, at) => ({
      role: matched === null ? 'unknown' : roleAt(matched.form, at),
      address: addressText(account),
      signer: account.signer,
      writable: account.writable,
    })),
    fields:
      matched === null
        ? [{ name: 'data', value: hex(call.data) }]
        : [...matched.fields].map(([name, value]) => ({ name, value: valueText(value) })),
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const addressText = ({ address, entry }: CallAccount): string =>
  address ?? `${entry?.table}[${entry?.index}]`;

function valueText(value: FieldValue): string {
  if (value === null) return 'none';
  return value instanceof Uint8Array ? hex(value) : value.toString();
}

const presentConfig = ({ priorityFee, ...limits }: TransactionConfig): Explanation['config'] => ({
  priorityFeeLamports: priorityFee?.toString() ?? null,
  ...limits,
});

function presentEffects({ transaction, explained, book, facts, location }: ExplanationParts) {
  const { tokens, lamports, creations } = explained.effects;
  const existsAlready = (address: Address): boolean | null =>
    facts === null ? null : (facts.accounts.get(address) ?? null) !== null;
  const created = creations.map(({ address, what, payer, lamports: cost, onlyIfMissing }) => ({
    address,
    what,
    payer,
    lamports: cost?.toString() ?? null,
    onlyIfMissing,
    exists: existsAlready(address),
  }));
  const rents = created.flatMap(({ exists, lamports: cost }) => (exists === true ? [] : cost));
  const rent = rents.reduce<bigint | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + BigInt(cost)),
    0n,
  );
  const fee = networkFeeMax(
    transaction,
    explained.calls.map(({ call }) => call),
  );
  return {
    tokens: tokens.map((total) => presentTokens(total, { book, facts })),
    lamports: lamports.map(({ address, change }) => ({ address, change: change.toString() })),
    accountsCreated: created,
    rentLamportsMax: rent?.toString() ?? null,
    networkFeeLamportsMax: location === 'base' ? fee.toString() : null,
  };
}

function presentTokens(
  { owner, account, mint, location, held, change }: TokenEffect,
  { book, facts }: Pick<ExplanationParts, 'book' | 'facts'>,
) {
  const size = change === null || change >= 0n ? change : -change;
  const figure = size === null ? null : book.figure(size, mint);
  const scale = facts === null ? null : scaleOf(facts.accounts, mint);
  const decimals = mint === null ? undefined : book.mint(mint)?.decimals;
  const shown = size === null || scale === null || decimals === undefined ? null : scale(size, decimals);
  const sign = change !== null && change < 0n ? '-' : '+';
  return {
    owner,
    account,
    mint,
    symbol: mint === null ? null : (book.mint(mint)?.symbol ?? null),
    location,
    held: held ?? null,
    change: change === null ? null : change.toString(),
    figure: figure === null ? null : `${sign}${figure}`,
    uiFigure: shown === null ? null : `${sign}${shown}`,
  };
}

type Effects = Explanation['effects'];
type Wallet = NonNullable<Explanation['wallet']>;

/** The effects from which the summary of a wallet is computed. */
interface WalletEffects {
  readonly effects: Effects;
  readonly raw: readonly Effect[];
  readonly present: (total: TokenEffect) => Wallet['tokens'][number];
}

/**
 * Sums what leaves and enters one wallet over all instructions. The first signer pays the fee. Lamports that
 * its signature takes out of other accounts count as its own, so that they cannot offset what it gives away.
 * SOL that it wraps or unwraps stays its own, so that SOL wrapped for a payment counts once, as tokens.
 */
export function summarizeWallet(
  wallet: Address,
  { effects, raw, present }: WalletEffects,
  signers: readonly SignerState[],
): Wallet {
  const moved = effects.lamports
    .filter(({ address }) => address === wallet)
    .reduce((sum, { change }) => sum + BigInt(change), 0n);
  const rents = effects.accountsCreated.flatMap(({ payer, exists, lamports }) =>
    payer === wallet && exists !== true ? [lamports] : [],
  );
  const rent = rents.reduce((sum, lamports) => sum + BigInt(lamports ?? 0), 0n);
  const spent = raw.reduce(
    (sum, effect) =>
      effect.kind === 'lamports' && effect.spent?.by === wallet && effect.address !== wallet
        ? sum + effect.spent.lamports
        : sum,
    0n,
  );
  const fee = signers[0]?.address === wallet ? BigInt(effects.networkFeeLamportsMax ?? 0) : 0n;
  const own = raw.filter(
    (effect): effect is TokenEffect => effect.kind === 'tokens' && effect.owner === wallet,
  );
  const converted = own.reduce(
    (sum, { isConverted, change }) => (isConverted === true ? sum + (change ?? 0n) : sum),
    0n,
  );
  return {
    address: wallet,
    signs: signers.some(({ address }) => address === wallet),
    tokens: totalEffects(own.filter(({ isConverted }) => isConverted !== true)).tokens.map(present),
    lamportsMin: rents.includes(null) ? null : (moved - spent - rent - fee + converted).toString(),
  };
}
