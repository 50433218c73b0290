import { LASTING } from '../../../solana/commitment.ts';
import { callNode } from '../node-rpc.ts';
import type { FeedPlace, Landed } from './feed.ts';
import type { Payment } from './watched.ts';

/** Most signatures per answer (Agave `MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT`). */
const PAGE = 1_000;

/** Transactions of an account on a ledger that are looked back at. */
const LOOKED_BACK_MAX = 10_000;

/** What `getSignaturesForAddress` answers of each, newest first. */
interface Signed {
  readonly signature: string;
  readonly slot: number;
  /** The place within the block; older nodes do not tell it. */
  readonly transactionIndex?: number;
  readonly err: unknown;
  /** Unix seconds; null where the node does not know it. */
  readonly blockTime: number | null;
}

/**
 * A payment and what has happened since in its accounts on both ledgers, in order.
 *
 * @param tell says of which accounts not all is looked back at.
 * @throws {ServiceError} UPSTREAM_*.
 */
export async function readPast(
  places: readonly FeedPlace[],
  payment: Payment,
  tell: (text: string) => void,
): Promise<readonly Landed[]> {
  const lists = await Promise.all(
    places.flatMap((place) =>
      payment.accounts.map(async (account) => {
        const { since, isWhole } = await readSince(place, account, payment);
        if (!isWhole) tell(tooMuch(place, account, since.length));
        return since.toReversed().map((each) => ({ sendTo: place.sendTo, each }));
      }),
    ),
  );
  const found = new Map(lists.flat().map((one) => [`${one.sendTo} ${one.each.signature}`, one]));
  const later = [...found.values()].sort((one, other) => inOrder(one.each, other.each));
  return [
    payment.landed,
    ...later.map(({ sendTo, each: { slot, signature, err } }) => ({
      sendTo,
      slot,
      signature,
      err,
      logs: [],
    })),
  ];
}

/** What is later than the payment, newest first, and whether that is all. */
async function readSince(
  { sendTo, ...node }: FeedPlace,
  account: string,
  { landed, blockTime }: Payment,
): Promise<{ since: readonly Signed[]; isWhole: boolean }> {
  const isOwn = sendTo === landed.sendTo;
  // Slots of one ledger are in order; those of two are not, and only their time tells.
  const isEarlier = (each: Signed): boolean =>
    isOwn
      ? each.signature === landed.signature || each.slot < landed.slot
      : each.blockTime !== null && blockTime !== null && each.blockTime < blockTime;
  // Its own ledger knows what comes after it within its slot, also in accounts that it does not name.
  const bound = { limit: PAGE, commitment: LASTING, ...(isOwn && { until: landed.signature }) };
  const since: Signed[] = [];
  while (since.length < LOOKED_BACK_MAX) {
    const before = since.at(-1)?.signature;
    const config = { ...bound, ...(before !== undefined && { before }) };
    const page = (await callNode(node, 'getSignaturesForAddress', [account, config])) as readonly Signed[];
    const end = page.findIndex(isEarlier);
    since.push(...(end === -1 ? page : page.slice(0, end)));
    if (end !== -1 || page.length < PAGE) return { since, isWhole: true };
  }
  return { since, isWhole: false };
}

/** What has no time comes last; within a slot, the place in the block decides, else that in the answer. */
function inOrder(one: Signed, other: Signed): number {
  if (one.blockTime !== other.blockTime) return (one.blockTime ?? Infinity) - (other.blockTime ?? Infinity);
  return one.slot - other.slot || (one.transactionIndex ?? 0) - (other.transactionIndex ?? 0);
}

const tooMuch = ({ name }: FeedPlace, account: string, count: number): string =>
  `Only the last ${count} transactions that name ${account} on ${name} are looked back at: there may be more since.\n`;
