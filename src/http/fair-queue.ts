/**
 * A queue that serves clients round-robin. A new client waits for at most one item from each other client.
 * The items of one client keep their order.
 */
export class FairQueue<Item> {
  /** The waiting items by client. The first client has the next turn. No list is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** Number of items of all clients. */
  get size(): number {
    return this.#size;
  }

  /** @param client key of the client (`clientOf`). */
  push(client: string, item: Item): void {
    this.#size += 1;
    const line = this.#lines.get(client);
    if (line === undefined) this.#lines.set(client, [item]);
    else line.push(item);
  }

  /**
   * Removes and returns the next item; undefined if there is none.
   *
   * @param mayHave whether a client may have a turn now. Skipped clients keep their place.
   */
  shift(mayHave: (client: string) => boolean = () => true): Item | undefined {
    for (const [client, line] of this.#lines) {
      if (!mayHave(client)) continue;
      this.#lines.delete(client);
      const item = line.shift();
      if (line.length > 0) this.#lines.set(client, line);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Removes and returns all items that match. */
  take(isWanted: (item: Item) => boolean): Item[] {
    const taken = [...this.#lines.values()].flat().filter(isWanted);
    for (const [client, line] of this.#lines) {
      const rest = line.filter((item) => !isWanted(item));
      if (rest.length === 0) this.#lines.delete(client);
      else this.#lines.set(client, rest);
    }
    this.#size -= taken.length;
    return taken;
  }
}
