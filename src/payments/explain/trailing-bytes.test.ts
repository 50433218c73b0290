import { describe, expect, it } from 'vitest';
import { concat, u8 } from '../../programs/instruction-data.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { accountsOf, callsOf, type KnownProgram, matchForm } from './call.ts';
import { KNOWN_PROGRAMS } from './known-programs.ts';
import { explainInstructions } from './testing/explain-instructions.ts';
import { VECTOR_TRANSACTIONS } from './testing/vector-transactions.ts';

/** Every instruction of the vectors, once for each form it has. */
const CALLS = [
  ...new Map(
    VECTOR_TRANSACTIONS.flatMap(({ layout, transactionBase64 }) => {
      const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
      return callsOf(transaction, accountsOf(transaction, new Map())).map((call) => ({ call, layout }));
    }).map(({ call, layout }) => {
      const program = KNOWN_PROGRAMS.get(call.program) as KnownProgram;
      return [matchForm(program, call)?.form, { call, program, layout }] as const;
    }),
  ),
];

describe('an instruction with trailing bytes, which many programs accept', () => {
  it.each(
    // A note is all of its bytes: there is nothing behind it.
    CALLS.filter(([form]) => form?.action !== 'note').map(
      ([form, { call, program, layout }]) =>
        [`${program.name} ${form?.action} (${layout})`, call, layout] as const,
    ),
  )('is never harmless: %s', (_, call, layout) => {
    const accounts = call.accounts.map((meta) => ({ ...meta, address: meta.address as Address }));
    for (const extra of [u8(0), u8(1), new Uint8Array(7)]) {
      const changed = { programId: call.program, accounts, data: concat(call.data, extra) };
      const { findings } = explainInstructions([changed], { layout });
      // A bump of layout A looks like a byte too many in layout B.
      const isNamed = findings.some(({ level, code }) => level === 'danger' || code === 'OTHER_LAYOUT');
      expect(isNamed).toBe(true);
    }
  });
});
