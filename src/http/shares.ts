/**
 * A quantity that clients share: places, bytes. Anybody may take of it while there is some; then a quarter
 * more is kept for clients that have next to nothing of it, so that one who takes all that can be had keeps
 * nobody else out.
 */
export class Shares {
  readonly max: number;
  /** Beyond `max`, for clients with less than {@link #little}. */
  readonly #reserve: number;
  readonly #little: number;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(max: number) {
    this.max = max;
    this.#reserve = Math.ceil(max / 4);
    this.#little = Math.max(1, Math.floor(max / 64));
  }

  /** What all clients have together. */
  get taken(): number {
    return this.#taken;
  }

  /** @param client what stands for it in a table of addresses (`clientOf`). */
  hasRoomFor(client: string): boolean {
    if (this.#taken < this.max) return true;
    return this.#taken < this.max + this.#reserve && (this.#byClient.get(client) ?? 0) < this.#little;
  }

  take(client: string, amount = 1): void {
    this.#taken += amount;
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + amount);
  }

  giveBack(client: string, amount = 1): void {
    this.#taken -= amount;
    const left = (this.#byClient.get(client) ?? 0) - amount;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}
