import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { decodeBase64, encodeBase64 } from '../parts/encodings.ts';
import { readTransaction, splitBlockhash } from '../solana/transaction.ts';
import type { Proposal } from './proposal.ts';

/** Whether a wallet may sign: without a question, after an explicit confirmation, or not yet. */
type Consent = 'free' | 'ask' | 'refused';

/** The parts of an explanation that decide about signing. */
type Checked = Pick<ExplainTransactionOutput, 'verdict' | 'request' | 'simulation'>;

/**
 * The reasons not to sign, one sentence each. Empty if there are none.
 *
 * Unknown verdicts are objections, and so is a missing comparison with the request.
 */
export function objectionsTo({ verdict, request, simulation }: Checked): readonly string[] {
  return [
    ...(verdict === 'clear' || verdict === 'caution' ? [] : ['It contains a dangerous instruction.']),
    ...(request === undefined ? ['It was not compared with a request.'] : []),
    ...(request?.satisfied === 'no' ? ['It does not match the request.'] : []),
    ...(simulation?.status === 'fails' ? ['It would fail if sent now.'] : []),
  ];
}

/** Decides whether a wallet may sign. If there are objections, the user must tick a box first. */
export const consentOf = (explanation: Checked, isTicked: boolean): Consent =>
  objectionsTo(explanation).length === 0 ? 'free' : isTicked ? 'ask' : 'refused';

/** The content that the user agreed to sign. Nothing else is signed. */
export interface Agreed {
  /** `contentOf` the proposal that was shown. */
  readonly content: string;
  /** Whether to sign despite objections. */
  readonly isTicked: boolean;
}

/**
 * Serializes a proposal canonically: signer, ledger, bytes and explanation. Comparing the text ensures that a
 * signature is for what was shown.
 *
 * The whole explanation counts, except for the parts of the simulation that depend on its slot.
 */
export const contentOf = ({ wallet, sendTo, transactionBase64, explanation }: Proposal): string =>
  textOf({ wallet, sendTo, transactionBase64, explanation: withoutSlot(explanation) });

/**
 * Returns whether a proposal equals the one that was shown, except for the blockhash. Its last valid block
 * height must not be earlier, because the page relies on it to report that a transaction expired.
 *
 * @throws {TypeError} if the bytes are not a transaction.
 */
export const isStill = (shown: Proposal, now: Proposal): boolean =>
  now.lastValidBlockHeight >= shown.lastValidBlockHeight &&
  (contentOf(now) === contentOf(shown) || differsInBlockhashAlone(shown, now));

function differsInBlockhashAlone(one: Proposal, other: Proposal): boolean {
  const matter = matterOf(one);
  return matter !== null && matter === matterOf(other);
}

/**
 * Serializes a proposal without its blockhash, which occurs in the bytes, in the explanation and in one
 * claim. Null if one of them has a blockhash other than the proposal's.
 */
function matterOf(proposal: Proposal): string | null {
  const { explanation, recentBlockhash, transactionBase64 } = proposal;
  const bytes = decodeBase64(transactionBase64) ?? new Uint8Array();
  const { blockhash, rest } = splitBlockhash(readTransaction(bytes));
  if (blockhash !== recentBlockhash || blockhash !== explanation.recentBlockhash) return null;
  const { recentBlockhash: _blockhash, request, ...words } = explanation;
  const claims = request?.claims.map((claim) =>
    claim.name === 'blockhash' && claim.message === `blockhash: ${blockhash}`
      ? { ...claim, message: '' }
      : claim,
  );
  const { wallet, sendTo } = proposal;
  return textOf([wallet, sendTo, encodeBase64(rest), withoutSlot(words), { ...request, claims }]);
}

/**
 * Removes the parts of a simulation that change with other transactions: balances, logs and compute units.
 */
function withoutSlot({ simulation, ...rest }: Pick<ExplainTransactionOutput, 'simulation'>): unknown {
  if (simulation === undefined) return rest;
  const { computeUnits: _units, logs: _logs, logsTruncated: _cut, balanceChanges, ...outcome } = simulation;
  const changes = balanceChanges.map(({ before: _before, after: _after, ...change }) => change);
  return { ...rest, simulation: { ...outcome, changes } };
}

/** Serializes a value as JSON with sorted members. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member.toString()}n`;
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
