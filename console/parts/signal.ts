import { options, type Component, type Options, type VNode } from 'preact';

/** A value that components follow by reading it. */
export interface ReadonlySignal<T> {
  /** Components that read it while rendering are rendered again when it changes. */
  readonly value: T;
  /** The value, without following it. */
  peek(): T;
}

/** A value that is set somewhere, and does not follow from others. */
export interface Source<T> extends ReadonlySignal<T> {
  /** Calls `tell` with the value now, and whenever it has changed. @returns ends that. */
  subscribe(tell: (value: T) => void): () => void;
}

export interface Signal<T> extends Source<T> {
  value: T;
}

/** Listeners of a signal. */
type Followers = Set<() => void>;

/** A component, with whose changes it follows since it was last rendered. */
interface Reading {
  readonly redraw: () => void;
  readonly followed: Set<Followers>;
}

/**
 * The names that Preact's build fixes for what its add-ons hold on to: `__r` is called before a component is
 * rendered, and `__c` is the component of a node.
 */
type Node = VNode & { readonly __c?: Component | null };
const hooks = options as Options & { __r?: (node: Node) => void };

const readings = new WeakMap<Component, Reading>();
/** The component that is being rendered. */
let rendered: Reading | null = null;
/** What the computed value that is being worked out has read, with what that was then. */
let inputs: Map<ReadonlySignal<unknown>, unknown> | null = null;

/** @returns the component of a node, which follows nothing from now on; null if the node has none. */
function readingOf({ __c: component }: Node): Reading | null {
  if (component == null) return null;
  const { redraw, followed } = readings.get(component) ?? {
    redraw: () => component.forceUpdate(),
    followed: new Set(),
  };
  for (const followers of followed) followers.delete(redraw);
  const reading = { redraw, followed: new Set<Followers>() };
  readings.set(component, reading);
  return reading;
}

const { __r: beforeRender, diffed, unmount } = hooks;
const own: typeof hooks = {
  __r: (node) => {
    beforeRender?.(node);
    rendered = readingOf(node);
  },
  diffed: (node) => {
    diffed?.(node);
    rendered = null;
  },
  unmount: (node) => {
    unmount?.(node);
    readingOf(node);
  },
};
Object.assign(options, own);

/** A value that changes when another, by `===`, is set. */
export function signal<T>(initial: T): Signal<T> {
  const followers: Followers = new Set();
  let held = initial;
  return {
    get value() {
      inputs?.set(this, held);
      if (rendered !== null) {
        followers.add(rendered.redraw);
        rendered.followed.add(followers);
      }
      return held;
    },
    set value(next) {
      if (next === held) return;
      held = next;
      for (const tell of followers) tell();
    },
    peek: () => held,
    subscribe: (tell) => {
      const follower = (): void => tell(held);
      follower();
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}

/** A value computed from signals. `compute` runs again only after one of them has changed. */
export function computed<T>(compute: () => T): ReadonlySignal<T> {
  let last: { readonly from: Map<ReadonlySignal<unknown>, unknown>; readonly value: T } | null = null;
  const work = (): T => {
    const outer = inputs;
    const from = (inputs = new Map());
    try {
      // The `value` of each is read, as whoever reads this one follows them.
      if (last === null || ![...last.from].every(([input, value]) => input.value === value)) {
        last = { from, value: compute() };
      }
      return last.value;
    } finally {
      inputs = outer;
    }
  };
  return {
    get value() {
      const value = work();
      inputs?.set(this, value);
      return value;
    },
    peek: () => {
      const outer = rendered;
      rendered = null;
      try {
        return work();
      } finally {
        rendered = outer;
      }
    },
  };
}
