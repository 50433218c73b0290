import { options, type Component } from 'preact';
import { describe, expect, it, vi } from 'vitest';
import { computed, signal } from './signal.ts';

/** The calls that Preact makes around the rendering of a component. */
const hooks = options as unknown as Record<'__r' | 'diffed' | 'unmount', (node: object) => void>;
const { __r: beforeRender, diffed, unmount } = hooks;

/** A component as Preact renders it: what it reads while it is drawn, and how often it is to be drawn anew. */
function createComponent(read: () => unknown) {
  const component = { forceUpdate: vi.fn<Component['forceUpdate']>() };
  const node = { __c: component };
  return {
    redraws: component.forceUpdate,
    draw: (): unknown => {
      beforeRender(node);
      const drawn = read();
      diffed(node);
      return drawn;
    },
    unmount: () => unmount(node),
  };
}

describe('a signal', () => {
  it('redraws the component that read it when its value changes, but not when it is set to the same value', () => {
    const count = signal(1);
    const { draw, redraws } = createComponent(() => count.value);
    draw();
    count.value = 1;
    expect(redraws).not.toHaveBeenCalled();
    count.value = 2;
    expect(redraws).toHaveBeenCalledTimes(1);
    expect(draw()).toBe(2);
  });

  it('forgets a component that is unmounted or no longer reads it', () => {
    const [count, isShown] = [signal(1), signal(true)];
    const counter = createComponent(() => (isShown.value ? count.value : 0));
    const other = createComponent(() => count.value);
    for (const { draw } of [counter, other]) draw();
    other.unmount();
    isShown.value = false;
    counter.draw();
    count.value = 2;
    expect(counter.redraws).toHaveBeenCalledTimes(1);
    expect(other.redraws).not.toHaveBeenCalled();
  });

  it('is not followed by code that peeks at it or reads it after drawing', () => {
    const count = signal(1);
    const { draw, redraws } = createComponent(() => count.peek());
    draw();
    expect(count.value).toBe(1);
    count.value = 2;
    expect(redraws).not.toHaveBeenCalled();
  });

  it('calls subscribers with its value at once and on each change, until they unsubscribe', () => {
    const count = signal(1);
    const told: number[] = [];
    const end = count.subscribe((value) => told.push(value));
    count.value = 2;
    count.value = 2;
    end();
    count.value = 3;
    expect(told).toEqual([1, 2]);
  });
});

describe('a computed value', () => {
  it('is computed again only after its inputs changed', () => {
    const [count, other] = [signal(2), signal('a')];
    const compute = vi.fn<() => readonly number[]>(() => [count.value * 2]);
    const doubled = computed(compute);
    expect(doubled.value).toBe(doubled.value);
    other.value = 'b';
    expect(doubled.peek()).toEqual([4]);
    expect(compute).toHaveBeenCalledTimes(1);
    count.value = 3;
    expect(doubled.value).toEqual([6]);
  });

  it('follows other computed values, and only its current inputs', () => {
    const [isLong, name] = [signal(false), signal('Alice')];
    const shown = computed(() => (isLong.value ? name.value : (name.peek()[0] ?? '')));
    const greeting = computed(() => `To ${shown.value}`);
    expect(greeting.value).toBe('To A');
    isLong.value = true;
    expect(greeting.value).toBe('To Alice');
    name.value = 'Bob';
    expect(greeting.value).toBe('To Bob');
  });

  it('redraws the component that read it, even if it was computed before', () => {
    const count = signal(1);
    const doubled = computed(() => count.value * 2);
    expect(doubled.value).toBe(2);
    const reader = createComponent(() => doubled.value);
    const onlooker = createComponent(() => doubled.peek());
    for (const { draw } of [reader, onlooker]) draw();
    count.value = 2;
    expect(reader.redraws).toHaveBeenCalledTimes(1);
    expect(onlooker.redraws).not.toHaveBeenCalled();
    expect(reader.draw()).toBe(4);
  });
});
