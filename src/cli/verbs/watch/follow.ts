import type { VerbExit } from '../exit-codes.ts';
import { readKeypair } from '../keypair-file.ts';
import { type Ledgers, withLedgers } from '../ledgers.ts';
import { sessionOf } from '../session.ts';
import type { VerbCall } from '../verb-call.ts';
import { unusable } from '../verb-failure.ts';
import { signerOf } from '../wallet-signer.ts';
import { type FeedPlace, type Landed, openFeed } from './feed.ts';

/** Signatures that are remembered, so that none is shown twice. */
const REMEMBERED_MAX = 10_000;

/** Shows transactions, each once. */
interface OnceShown {
  show(landed: Landed): void;
  /** Resolves when as many as are wanted have been shown. */
  readonly reached: Promise<void>;
  /** Shows nothing any more. */
  end(): void;
}

/**
 * Shows each transaction of a ledger once, where its past and what is heard of it overlap.
 *
 * @param countMax how many are shown; Infinity for all, of which the last 10,000 are remembered.
 */
function showOnce(countMax: number, print: (landed: Landed) => void): OnceShown {
  const shown = new Set<string>();
  let left = countMax;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return {
    show(landed) {
      const key = `${landed.sendTo} ${landed.signature}`;
      if (left === 0 || shown.has(key)) return;
      shown.add(key);
      if (countMax === Infinity && shown.size > REMEMBERED_MAX) forgetOldest(shown);
      left -= 1;
      print(landed);
      if (left === 0) reach();
    },
    reached,
    end: () => void (left = 0),
  };
}

function forgetOldest(shown: Set<string>): void {
  for (const oldest of shown) {
    shown.delete(oldest);
    return;
  }
}

/** What is to be followed, once the ledgers are known. */
export interface Followed {
  /** Addresses of which a transaction names one; null for all transactions. */
  readonly mentions: readonly string[] | null;
  /** What has happened already, which is shown first; absent where only what lands from now on is. */
  readonly readBefore?: () => Promise<readonly Landed[]>;
}

/** How a transaction is shown. */
type Lines = (landed: Landed) => readonly string[];

/**
 * Shows what lands on both ledgers, until it is stopped, `--count` is reached, or nobody reads what it shows.
 * With a key that `--keypair` names it logs in at the rollup, and sees what that wallet may see there.
 *
 * @throws {VerbFailure} `unavailable` when a ledger is not to be heard any more.
 */
export function follow(
  call: VerbCall,
  find: (places: readonly FeedPlace[]) => Promise<Followed>,
  lines: Lines,
): Promise<VerbExit> {
  const countMax = readCount(call);
  return withLedgers(call, async (ledgers) => {
    const places = await placesOf(call, ledgers);
    const { mentions, readBefore } = await find(places);
    const { show, reached, end } = showOnce(countMax, (landed) => call.report(landed, lines(landed)));
    const heard: Landed[] = [];
    let hear = (landed: Landed): void => void heard.push(landed);
    const feeds = places.map((place) => openFeed(place, mentions, (landed) => hear(landed)));
    const showing = async (): Promise<void> => {
      await Promise.all(feeds.map(({ listening }) => listening));
      call.terminal.tell('Listening; Ctrl+C ends it.\n');
      // Read once everything that lands is heard: nothing falls between the two.
      const before = (await readBefore?.()) ?? [];
      for (const landed of [...before, ...heard]) show(landed);
      hear = show;
      await reached;
    };
    try {
      await Promise.race([showing(), call.terminal.outputClosed, ...feeds.map(({ ended }) => ended)]);
      return 'done';
    } finally {
      end();
      for (const feed of feeds) feed.close();
    }
  });
}

function readCount(call: VerbCall): number {
  const text = call.valueOf('count');
  if (text === undefined) return Infinity;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw unusable('--count needs a whole number from 1 to 999999');
}

async function placesOf(call: VerbCall, { target, chain }: Ledgers): Promise<readonly FeedPlace[]> {
  const { cluster, base, rollup } = target;
  const places: FeedPlace[] = [{ sendTo: 'base', name: `the base ledger of ${cluster}`, url: base }];
  if (rollup === null) return places;
  const url = new URL(rollup);
  if (call.has('keypair')) {
    const token = await sessionOf(call, chain, signerOf(readKeypair(call)).signer).token();
    if (token !== undefined) url.searchParams.set('token', token);
  }
  return [...places, { sendTo: 'ephemeral', name: `the rollup of ${cluster}`, url }];
}
