import { WebSocket } from 'ws';
import { webSocketUrl } from '../../../config/web-socket-url.ts';
import { tryParseJson } from '../../../json/parse-json.ts';
import { LASTING } from '../../../solana/commitment.ts';
import { type Ledgers, withLedgers } from '../ledgers.ts';
import type { VerbCall } from '../verb-call.ts';
import { unusable, type VerbExit, VerbFailure } from '../verb-failure.ts';
import { sessionOf, signerOf } from '../wallet-signer.ts';
import { readKeypair } from '../wallet.ts';

/** Number of remembered signatures. They prevent duplicates. */
const REMEMBERED_MAX = 10_000;

interface OnceShown {
  show(landed: Landed): void;
  /** Resolves when `countMax` transactions have been shown. */
  readonly reached: Promise<void>;
  end(): void;
}

/**
 * Prints each transaction once, because the past transactions and the feed overlap.
 *
 * @param countMax maximum number to show; Infinity for no limit. Only the last 10,000 are remembered.
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

/** The transactions to follow. */
export interface Followed {
  /** The addresses to follow; null to follow all transactions. */
  readonly mentions: readonly string[] | null;
  /** Reads the earlier transactions, which are shown first. */
  readonly readBefore?: () => Promise<readonly Landed[]>;
}

/**
 * Shows transactions that land on both ledgers, until it is stopped, `--count` is reached, or the output
 * closes. With `--keypair`, it logs in to the rollup and also shows transactions that the wallet may see.
 *
 * @throws {VerbFailure} `unavailable` if a connection fails.
 */
export function follow(
  call: VerbCall,
  find: (places: readonly FeedPlace[]) => Promise<Followed>,
  lines: (landed: Landed) => readonly string[],
): Promise<VerbExit> {
  const countMax = readCount(call);
  return withLedgers(call, async (ledgers) => {
    const places = await placesOf(call, ledgers);
    const { mentions, readBefore } = await find(places);
    const { show, reached, end } = showOnce(countMax, (landed) => call.report(landed, lines(landed)));
    const received: Landed[] = [];
    let onLanded = (landed: Landed): void => void received.push(landed);
    const feeds = places.map((place) => openFeed(place, mentions, (landed) => onLanded(landed)));
    const showing = async (): Promise<void> => {
      await Promise.all(feeds.map(({ listening }) => listening));
      call.terminal.log('Listening. Press Ctrl+C to stop.\n');
      // Read after the subscription starts, so that no transaction is missed.
      const before = (await readBefore?.()) ?? [];
      for (const landed of [...before, ...received]) show(landed);
      onLanded = show;
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

/** A ledger of the feed. */
export interface FeedPlace {
  readonly sendTo: 'base' | 'ephemeral';
  /** The name in errors. The URL may contain a key and is never shown. */
  readonly name: string;
  readonly url: URL;
}

/** A transaction that has landed. */
export interface Landed {
  readonly sendTo: FeedPlace['sendTo'];
  readonly slot: number;
  /** The signature, base58. */
  readonly signature: string;
  /** The error in JSON-RPC's format; null on success. */
  readonly err: unknown;
  readonly logs: readonly string[];
}

/** Maximum message size, in bytes. A transaction has some KB of logs. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

/** Timeout of the handshake, in ms. */
const HANDSHAKE_MS_MAX = 15_000;

/** A subscription to a ledger. `ended` rejects when the connection fails. */
interface Feed {
  /** Resolves when the subscription is active. */
  readonly listening: Promise<void>;
  readonly ended: Promise<never>;
  close(): void;
}

/**
 * Subscribes to the transactions of a ledger (`logsSubscribe`, commitment `confirmed`).
 *
 * @param mentions addresses; a transaction must mention at least one of them; null for all transactions.
 */
function openFeed(
  place: FeedPlace,
  mentions: readonly string[] | null,
  onLanded: (landed: Landed) => void,
): Feed {
  const socket = new WebSocket(webSocketUrl(place.url), {
    handshakeTimeout: HANDSHAKE_MS_MAX,
    maxPayload: MESSAGE_BYTES_MAX,
    followRedirects: false,
  });
  const filters = mentions === null ? ['all'] : mentions.map((address) => ({ mentions: [address] }));
  const waiting = new Set(filters.keys());
  let [isClosed, fail]: [boolean, (failure: VerbFailure) => void] = [false, () => undefined];
  const ended = new Promise<never>((_, reject) => (fail = reject));
  const listening = new Promise<void>((resolve) => {
    socket.on('open', () => {
      for (const [id, filter] of filters.entries()) {
        const params = [filter, { commitment: LASTING }];
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'logsSubscribe', params }));
      }
    });
    socket.on('message', (bytes: Buffer) => {
      const received = readMessage(bytes.toString());
      if (received?.error !== undefined)
        fail(feedFailure(place, `rejected logsSubscribe: ${received.error.message}`));
      if (received?.id !== undefined && waiting.delete(received.id) && waiting.size === 0) resolve();
      const { value, context } = received?.params?.result ?? {};
      if (value !== undefined && context !== undefined) {
        onLanded({ sendTo: place.sendTo, slot: context.slot, ...value });
      }
    });
  });
  const end = (): void => {
    if (!isClosed) fail(feedFailure(place, 'does not answer on its WebSocket: is it running?'));
  };
  socket.on('error', end);
  socket.on('close', end);
  // The caller may await `ended` later.
  ended.catch(() => undefined);
  return {
    listening,
    ended,
    close() {
      isClosed = true;
      socket.terminate();
    },
  };
}

interface Message {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly params?: {
    readonly result?: {
      readonly context?: { readonly slot: number };
      readonly value?: Pick<Landed, 'signature' | 'err' | 'logs'>;
    };
  };
}

const readMessage = (text: string): Message | null => (tryParseJson(text) ?? null) as Message | null;

const feedFailure = ({ name }: FeedPlace, why: string): VerbFailure =>
  new VerbFailure('unavailable', 'UPSTREAM_UNAVAILABLE', `${name} ${why}`);
