import { describe, expect, it } from 'vitest';
import { findNearest } from './nearest.ts';

describe('findNearest', () => {
  it.each([
    ['yse', 'yes'],
    ['bsae', 'base'],
    ['yess', 'yes'],
    ['YES', 'yes'],
    ['zzz', undefined],
  ])('takes %s for a slip of %s (bug: yse was one of base)', (name, nearest) => {
    expect(findNearest(name, ['yes', 'base', 'url'])).toBe(nearest);
    expect(findNearest(name, ['base', 'url', 'yes'])).toBe(nearest);
  });
});
