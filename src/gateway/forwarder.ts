import { Upstream, type UpstreamPorts } from '../chain/upstream/upstream.ts';
import { isServiceError } from '../errors/service-error.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import type { MethodCall } from '../rpc/dispatcher.ts';
import { ClientGone, type ScanClient, Scans } from '../rpc/scan/scans.ts';
import { type Forwarded, LONG_ANSWER, readAnswer, UrlKeys, WHO } from './upstream-answer.ts';

/** Methods a gateway forwards by default: those that build, send and track a payment. */
const FORWARDED_METHODS: readonly string[] = [
  // The ledger node interface.
  'simulateTransaction',
  'getTransaction',
  'getTokenLargestAccounts',
  'getMinimumBalanceForRentExemption',
  'getSlot',
  // Accounts and tokens that wallets and SDKs read before a transfer.
  'getAccountInfo',
  'getMultipleAccounts',
  'getBalance',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getTokenSupply',
  // Building, sending and tracking a transaction.
  'getLatestBlockhash',
  'isBlockhashValid',
  'getFeeForMessage',
  'getRecentPrioritizationFees',
  'sendTransaction',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getBlockHeight',
  'getEpochInfo',
  // Identity and state of the node.
  'getGenesisHash',
  'getVersion',
  'getIdentity',
  'getHealth',
];

/** The name that stands for all methods. */
const ANY = '*';

/** Creates the check for forwarded methods: the defaults and `more`. `*` in `more` means all methods. */
export function createAllowList(more: readonly string[]): (method: string) => boolean {
  if (more.includes(ANY)) return () => true;
  const allowed = new Set([...FORWARDED_METHODS, ...more]);
  return (method) => allowed.has(method);
}

/**
 * Whether a method can safely be called twice. Decides by the prefixes of Solana's read methods, because a
 * gateway may forward methods it does not know.
 */
export function isRepeatable(method: string): boolean {
  return /^(get|is|simulate|minimum)[A-Z]/.test(method);
}

/** Maximum size of an answer, in bytes. The largest answers contain account data. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** System error codes for a connection that was never made. The upstream cannot have received anything. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Forwards calls to the first of several URLs that answers. */
export class Forwarder {
  readonly #upstream: Upstream;
  readonly #urlCount: number;
  readonly #keys: UrlKeys;
  /**
   * Reads of long answers, of which only a few run at a time. The limit on calls in flight also limits how
   * many wait.
   */
  readonly #reading = new Scans({ waitingMax: HTTP_LIMITS.inFlightMax });

  constructor(urls: readonly URL[], ports: UpstreamPorts) {
    this.#upstream = new Upstream(WHO, urls, ports);
    this.#urlCount = urls.length;
    this.#keys = new UrlKeys(urls);
  }

  /**
   * Forwards the text of a call unchanged and returns the answer unchanged. A method that may change
   * something goes to a second URL only if the first was certainly not reached.
   *
   * @throws {ServiceError} UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT, UPSTREAM_RATE_LIMITED, UPSTREAM_INVALID,
   *   UPSTREAM_REJECTED.
   */
  async forward(
    call: Pick<MethodCall, 'method' | 'id'>,
    text: string,
    client: ScanClient,
  ): Promise<Forwarded> {
    const isSafe = isRepeatable(call.method);
    for (let urlsLeft = this.#urlCount; ; urlsLeft--) {
      try {
        return await this.#forwardOnce(call, text, client);
      } catch (error) {
        // An unreachable URL is skipped for a while, so the next attempt uses another one.
        if (isSafe || urlsLeft === 1 || !wasNeverConnected(error)) throw error;
      }
    }
  }

  async #forwardOnce(
    { method, id }: Pick<MethodCall, 'method' | 'id'>,
    body: string,
    client: ScanClient,
  ): Promise<Forwarded> {
    // If a second URL is called because the first is late, both share this place. Either may answer after the
    // call has ended.
    let place: Promise<() => void> | undefined;
    let isOver = false;
    try {
      return await this.#upstream.request({
        // The log must not contain text from callers.
        what: FORWARDED_METHODS.includes(method) ? method : 'another method',
        isRepeatable: isRepeatable(method),
        answerBytesMax: ANSWER_BYTES_MAX,
        longAnswer: {
          beyond: LONG_ANSWER,
          enter: async () => {
            if (isOver) throw new ClientGone();
            await (place ??= this.#reading.enter(client));
          },
        },
        // An upstream whose answer waits for a place has already started to answer.
        mayHedge: () => place === undefined,
        address: (url) => ({ method: 'POST', url, body }),
        read: (answer) => readAnswer(answer, id, this.#keys),
      });
    } finally {
      isOver = true;
      place?.then(
        (leave) => leave(),
        () => undefined,
      );
    }
  }
}

/** Whether a failed call certainly had no effect: no upstream was reached, or it rejected the call. */
export function hadNoEffect(error: unknown): boolean {
  return (
    wasNeverConnected(error) ||
    isServiceError(error, 'UPSTREAM_RATE_LIMITED') ||
    isServiceError(error, 'UPSTREAM_REJECTED')
  );
}

function wasNeverConnected(error: unknown): boolean {
  return isServiceError(error, 'UPSTREAM_UNAVAILABLE') && NEVER_CONNECTED.has(error.context['reason']);
}
