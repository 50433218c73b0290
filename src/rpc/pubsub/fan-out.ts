import { failureFields } from '../../errors/failure-fields.ts';
import { type JsonOutput, type JsonOutputObject, writeJson } from '../../json/write-json.ts';
import type { AccountReads } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { Logger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { type AccountEncoding, showAccount } from '../accounts/account-encoding.ts';
import { type Feed, type FeedEvent, type Feeds, FilteredEvent, type Subscriber, type View } from './feeds.ts';

interface FanOutOptions {
  readonly feeds: Feeds;
  readonly ledger: AccountReads;
  readonly logger: Logger;
  readonly view: View | undefined;
}

/**
 * Turns events into notifications. Writes each notification once for all subscribers that get the same text:
 * once per topic, and once more for each token that sees less. Never throws.
 */
export class FanOut {
  readonly #options: FanOutOptions;

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** Notifies all interested subscribers. */
  publish(event: FeedEvent): void {
    const { feeds } = this.#options;
    if (feeds.size === 0) return;
    this.#safely(() => {
      const views = this.#viewsOf(event);
      // A failure in one topic must not affect the others.
      for (const feed of feeds.concernedBy(event)) {
        this.#safely(() => notify(feed, feed.subscribers, views));
      }
    });
  }

  /** Notifies a new subscriber of a past event of its topic. */
  publishPast(feed: Feed, subscriber: Subscriber): void {
    this.#safely(() => {
      const past = feed.topic.past?.() ?? null;
      if (past !== null) notify(feed, [subscriber], this.#viewsOf(past));
    });
  }

  /** Logs errors, because the ledger or timer that triggers a notification cannot handle them. */
  #safely(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.logger.error(failureFields(error), 'pubsub notification failed');
    }
  }

  #viewsOf(event: FeedEvent): EventViews {
    const { ledger, view } = this.#options;
    const texts = new AccountTexts((address) => ledger.getAccount(address));
    return { filtered: new FilteredEvent(event, view), texts };
  }
}

interface EventViews {
  readonly filtered: FilteredEvent;
  readonly texts: AccountTexts;
}

function notify(feed: Feed, subscribers: Iterable<Subscriber>, { filtered, texts }: EventViews): void {
  // Subscribers that may see the whole event get the same object from the view, and share a text.
  const written = new Map<FeedEvent, readonly Buffer[]>();
  for (const subscriber of subscribers) {
    const seen = feed.topic.isForAll === true ? filtered.whole : filtered.as(subscriber.token);
    if (seen === null) continue;
    let messages = written.get(seen);
    if (messages === undefined) written.set(seen, (messages = writeMessages(feed, seen, texts)));
    for (const message of messages) subscriber.notify(message, feed.id);
    // Deleting the current element of a Set during iteration is safe.
    if (feed.topic.endsAfterFirst === true && messages.length > 0) subscriber.unsubscribe(feed.id);
  }
}

function writeMessages({ id, topic }: Feed, seen: FeedEvent, texts: AccountTexts): readonly Buffer[] {
  return topic
    .results(seen, texts)
    .map((result) =>
      Buffer.from(
        `{"jsonrpc":"2.0","method":"${topic.notification}","params":{"result":${result},"subscription":${id}}}`,
      ),
    );
}

/** Writes the `account` value of a notification about a deleted account. */
export function writeGone(encoding: AccountEncoding): string {
  return new AccountTexts(() => null).write(SYSTEM_PROGRAM, GONE, encoding);
}

/** Maximum size of base58 data, and Agave's text for longer data (`encode_bs58`). */
const BASE58_BYTES_MAX = 128;
const TOO_LARGE = 'error: data too large for bs58 encoding';

/** Writes the accounts of one event as JSON, once per encoding for all subscribers. */
export class AccountTexts {
  readonly #lookUp: (address: Address) => Account | null;
  readonly #written = new Map<Account, Map<string, string>>();

  /** @param lookUp reads other accounts that parsers need, as in `AccountView`. */
  constructor(lookUp: (address: Address) => Account | null) {
    this.#lookUp = lookUp;
  }

  /** Writes an account (Agave `UiAccount`) with members in declaration order, as in notifications. */
  write(address: Address, account: Account, encoding: AccountEncoding): string {
    const form = `${encoding}/${address}`;
    let texts = this.#written.get(account);
    if (texts === undefined) this.#written.set(account, (texts = new Map()));
    let text = texts.get(form);
    if (text === undefined) texts.set(form, (text = this.#write(address, account, encoding)));
    return text;
  }

  /** Whether `jsonParsed` returns an account in parsed form rather than as bytes. */
  isParsed(address: Address, account: Account): boolean {
    return !Array.isArray(this.#showData(address, account, 'jsonParsed'));
  }

  #write(address: Address, account: Account, encoding: AccountEncoding): string {
    const { lamports, owner, executable, rentEpoch } = account;
    const data = this.#showData(address, account, encoding);
    return writeJson({ lamports, data, owner, executable, rentEpoch, space: account.data.length });
  }

  #showData(address: Address, account: Account, encoding: AccountEncoding): JsonOutput | undefined {
    if (account.data.length > BASE58_BYTES_MAX) {
      if (encoding === 'binary') return TOO_LARGE;
      if (encoding === 'base58') return [TOO_LARGE, encoding];
    }
    const { data } = showAccount(address, account, { encoding, lookUp: this.#lookUp });
    if (encoding !== 'jsonParsed' || Array.isArray(data)) return data;
    const { program, parsed, space } = data as JsonOutputObject;
    return { program, parsed, space };
  }
}
