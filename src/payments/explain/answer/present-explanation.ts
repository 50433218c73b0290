import type { FieldValue } from '../../../programs/instruction-table/field-codec.ts';
import type { Address } from '../../../solana/address.ts';
import type { TransactionConfig } from '../../../solana/transaction.ts';
import {
  type CallAccount,
  roleAt,
  type SignerState,
  sumOf,
  type TokenEffect,
  totalEffects,
} from '../call.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Evidence } from '../gather-evidence.ts';
import type { RequestVerdict } from '../request/check-request.ts';
import { blockhashOf } from '../state/blockhash.ts';
import { scaleOf } from '../state/chain-facts.ts';
import type { Explanation } from './explanation-schema.ts';

interface Results {
  readonly signers: readonly SignerState[];
  readonly findings: readonly Finding[];
  readonly verdict: RequestVerdict | null;
}

/** Builds the result of `explainTransaction`. */
export function presentExplanation(evidence: Evidence, { signers, findings, verdict }: Results): Explanation {
  const { transaction, explained, facts, wallet, simulation } = evidence;
  const effects = presentEffects(evidence);
  const summary = wallet === null ? null : summarizeWallet(wallet, effects, evidence, signers);
  return {
    verdict: verdictOf(findings, verdict),
    version: transaction.version === 'legacy' ? 'legacy' : `v${transaction.version}`,
    ...(transaction.config && { config: presentConfig(transaction.config) }),
    size: transaction.wire.length,
    cluster: evidence.chain.cluster,
    sendTo: evidence.location,
    recentBlockhash: blockhashOf(transaction),
    feePayer: transaction.staticKeys[0] as Address,
    signers: [...signers],
    fullySigned: signers.every(({ signature }) => signature === 'valid'),
    lookupTables: transaction.lookups.map(({ table }) => ({
      address: table,
      read: facts?.tables.has(table) ?? false,
    })),
    instructions: explained.calls.map(presentCall),
    ...(summary && { wallet: summary }),
    effects,
    findings: [...findings],
    ...(verdict && { request: presentRequest(verdict) }),
    chainRead: facts !== null,
    ...(simulation && { simulation: simulation.summary }),
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

function presentEffects({ explained, book, facts, location }: Evidence) {
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
  return {
    tokens: tokens.map((total) => presentTokens(total, { book, facts })),
    lamports: lamports.map(({ address, change }) => ({ address, change: change.toString() })),
    accountsCreated: created,
    rentLamportsMax: rent?.toString() ?? null,
    networkFeeLamportsMax: location === 'base' ? explained.networkFeeMax.toString() : null,
  };
}

function presentTokens(
  { owner, account, mint, location, held, change }: TokenEffect,
  { book, facts }: Pick<Evidence, 'book' | 'facts'>,
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

/**
 * Sums the changes to one wallet over all instructions. The first signer pays the fee. Lamports that the
 * wallet's signature takes from other accounts count as its own, because they must not offset what it gives
 * away. SOL that the wallet wraps or unwraps stays its own, because wrapped payments count as tokens.
 */
export function summarizeWallet(
  wallet: Address,
  effects: Effects,
  { explained: { rawEffects: raw }, book, facts }: Pick<Evidence, 'explained' | 'book' | 'facts'>,
  signers: readonly SignerState[],
): Wallet {
  const moved = effects.lamports.flatMap(({ address, change }) => (address === wallet ? BigInt(change) : []));
  const rents = effects.accountsCreated.flatMap(({ payer, exists, lamports }) =>
    payer === wallet && exists !== true ? [lamports] : [],
  );
  const spent = raw.flatMap((effect) =>
    effect.kind === 'lamports' && effect.spent?.by === wallet && effect.address !== wallet
      ? effect.spent.lamports
      : [],
  );
  const fee = signers[0]?.address === wallet ? BigInt(effects.networkFeeLamportsMax ?? 0) : 0n;
  const own = raw.filter(
    (effect): effect is TokenEffect => effect.kind === 'tokens' && effect.owner === wallet,
  );
  const converted = own.map(({ isConverted, change }) => (isConverted === true ? change : null));
  const paid = sumOf(spent) + sumOf(rents.map((lamports) => BigInt(lamports ?? 0))) + fee;
  return {
    address: wallet,
    signs: signers.some(({ address }) => address === wallet),
    tokens: totalEffects(own.filter(({ isConverted }) => isConverted !== true)).tokens.map((total) =>
      presentTokens(total, { book, facts }),
    ),
    lamportsMin: rents.includes(null) ? null : (sumOf(moved) + sumOf(converted) - paid).toString(),
  };
}
