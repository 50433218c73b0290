/** A place in a list of {@link Members}. */
export interface Member<Item> {
  readonly item: Item;
  /** Whether it has left. */
  readonly isGone: boolean;
}

/** A place, and those beside it; of the list itself, which has no item, the last and the first. */
class Place<Item> implements Member<Item> {
  readonly item: Item;
  isGone = false;
  before: Place<Item> = this;
  after: Place<Item> = this;

  constructor(item: Item) {
    this.item = item;
  }
}

/**
 * Items that come and go by the thousand, in the order in which they came.
 *
 * A `Set` would do, but for V8's collector: each time its table is full of what has left, it goes on in a new
 * one, to which the old one points on, and a table that lived long enough to be old keeps what it held then,
 * and all tables after it, until the next full collection. A tenth of all requests outlived their answers by
 * that, which took a fifth of the CPU time of a short one. Here nothing that has left points at anything.
 */
export class Members<Item> {
  /** Before the first, and after the last. */
  readonly #ends = new Place<Item | undefined>(undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an item behind all others; what is returned takes it away again. */
  add(item: Item): Member<Item> {
    const place = new Place<Item | undefined>(item);
    const last = this.#ends.before;
    place.before = last;
    place.after = this.#ends;
    last.after = place;
    this.#ends.before = place;
    this.#size++;
    return place as Member<Item>;
  }

  /** Takes away what {@link add} of this list returned; once more does nothing. */
  remove(member: Member<Item>): void {
    if (member.isGone) return;
    const place = member as Place<Item | undefined>;
    place.before.after = place.after;
    place.after.before = place.before;
    place.before = place;
    place.after = place;
    place.isGone = true;
    this.#size--;
  }

  /** The first of all, if there is one. */
  get first(): Member<Item> | undefined {
    const { after } = this.#ends;
    return after === this.#ends ? undefined : (after as Member<Item>);
  }

  /** The items as they are now, in their order. */
  toArray(): Item[] {
    const items: Item[] = [];
    for (let place = this.#ends.after; place !== this.#ends; place = place.after)
      items.push(place.item as Item);
    return items;
  }
}
