import { expect, it } from 'vitest';
import { rowWindow } from './data-table.tsx';

it('draws the visible rows and ten around them', () => {
  expect(rowWindow(10_000, 36, 3600, 720)).toEqual({ from: 90, to: 130 });
});

it('ends where the list ends', () => {
  expect(rowWindow(5, 36, 0, 720)).toEqual({ from: 0, to: 5 });
  expect(rowWindow(10_000, 36, 9_999_999, 720)).toEqual({ from: 9990, to: 10_000 });
  expect(rowWindow(0, 36, -20, 720)).toEqual({ from: 0, to: 0 });
});
