import { describe, expect, it } from 'vitest';
import { FIXTURE_OPERATIONS, readOperation } from '../../../test/conformance/fixture-operations.ts';
import { SERVED_OPERATIONS } from '../../../test/conformance/served-operations.ts';
import type { Operation } from '../../payments/operation.ts';
import { OperationGate, serveOperation } from '../served-operation.ts';
import { placeOperations, REST_TABLE } from './rest-table.ts';

const gate = new OperationGate();

function place(operations: readonly Operation[]) {
  return placeOperations(operations.map((operation) => serveOperation(operation, gate)));
}

describe('REST_TABLE', () => {
  it('assigns no path to two operations', () => {
    const places = Object.values(REST_TABLE).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('assigns a path to every payment operation', () => {
    expect(place(SERVED_OPERATIONS)).toHaveLength(SERVED_OPERATIONS.length);
  });
});

describe('placeOperations', () => {
  it('lists the given operations in the order of the table', () => {
    const given = [{ ...readOperation, name: 'login' }, ...FIXTURE_OPERATIONS, ...SERVED_OPERATIONS];
    const names = place(given as Operation[]).map(({ served }) => served.operation.name);
    expect(names.at(-1)).toBe('login');
    expect(names.filter((name) => name in REST_TABLE)).toEqual(names);
    expect(names).not.toContain('build');
  });
});
