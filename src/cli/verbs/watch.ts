import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { type Address, isAddress, parseAddress } from '../../solana/address.ts';
import { LASTING } from '../../solana/commitment.ts';
import { isSignature } from '../../solana/signature.ts';
import { callNode } from './node-rpc.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit, VerbFailure } from './verb-failure.ts';
import { type FeedPlace, follow, type Followed, type Landed } from './watch/follow.ts';

/** Runs `watch [SIGNATURE | ADDRESS]`. It prints a line for each transaction that lands on either ledger. */
export function runWatch(call: VerbCall): Promise<VerbExit> {
  const [word] = call.words;
  if (word === undefined) return follow(call, async () => ({ mentions: null }), line);
  if (isAddress(word)) return follow(call, async () => ({ mentions: [word] }), line);
  if (!isSignature(word)) throw unusable('watch needs a base58 signature or address');
  return follow(call, (places) => findPayment(call, places, word), line);
}

/**
 * Finds the accounts of a payment, and their later transactions.
 *
 * @throws {VerbFailure} `refused` if no ledger shows it.
 */
async function findPayment(
  call: VerbCall,
  places: readonly FeedPlace[],
  signature: string,
): Promise<Followed> {
  for (const place of places) {
    const payment = await findPaymentAt(place, signature);
    if (payment === null) continue;
    const readBefore = () => call.during('Reading the history', readPast(places, payment, call.terminal.log));
    return { mentions: payment.accounts, readBefore };
  }
  throw new VerbFailure(
    'refused',
    'SIGNATURE_NOT_FOUND',
    `No ledger shows ${signature}. A private rollup shows transactions only to their parties: log in with --keypair`,
  );
}

function line({ sendTo, slot, signature, err }: Landed): readonly string[] {
  const outcome = err === null ? 'ok' : `failed ${JSON.stringify(err)}`;
  return [`${sendTo.padEnd(9)}  slot ${slot}  ${signature}  ${outcome}`];
}

/** The members of a `getTransaction` response (`jsonParsed`) that are used here. */
interface Answer {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly { readonly pubkey: string; readonly signer: boolean }[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
  } | null;
}

interface TokenBalance {
  readonly mint: string;
  readonly owner?: string;
  readonly programId?: string;
}

/** A payment that has landed. */
export interface Payment {
  readonly landed: Landed;
  /** Time of the block, in Unix seconds; null if the node does not report it. */
  readonly blockTime: number | null;
  readonly accounts: readonly Address[];
}

/**
 * Finds a payment on a ledger.
 *
 * @returns null if the ledger does not show the transaction.
 * @throws {ServiceError} UPSTREAM_*; {VerbFailure} `unavailable` if its outcome is missing.
 */
export async function findPaymentAt(place: FeedPlace, signature: string): Promise<Payment | null> {
  const config = { encoding: 'jsonParsed', commitment: LASTING, maxSupportedTransactionVersion: 1 };
  const answer = (await callNode(place, 'getTransaction', [signature, config])) as Answer | null;
  if (answer === null) return null;
  const { slot, blockTime, transaction, meta } = answer;
  if (meta === null) {
    const why = `${place.name} shows ${signature} without its outcome: try again, or pass another node`;
    throw new VerbFailure('unavailable', 'UPSTREAM_INVALID', why);
  }
  return {
    landed: { sendTo: place.sendTo, slot, signature, err: meta.err, logs: [] },
    blockTime,
    accounts: accountsOf(transaction, meta),
  };
}

/** Returns each participant's token account and eATA per mint, which exist on both ledgers. */
function accountsOf(
  { message }: Answer['transaction'],
  { preTokenBalances, postTokenBalances }: NonNullable<Answer['meta']>,
): readonly Address[] {
  const balances = [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])];
  const signers = message.accountKeys.filter(({ signer }) => signer);
  const watched = new Set<Address>();
  for (const { mint, programId } of balances) {
    const mintAddress = parseAddress(mint, 'mint');
    // Skip the vault, which takes part in every payment.
    const vault = deriveVault(mintAddress).address;
    const owners = balances.flatMap((each) =>
      each.mint === mint && each.owner !== undefined ? [each.owner] : [],
    );
    for (const owner of new Set([...owners, ...signers.map(({ pubkey }) => pubkey)])) {
      if (owner === vault || programId === undefined) continue;
      const address = parseAddress(owner, 'owner');
      watched.add(deriveAta(address, mintAddress, parseAddress(programId, 'programId')).address);
      watched.add(deriveEata(address, mintAddress).address);
    }
  }
  // Without tokens, watch the signers.
  return watched.size > 0 ? [...watched] : signers.map(({ pubkey }) => parseAddress(pubkey, 'signer'));
}

/** Maximum signatures per response (Agave `MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT`). */
const PAGE = 1_000;

/** Maximum number of past transactions per account and ledger. */
const LOOKED_BACK_MAX = 10_000;

/** An entry of `getSignaturesForAddress`, newest first. */
interface Signed {
  readonly signature: string;
  readonly slot: number;
  /** The index within the block; older nodes omit it. */
  readonly transactionIndex?: number;
  readonly err: unknown;
  /** Time of the block, in Unix seconds; null if the node does not report it. */
  readonly blockTime: number | null;
}

/**
 * Reads a payment and the later transactions of its accounts on both ledgers, in order.
 *
 * @param log reports accounts whose transactions were not all read.
 * @throws {ServiceError} UPSTREAM_*.
 */
export async function readPast(
  places: readonly FeedPlace[],
  payment: Payment,
  log: (text: string) => void,
): Promise<readonly Landed[]> {
  const lists = await Promise.all(
    places.flatMap((place) =>
      payment.accounts.map(async (account) => {
        const { since, isWhole } = await readSince(place, account, payment);
        if (!isWhole) log(tooMuch(place, account, since.length));
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

/** Reads later transactions, newest first, and returns whether the list is complete. */
async function readSince(
  { sendTo, ...node }: FeedPlace,
  account: string,
  { landed, blockTime }: Payment,
): Promise<{ since: readonly Signed[]; isWhole: boolean }> {
  const isOwn = sendTo === landed.sendTo;
  // Slots of two ledgers cannot be compared; their times can.
  const isEarlier = (each: Signed): boolean =>
    isOwn
      ? each.signature === landed.signature || each.slot < landed.slot
      : each.blockTime !== null && blockTime !== null && each.blockTime < blockTime;
  // The payment's own ledger also has the order within a slot.
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

/** Compares by time (unknown last), slot, index in the block, and order in the response. */
function inOrder(one: Signed, other: Signed): number {
  if (one.blockTime !== other.blockTime) return (one.blockTime ?? Infinity) - (other.blockTime ?? Infinity);
  return one.slot - other.slot || (one.transactionIndex ?? 0) - (other.transactionIndex ?? 0);
}

const tooMuch = ({ name }: FeedPlace, account: string, count: number): string =>
  `Only the last ${count} transactions that name ${account} on ${name} are shown: there may be more.\n`;

/** Runs `logs [ADDRESS]`. It prints new program logs of both ledgers. */
export function runLogs(call: VerbCall): Promise<VerbExit> {
  const [address] = call.words;
  if (address !== undefined && !isAddress(address)) throw unusable('logs needs a base58 address');
  const mentions = address === undefined ? null : [address];
  return follow(call, async () => ({ mentions }), linesOf);
}

/** Formats logs as Solana's CLI does, and adds the ledger. */
const linesOf = ({ sendTo, slot, signature, err, logs }: Landed): readonly string[] => [
  `Transaction executed in slot ${slot} of ${sendTo}:`,
  `  Signature: ${signature}`,
  `  Status: ${err === null ? 'Ok' : `Error ${JSON.stringify(err)}`}`,
  '  Log Messages:',
  ...logs.map((each) => `    ${each}`),
];
