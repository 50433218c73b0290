import type { Layout } from '../../../chain/chain.ts';
import { type Address, isAddress } from '../../../solana/address.ts';
import type { LookupTable } from '../../../solana/versioned-message.ts';

import layoutA from '../../../../test/vectors/layout-a.json' with { type: 'json' };
import layoutB from '../../../../test/vectors/layout-b.json' with { type: 'json' };

/** A transaction in the vectors, with the inputs it was built from. */
export interface VectorTransaction {
  readonly id: string;
  readonly layout: Layout;
  readonly level: string;
  readonly op: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly sendTo: 'base' | 'ephemeral' | null;
  readonly transactionBase64: string;
  /** The sealed parts of the instruction data. */
  readonly sealed: readonly {
    readonly instruction: number;
    readonly offset: number;
    readonly length: number;
  }[];
}

interface Case {
  readonly id: string;
  readonly level: string;
  readonly op: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: {
    readonly transaction?: string | null;
    readonly sendTo?: 'base' | 'ephemeral';
    readonly encrypted?: VectorTransaction['sealed'];
    readonly v0?: { readonly transaction?: string };
  };
}

const fromCase = (layout: Layout, { id, level, op, input, expect }: Case): VectorTransaction[] =>
  typeof expect.transaction === 'string'
    ? [
        {
          id,
          layout,
          level,
          op,
          input,
          sendTo: expect.sendTo ?? null,
          transactionBase64: expect.transaction,
          sealed: expect.encrypted ?? [],
        },
      ]
    : [];

/** Every transaction in the vectors of both layouts, in the legacy form. */
export const VECTOR_TRANSACTIONS: readonly VectorTransaction[] = [
  ...(layoutA.cases as unknown as Case[]).flatMap((vector) => fromCase('a', vector)),
  ...(layoutB.cases as unknown as Case[]).flatMap((vector) => fromCase('b', vector)),
];

/** Returns the only v0 transaction in the vectors, with its table. */
export function vectorV0(): VectorTransaction & { readonly table: LookupTable } {
  for (const vector of layoutB.cases as unknown as Case[]) {
    const transaction = vector.expect.v0?.transaction;
    if (transaction === undefined) continue;
    const { key, addresses } = vector.input['lookupTable'] as { key: Address; addresses: Address[] };
    const [known] = fromCase('b', { ...vector, expect: { ...vector.expect, transaction } });
    return { ...(known as VectorTransaction), table: { address: key, addresses } };
  }
  throw new Error('the vectors have no v0 transaction');
}

/** Inputs that the service reads or draws itself. */
const FOUND_OUT = new Set([
  'shuttleId',
  'groupId',
  'validatorSeed',
  'sponsorSeed',
  'tokenProgram',
  'wrapped',
  'rentLamports',
  'payerValidator',
  'lookupTable',
]);

/** Returns the arguments that a caller would pass for a transaction. */
export function requestArguments({ op, input }: VectorTransaction): Record<string, unknown> {
  const args = Object.fromEntries(Object.entries(input).filter(([name]) => !FOUND_OUT.has(name)));
  // The SDK's two layout A builders are one operation in this service, with the SDK's defaults.
  if (op === 'delegateSpl') {
    return { initVaultIfMissing: input['initIfMissing'] ?? true, ...args, private: false };
  }
  return op === 'delegatePrivateSpl' ? { initVaultIfMissing: false, ...args, private: true } : args;
}

/** Lists the wallets that an input names. */
export const ownersOf = ({ input }: VectorTransaction): Address[] =>
  ['owner', 'from', 'to', 'destinationOwner', 'payer']
    .map((name) => input[name])
    .filter((value) => typeof value === 'string')
    .filter(isAddress);
