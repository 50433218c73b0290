/**
 * A quantity that clients share, such as places or bytes. Any client may take from it until `max` is reached.
 * A quarter more is reserved for clients that hold almost nothing, so one client cannot block the others.
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

  /** The amount that all clients hold. */
  get taken(): number {
    return this.#taken;
  }

  /** @param client key of the client in tables (`clientOf`). */
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
