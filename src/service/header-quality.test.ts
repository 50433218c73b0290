import { describe, expect, it } from 'vitest';
import { qualityOf } from './request-head.ts';

describe('qualityOf()', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['br', undefined],
    ['gzip', 1],
    ['GZIP', 1],
    ['br, gzip;q=0.5', 0.5],
    ['gzip ; x=1 ; q=0.25', 0.25],
    ['gzip;q=0', 0],
    ['gzip;q=x', 0],
    ['xgzip', undefined],
  ])('of gzip in %j is %s', (header, quality) => {
    expect(qualityOf(header, 'gzip')).toBe(quality);
  });
});
