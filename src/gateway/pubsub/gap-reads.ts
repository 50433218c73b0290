import { findMember, tryParseJson } from '../../json/parse-json.ts';
import { failureFields } from '../../errors/failure-fields.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import type { AccountEncoding } from '../../rpc/accounts/account-encoding.ts';
import { writeGone } from '../../rpc/pubsub/fan-out.ts';

/**
 * Delay before a read, in ms; doubles with each attempt. The node that answers reads may be a slot or two
 * behind the node that sends notifications.
 */
const DELAY_MS = 1_000;
/** Maximum number of attempts to read. */
const ATTEMPTS_MAX = 5;
/** Maximum number of reads in progress, because all subscriptions resume together. */
const READS_MAX = 8;

/** A subscription that may have missed notifications. */
interface Gap {
  readonly method: string;
  /** The parameters of the subscription, as JSON. */
  readonly params: string;
  /** Slot of the subscription's latest notification; undefined if there is none. */
  readonly slot: number | undefined;
  /** Whether the account was reported. If so, its deletion must be reported too. */
  readonly hasReported: boolean;
  /** Whether the subscription still continues on the connection that opened it again. */
  isOpen(): boolean;
  /** Receives the present state in the form of a notification's `result`. */
  onRead(result: string): void;
}

/** External dependencies of {@link GapReads}. */
interface GapPorts {
  /** Answers the body of a JSON-RPC call. */
  readonly read: (body: string) => Promise<string>;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Reads the state that subscriptions may have missed. Only accounts and signatures have a state to read. */
export class GapReads {
  readonly #ports: GapPorts;
  readonly #waiting: (() => Promise<void>)[] = [];
  #reading = 0;

  constructor(ports: GapPorts) {
    this.#ports = ports;
  }

  /** Reads the state later, and retries if the read fails. */
  readLater(gap: Gap, attempt = 0): void {
    const reader = READERS[gap.method];
    if (reader === undefined) return;
    this.#ports.timer.after(DELAY_MS * 2 ** attempt, () => {
      this.#waiting.push(() => this.#read(gap, reader, attempt));
      this.#run();
    });
  }

  #run(): void {
    while (this.#reading < READS_MAX) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#reading += 1;
      void next().finally(() => {
        this.#reading -= 1;
        this.#run();
      });
    }
  }

  async #read(gap: Gap, { call, resultOf }: Reader, attempt: number): Promise<void> {
    if (!gap.isOpen()) return;
    try {
      const answer = await this.#ports.read(JSON.stringify({ jsonrpc: '2.0', id: 1, ...call(gap) }));
      const read = (tryParseJson(answer) as { readonly result?: unknown } | undefined)?.result;
      const text = findMember(answer, 'result');
      if (read !== undefined && text !== undefined) {
        const result = resultOf(read, text, gap);
        if (result !== null && gap.isOpen()) gap.onRead(result);
      } else if (attempt + 1 < ATTEMPTS_MAX) this.readLater(gap, attempt + 1);
      else this.#ports.logger.warn({ method: gap.method }, 'state after a lost WebSocket cannot be read');
    } catch (error) {
      this.#ports.logger.error(failureFields(error), 'reading the state after a lost WebSocket failed');
    }
  }
}

/** Reads the state behind one kind of subscription. */
interface Reader {
  /** Returns the call that reads the state. */
  call(gap: Gap): { readonly method: string; readonly params: readonly unknown[] };
  /** Returns the result of a notification; null if there is nothing to report. */
  resultOf(read: unknown, text: string, gap: Gap): string | null;
}

type Config = Readonly<Record<string, unknown>>;

const configOf = ({ params }: Gap): Config => (JSON.parse(params) as [unknown, Config?])[1] ?? {};

const addressOf = ({ params }: Gap): unknown => (JSON.parse(params) as readonly unknown[])[0];

interface ReadAccount {
  readonly context: { readonly slot: number };
  readonly value: object | null;
}

const account: Reader = {
  call: (gap) => {
    // Subscriptions ignore `dataSlice` (Agave), so the read must not have it.
    const { dataSlice: _, ...config } = configOf(gap);
    return { method: 'getAccountInfo', params: [addressOf(gap), { ...config, minContextSlot: gap.slot }] };
  },
  resultOf: (read, text, gap) => {
    const { context, value } = read as ReadAccount;
    if (value === null && !gap.hasReported) return null;
    const encoding = (configOf(gap)['encoding'] ?? 'binary') as AccountEncoding;
    const shown = value === null ? writeGone(encoding) : findMember(text, 'value');
    return `{"context":{"slot":${context.slot}},"value":${shown}}`;
  },
};

interface ReadStatuses {
  readonly value: readonly [
    { readonly slot: number; readonly err: unknown; readonly confirmationStatus?: string | null } | null,
  ];
}

const RANKS: Readonly<Record<string, number>> = { processed: 0, confirmed: 1, finalized: 2 };

/** Returns the rank of a commitment. Subscriptions and old statuses default to the highest. */
const rankOf = (commitment: unknown): number => RANKS[String(commitment)] ?? 2;

const signature: Reader = {
  call: (gap) => ({
    method: 'getSignatureStatuses',
    params: [[addressOf(gap)], { searchTransactionHistory: true }],
  }),
  resultOf: (read, _, gap) => {
    const [status] = (read as ReadStatuses).value;
    const isSeen = rankOf(status?.confirmationStatus) >= rankOf(configOf(gap)['commitment']);
    if (status === null || !isSeen) return null;
    return `{"context":{"slot":${status.slot}},"value":${JSON.stringify({ err: status.err })}}`;
  },
};

const READERS: Readonly<Record<string, Reader | undefined>> = {
  accountSubscribe: account,
  signatureSubscribe: signature,
};
