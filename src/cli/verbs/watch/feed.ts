import { LASTING } from '../../../solana/commitment.ts';
import { tryParseJson } from '../../../json/try-parse-json.ts';
import { WebSocket } from 'ws';
import { VerbFailure } from '../verb-failure.ts';

/** A ledger as the feed asks it. */
export interface FeedPlace {
  readonly sendTo: 'base' | 'ephemeral';
  /** For errors: its URL may carry a key and is never told. */
  readonly name: string;
  /** Its JSON-RPC. */
  readonly url: URL;
}

/** A transaction that has landed. */
export interface Landed {
  readonly sendTo: FeedPlace['sendTo'];
  readonly slot: number;
  /** base58. */
  readonly signature: string;
  /** Null where it succeeded; else as JSON-RPC writes it. */
  readonly err: unknown;
  readonly logs: readonly string[];
}

/** Largest message that is taken, bytes: a transaction has some KB of logs. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

/** How long the handshake may take, ms. */
const HANDSHAKE_MS_MAX = 15_000;

/** What is heard of a ledger. `ended` rejects when it cannot be heard any more. */
interface Feed {
  /** Resolves when everything that lands from now on is heard. */
  readonly listening: Promise<void>;
  readonly ended: Promise<never>;
  close(): void;
}

/**
 * Hears of what lands on a ledger (`logsSubscribe`, commitment `confirmed`).
 *
 * @param mentions addresses, of which a transaction names one; null for every transaction.
 */
export function openFeed(
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
      const heard = readMessage(bytes.toString());
      if (heard?.error !== undefined) fail(unheard(place, `refused logsSubscribe: ${heard.error.message}`));
      if (heard?.id !== undefined && waiting.delete(heard.id) && waiting.size === 0) resolve();
      const { value, context } = heard?.params?.result ?? {};
      if (value !== undefined && context !== undefined) {
        onLanded({ sendTo: place.sendTo, slot: context.slot, ...value });
      }
    });
  });
  const end = (): void => {
    if (!isClosed) fail(unheard(place, 'is not to be heard: is it running, with its WebSocket?'));
  };
  socket.on('error', end);
  socket.on('close', end);
  // Whoever waits for something else first hears of it later.
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

/**
 * As Solana's clients find it: one port above that of the node, or at the same place where none is written.
 */
function webSocketUrl(url: URL): URL {
  const found = new URL(url);
  found.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') found.port = String(Number(url.port) + 1);
  return found;
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

const unheard = ({ name }: FeedPlace, why: string): VerbFailure =>
  new VerbFailure('unavailable', 'UPSTREAM_UNAVAILABLE', `${name} ${why}`);
