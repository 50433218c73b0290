interface Waiting<Item> {
  readonly item: Item;
  next: Waiting<Item> | undefined;
}

/** The waiting items of one client, oldest first; never empty. */
interface Line<Item> {
  readonly client: string;
  first: Waiting<Item>;
  last: Waiting<Item>;
}

/**
 * A round-robin queue: a new client waits for at most one item of every other client, however many these have
 * queued. Items of one client keep their order.
 */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>();
  /** The clients in round-robin order; the next one is at `#at`. */
  readonly #turns: Line<Item>[] = [];
  #at = 0;
  #size = 0;

  /** Items of all clients. */
  get size(): number {
    return this.#size;
  }

  /** @param client what stands for it in a table of addresses (`clientOf`). */
  push(client: string, item: Item): void {
    const waiting = { item, next: undefined };
    this.#size += 1;
    const line = this.#lines.get(client);
    if (line === undefined) this.#join({ client, first: waiting, last: waiting });
    else line.last = line.last.next = waiting;
  }

  /**
   * Removes and returns the next item; undefined when there is none.
   *
   * @param mayHave whether it may be the turn of a client; the others are passed over.
   */
  shift(mayHave: (client: string) => boolean = anybody): Item | undefined {
    for (let passed = 0; passed < this.#turns.length; passed++) {
      const line = this.#turns[this.#at] as Line<Item>;
      if (mayHave(line.client)) return this.#serve(line);
      this.#at = (this.#at + 1) % this.#turns.length;
    }
    return undefined;
  }

  /** Removes and returns all items that match. */
  take(isWanted: (item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    const kept: (readonly [string, Item])[] = [];
    for (const { client, first } of [...this.#turns.slice(this.#at), ...this.#turns.slice(0, this.#at)]) {
      for (let waiting: Waiting<Item> | undefined = first; waiting !== undefined; waiting = waiting.next) {
        if (isWanted(waiting.item)) taken.push(waiting.item);
        else kept.push([client, waiting.item]);
      }
    }
    if (taken.length === 0) return taken;
    this.#lines.clear();
    this.#turns.length = this.#at = this.#size = 0;
    for (const [client, item] of kept) this.push(client, item);
    return taken;
  }

  #serve(line: Line<Item>): Item {
    const { first } = line;
    const { item, next } = first;
    // What was served would otherwise keep what came after it for as long as V8 keeps it.
    first.next = undefined;
    this.#size -= 1;
    if (next === undefined) {
      this.#lines.delete(line.client);
      this.#turns.splice(this.#at, 1);
    } else {
      line.first = next;
      this.#at += 1;
    }
    if (this.#at >= this.#turns.length) this.#at = 0;
    return item;
  }

  #join(line: Line<Item>): void {
    this.#lines.set(line.client, line);
    this.#turns.push(line);
  }
}

const anybody = (): boolean => true;
