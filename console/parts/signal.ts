import { options, type Component, type Options, type VNode } from 'preact';

/** An observable value. Components follow it by reading it. */
export interface ReadonlySignal<T> {
  /** Components that read it while rendering are rendered again when it changes. */
  readonly value: T;
  /** The value, without following it. */
  peek(): T;
}

/** An observable value that is set, not computed. */
export interface Source<T> extends ReadonlySignal<T> {
  /** Calls `tell` now and after every change. @returns a function that ends the subscription. */
  subscribe(tell: (value: T) => void): () => void;
}

export interface Signal<T> extends Source<T> {
  value: T;
}

/** Listeners of a signal. */
type Followers = Set<() => void>;

/** A component and the signals that it read in its last render. */
interface Reading {
  readonly redraw: () => void;
  readonly followed: Set<Followers>;
}

/**
 * Mangled names that Preact keeps stable for its add-ons: `__r` is called before a component is rendered,
 * `__c` is the component of a node.
 */
type Node = VNode & { readonly __c?: Component | null };
const hooks = options as Options & { __r?: (node: Node) => void };

const readings = new WeakMap<Component, Reading>();
/** The component that is being rendered. */
let rendered: Reading | null = null;
/** Signals that the current computation has read, with their values. */
let inputs: Map<ReadonlySignal<unknown>, unknown> | null = null;

/** Unsubscribes the component of a node and returns it; null if the node has none. */
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

/** Creates a signal. Setting an equal value (`===`) has no effect. */
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

/** Creates a value computed from signals. `compute` runs again only after one of them has changed. */
export function computed<T>(compute: () => T): ReadonlySignal<T> {
  let last: { readonly from: Map<ReadonlySignal<unknown>, unknown>; readonly value: T } | null = null;
  const work = (): T => {
    const outer = inputs;
    const from = (inputs = new Map());
    try {
      // Reads `value` rather than `peek()`, because the reader of this value must follow all inputs.
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
