import { z } from 'zod';
import { ServiceError } from '../../src/errors/service-error.ts';
import type { Operation } from '../../src/payments/operation.ts';

const Address = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  .describe('Address of the wallet, base58');

/** An amount as in the payment operations: an integer, or a decimal string for large values. */
const Amount = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,19}$/)])
  .transform((amount) => BigInt(amount))
  .describe("Amount in the mint's base units, 1 to 2^64-1: an integer or a decimal string");

const BuildInput = z.strictObject({
  owner: Address,
  amount: Amount,
  idempotent: z.boolean().default(true).describe('Whether an existing account is accepted'),
  memo: z.string().max(64).optional().describe('Text for the memo program, at most 64 characters'),
});

const BuildOutput = z.object({
  kind: z.literal('build').describe('What was built'),
  amount: z.string().describe('Amount in base units'),
  requiredSigners: z.array(z.string()).describe('Addresses that must sign'),
});

/** Builds something from its arguments. */
export const buildOperation: Operation<z.infer<typeof BuildInput>, z.infer<typeof BuildOutput>> = {
  name: 'build',
  title: 'Build something',
  description: 'Builds something unsigned. It does not send it.',
  input: BuildInput,
  output: BuildOutput,
  effect: 'build',
  run: async ({ owner, amount }) => ({
    output: { kind: 'build', amount: String(amount), requiredSigners: [owner] },
    sentences: ['Built something unsigned.', `It moves ${amount} base units.`],
  }),
};

const ReadOutput = z.object({ balance: z.string().describe('Balance in base units') });

/** Reads a balance. Its schema alone would drop unknown arguments. */
export const readOperation: Operation<{ owner?: string | undefined }, z.infer<typeof ReadOutput>> = {
  name: 'read',
  title: 'Read a balance',
  description: 'Reads a balance. Nothing is changed.',
  input: z.object({ owner: Address.optional() }),
  output: ReadOutput,
  effect: 'read',
  run: async () => ({ output: { balance: '7' }, sentences: ['Fetched the balance.'] }),
};

const Nothing = z.strictObject({});

/** Fails with an error that the caller can fix. */
export const refusingOperation: Operation = {
  name: 'refuse',
  title: 'Refuse',
  description: 'Always refuses.',
  input: Nothing,
  output: Nothing,
  effect: 'read',
  run: () => Promise.reject(new ServiceError('MINT_NOT_FOUND', 'There is no such mint; name another')),
};

/** Error text of the broken operation. It must not reach the caller or the log. */
export const SECRET = 'hunter2';

/** Fails because of a bug. */
export const brokenOperation: Operation = {
  name: 'break',
  title: 'Break',
  description: 'Always breaks.',
  input: Nothing,
  output: Nothing,
  effect: 'read',
  run: () => {
    throw new TypeError(`cannot read ${SECRET}`);
  },
};

export const FIXTURE_OPERATIONS: readonly Operation[] = [
  buildOperation,
  readOperation,
  refusingOperation,
  brokenOperation,
];
