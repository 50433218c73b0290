import { failureFields } from '../../errors/failure-fields.ts';
import type { AccountReads } from '../../ledger/ledger.ts';
import type { Logger } from '../../ports/logger.ts';
import { AccountTexts } from './account-texts.ts';
import { type Feed, type Feeds, type Happening, Sight, type Subscriber, type View } from './feeds.ts';

/** Dependencies of a {@link FanOut}. */
interface FanOutOptions {
  readonly feeds: Feeds;
  readonly ledger: AccountReads;
  readonly logger: Logger;
  readonly view: View | undefined;
}

/**
 * Turns happenings into notifications. Each is written once for all subscribers that get the same text: it is
 * rewritten only per topic, or per token if that may see less. Never throws.
 */
export class FanOut {
  readonly #options: FanOutOptions;

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** Notifies all interested subscribers. */
  tell(happening: Happening): void {
    const { feeds } = this.#options;
    if (feeds.size === 0) return;
    this.#safely(() => {
      const telling = this.#begin(happening);
      // A failure in one topic must not affect the others.
      for (const feed of feeds.concernedBy(happening)) {
        this.#safely(() => telling.tell(feed, feed.subscribers));
      }
    });
  }

  /** Notifies a new subscriber of what it would have received had it subscribed earlier. */
  tellPast(feed: Feed, subscriber: Subscriber): void {
    this.#safely(() => {
      const past = feed.topic.past?.() ?? null;
      if (past !== null) this.#begin(past).tell(feed, [subscriber]);
    });
  }

  /** The ledger or timer that triggers a notification cannot handle its failure. */
  #safely(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#options.logger.error(failureFields(error), 'pubsub notification failed');
    }
  }

  #begin(happening: Happening): Telling {
    const { ledger, view } = this.#options;
    const texts = new AccountTexts((address) => ledger.getAccount(address));
    return new Telling(new Sight(happening, view), texts);
  }
}

/** The notifications of one happening. */
class Telling {
  readonly #sight: Sight;
  readonly #texts: AccountTexts;

  constructor(sight: Sight, texts: AccountTexts) {
    this.#sight = sight;
    this.#texts = texts;
  }

  tell(feed: Feed, subscribers: Iterable<Subscriber>): void {
    // A view returns the very object to everyone who may see all of it, so identity shows who shares a text.
    const written = new Map<Happening, readonly Buffer[]>();
    for (const subscriber of subscribers) {
      const seen = feed.topic.isForAll === true ? this.#sight.whole : this.#sight.as(subscriber.token);
      if (seen === null) continue;
      let messages = written.get(seen);
      if (messages === undefined) written.set(seen, (messages = this.#write(feed, seen)));
      for (const message of messages) subscriber.notify(message);
      // A Set may lose the current element during iteration.
      if (feed.topic.endsWhenTold === true && messages.length > 0) subscriber.unsubscribe(feed.id);
    }
  }

  #write({ id, topic }: Feed, seen: Happening): readonly Buffer[] {
    return topic
      .results(seen, this.#texts)
      .map((result) =>
        Buffer.from(
          `{"jsonrpc":"2.0","method":"${topic.notification}","params":{"result":${result},"subscription":${id}}}`,
        ),
      );
  }
}
