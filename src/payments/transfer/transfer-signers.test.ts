import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delegationRecordData } from '../../../test/ports/map-chain.ts';
import { Clusters } from '../../chain/clusters.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { systemRandom } from '../../ports/random.ts';
import { DELEGATION_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { ANONYMOUS } from '../operation.ts';
import { createTransfer } from '../transfer.ts';
import { readyChain } from './testing/ready-chain.ts';

const from = '8RzHqGSjJnKayxwwRERRPrdXVn69nfM2eg5v63Qxz2vL' as Address;
const to = '5wAwJpWRgrMdc7jermX9HgMdouxcDcDRcZPxDFJgW3vw' as Address;
const platformFeeAccount = '6QxLzE2KfM1NAB7sTzUPk4cNsA6V9fB3eYq9s6d9r9hP' as Address;
const validator = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
const key = new Keypair(new Uint8Array(32).fill(3));
const sponsor = { address: key.address, cosign: async (message: Uint8Array) => key.sign(message) };
const chain = readyChain({
  from,
  to,
  mint: USDC_MINT,
  validator,
  sponsor: sponsor.address,
  platformFeeAccount,
});
// Whose tokens are on the rollup: there the sponsor takes its fee, and the recipient is paid.
for (const owner of [from, to, sponsor.address]) {
  const eata = deriveEata(owner, USDC_MINT).address;
  chain
    .put(eata, { owner: DELEGATION_PROGRAM, data: new Uint8Array(80) })
    .put(deriveDelegationRecord(eata).address, {
      owner: DELEGATION_PROGRAM,
      data: delegationRecordData(validator),
    });
}
const operation = createTransfer({ clusters: new Clusters([chain]), random: systemRandom, sponsor });

const place = fc.constantFrom('base', 'ephemeral');
const anyRequest = fc.record(
  {
    amount: fc.bigInt(0n, 10_000_000n).map(String),
    visibility: fc.constantFrom('public', 'private'),
    fromBalance: place,
    toBalance: place,
    gasless: fc.boolean(),
    memo: fc.string({ unit: 'grapheme', maxLength: 20 }),
    exactOut: fc.boolean(),
    split: fc.integer({ min: 1, max: 15 }),
    clientRefId: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
    minDelayMs: fc.integer({ min: 0, max: 600_000 }),
    initIfMissing: fc.boolean(),
    initAtasIfMissing: fc.boolean(),
    initVaultIfMissing: fc.boolean(),
    platform: fc.constant({ platformFeeBps: 250, platformFeeAccount }),
  },
  { requiredKeys: ['amount'] },
);

/** A sponsor creates no accounts for others. */
const request = anyRequest.map(({ initIfMissing, initAtasIfMissing, initVaultIfMissing, ...args }) =>
  args.gasless === true ? args : { ...args, initIfMissing, initAtasIfMissing, initVaultIfMissing },
);

/** Refusals that combinations of sound options may meet; any other failure is a fault. */
const EXPECTED_REFUSALS: ReadonlySet<string> = new Set([
  'UNSUPPORTED_TRANSFER_ROUTE',
  'INVALID_AMOUNT',
  'INVALID_PRIVATE_TRANSFER',
  'INVALID_PLATFORM_FEE',
  'INVALID_GASLESS_TRANSFER_AMOUNT',
  'TRANSACTION_TOO_LARGE',
]);

describe('every transfer that is built', () => {
  it('fits, and is signed only by the sponsor', async () => {
    let built = 0;
    await fc.assert(
      fc.asyncProperty(request, async ({ platform, ...args }) => {
        const input = operation.input.parse({ from, to, mint: USDC_MINT, ...args, ...platform });
        const result = await operation.run(input, ANONYMOUS).catch((error: unknown) => {
          if (isServiceError(error) && EXPECTED_REFUSALS.has(error.code)) return null;
          throw error;
        });
        if (result === null) return;
        built++;
        const { output } = result;
        const decoded = decodeTransaction(new Uint8Array(Buffer.from(output.transactionBase64, 'base64')));
        const { staticKeys, requiredSignatures, signatures, wire, instructions } = decoded;
        expect(output.requiredSigners).toEqual(staticKeys.slice(0, requiredSignatures));
        expect(output.requiredSigners).toEqual(args.gasless === true ? [sponsor.address, from] : [from]);
        const signed = signatures.map((signature) => signature.some((byte) => byte !== 0));
        expect(signed).toEqual(args.gasless === true ? [true, false] : [false]);
        expect(wire.length).toBeLessThanOrEqual(1_232);
        expect(output.instructionCount).toBe(instructions.length);
        expect(output.sendTo).toBe(args.fromBalance ?? 'base');
      }),
      { numRuns: 150 },
    );
    expect(built).toBeGreaterThan(30);
  });
});
