import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { decodeBase64, encodeBase64 } from '../parts/encodings.ts';
import { readTransaction, splitBlockhash } from '../solana/transaction.ts';
import type { Proposal } from './proposal.ts';

/** Whether a wallet may sign, and what has to happen first. */
type Consent = 'free' | 'ask' | 'refused';

/** What a decision to sign goes by. */
type Checked = Pick<ExplainTransactionOutput, 'verdict' | 'request' | 'simulation'>;

/**
 * What speaks against signing, a sentence each; none where nothing does.
 *
 * Only a verdict that is known to be harmless counts as one, and only beside a comparison with the request.
 */
export function objectionsTo({ verdict, request, simulation }: Checked): readonly string[] {
  return [
    ...(verdict === 'clear' || verdict === 'caution' ? [] : ['It contains a dangerous instruction.']),
    ...(request === undefined ? ['It was not compared with a request.'] : []),
    ...(request?.satisfied === 'no' ? ['It does not match the request.'] : []),
    ...(simulation?.status === 'fails' ? ['It would fail if sent now.'] : []),
  ];
}

/**
 * What stands before a signature: nothing, or a box that has to be ticked. An objection stops it until someone
 * says that it is to be signed all the same.
 */
export const consentOf = (explanation: Checked, isTicked: boolean): Consent =>
  objectionsTo(explanation).length === 0 ? 'free' : isTicked ? 'ask' : 'refused';

/** What someone agreed to sign: nothing else is signed. */
export interface Agreed {
  /** All of it, as `contentOf` wrote it when it was shown. */
  readonly content: string;
  /** Whether it is to be signed whatever speaks against it. */
  readonly isTicked: boolean;
}

/**
 * What a proposal is, as a text that is the same for the same: who signs, where it goes, every byte, and the
 * explanation that was looked at, so that a signature is for what was shown.
 *
 * All of the explanation counts: verdict, findings, differences, instructions, effects, created accounts,
 * rent and fee, and that it was compared and tried at all. Only what a trial tells of its slot may differ.
 */
export const contentOf = ({ wallet, sendTo, transactionBase64, explanation }: Proposal): string =>
  textOf({ wallet, sendTo, transactionBase64, explanation: withoutSlot(explanation) });

/**
 * Whether a proposal is still the one that was shown: the same, or the same in every byte and every word but the
 * blockhash. Its last block height is not earlier: the page goes by that when it says that nothing moved.
 *
 * @throws {TypeError} for bytes that are no transaction.
 */
export const isStill = (shown: Proposal, now: Proposal): boolean =>
  now.lastValidBlockHeight >= shown.lastValidBlockHeight &&
  (contentOf(now) === contentOf(shown) || differsInBlockhashAlone(shown, now));

function differsInBlockhashAlone(one: Proposal, other: Proposal): boolean {
  const matter = matterOf(one);
  return matter !== null && matter === matterOf(other);
}

/**
 * All of a proposal but its blockhash, which is left out only of the three places where it is one: the bytes,
 * the explanation's member for it, and what was compared with it. Null where these name another than the builder.
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

/** What others do meanwhile moves balances from where they were, and a trial's log and units with them. */
function withoutSlot({ simulation, ...rest }: Pick<ExplainTransactionOutput, 'simulation'>): unknown {
  if (simulation === undefined) return rest;
  const { computeUnits: _units, logs: _logs, logsTruncated: _cut, balanceChanges, ...outcome } = simulation;
  const changes = balanceChanges.map(({ before: _before, after: _after, ...change }) => change);
  return { ...rest, simulation: { ...outcome, changes } };
}

/** A text that is the same for the same content, in whatever order its members came. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member.toString()}n`;
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
