import { describe, expect, it } from 'vitest';
import { lookupTableData } from '../../../test/ports/lookup-table-data.ts';
import type { MapChain } from '../../../test/ports/map-chain.ts';
import { scriptedRandom } from '../../../test/vectors/scripted-random.ts';
import { Clusters } from '../../chain/clusters.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, NATIVE_MINT } from '../../programs/addresses.ts';
import { openTransfer } from '../../programs/private-transfer/testing/open-transfer.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { ANONYMOUS } from '../operation.ts';
import { createTransfer } from '../transfer.ts';
import { readyChain } from './testing/ready-chain.ts';

import vectors from '../../../test/vectors/layout-b.json' with { type: 'json' };

/** The parts of a vector these tests read; `level` is always hosted. */
interface Vector {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>> & {
    readonly from: Address;
    readonly to: string;
    readonly mint: Address;
    readonly amount: string;
    readonly validator: Address;
    readonly validatorSeed: string;
    readonly shuttleId: number;
    readonly groupId?: number;
    readonly wrapped?: string;
    readonly rentLamports?: string;
    readonly sponsorSeed?: string;
    readonly lookupTable?: { readonly key: Address; readonly addresses: readonly Address[] };
  };
  readonly expect: {
    readonly transaction: string | null;
    readonly instructionCount: number;
    readonly requiredSigners: readonly string[];
    readonly kind: string;
    readonly sendTo: string;
    readonly from: string;
    readonly fees: object;
    readonly encrypted?: readonly {
      readonly instruction: number;
      readonly offset: number;
      readonly length: number;
      readonly ephemeralSecretKey: string;
      readonly plaintext: string;
    }[];
    readonly error?: { readonly code: string; readonly message: string };
    readonly v0?: { readonly transaction?: string; readonly size?: number };
  };
}

const all = vectors.cases as unknown as (Vector & { readonly op: string })[];
const transfers = all.filter(({ op }) => op === 'transfer');
const built = transfers.filter(({ expect: { error } }) => error === undefined);
const refused = transfers.filter(({ expect: { error } }) => error !== undefined);
const v0 = all.filter(({ op }) => op === 'transfer.v0');

const seedOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const sponsorOf = ({ sponsorSeed }: Vector['input']) => {
  if (sponsorSeed === undefined) return undefined;
  const key = new Keypair(seedOf(sponsorSeed));
  return { address: key.address, cosign: async (message: Uint8Array) => key.sign(message) };
};

/** A chain that allows every transfer of the vectors. */
function chainOf(input: Vector['input']): MapChain {
  const { mint, wrapped, lookupTable } = input;
  const chain = readyChain({
    ...input,
    platformFeeAccount: input['platformFeeAccount'] as Address | undefined,
    sponsor: sponsorOf(input)?.address,
    sourceTokens: mint === NATIVE_MINT && wrapped === '0' ? null : 100_000_000n,
    rentPdaLamports: BigInt(input.rentLamports ?? 20_000_000),
  });
  if (lookupTable !== undefined) {
    const data = lookupTableData(lookupTable.addresses);
    chain.transferLookupTable = lookupTable.key;
    chain.put(lookupTable.key, { owner: ADDRESS_LOOKUP_TABLE_PROGRAM, data });
  }
  return chain;
}

/** Inputs that are no arguments of a transfer: the service draws, reads or is configured with them. */
const GIVEN_FROM_ELSEWHERE = new Set([
  'shuttleId',
  'groupId',
  'validatorSeed',
  'wrapped',
  'rentLamports',
  'sponsorSeed',
  'lookupTable',
]);

/** Builds a vector's transfer with the random bytes it was made with. */
async function build({ input, expect: { encrypted = [] } }: Vector, options: { legacy?: boolean } = {}) {
  const { shuttleId, groupId } = input;
  const request = Object.fromEntries(
    Object.entries(input).filter(([name]) => !GIVEN_FROM_ELSEWHERE.has(name)),
  );
  const fromBase =
    (input['fromBalance'] ?? 'base') === 'base' && (input['visibility'] ?? 'private') === 'private';
  const draws = fromBase ? [u32(shuttleId)] : groupId === undefined ? [] : [u32(groupId).slice(0, 6)];
  const operation = createTransfer({
    clusters: new Clusters([chainOf(input)]),
    random: scriptedRandom([...draws, ...encrypted.map(({ ephemeralSecretKey }) => ephemeralSecretKey)]),
    sponsor: sponsorOf(input),
  });
  const { output } = await operation.run(operation.input.parse({ ...request, ...options }), ANONYMOUS);
  return operation.output.parse(output);
}

const u32 = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('hex');
};

describe('the transfers of the hosted API', () => {
  it('are 22 that succeed, 5 that are rejected, and 2 with a lookup table', () => {
    expect([built.length, refused.length, v0.length]).toEqual([22, 5, 2]);
  });

  it.each(built.map((vector) => [vector.id, vector] as const))(
    '%s: same bytes and members',
    async (_, vector) => {
      const output = await build(vector);
      const { kind, sendTo, from, fees, instructionCount, requiredSigners, transaction } = vector.expect;
      expect(output).toMatchObject({ kind, sendTo, from, fees, instructionCount, requiredSigners });
      expect(output.version).toBe('legacy');
      expect(output.transactionBase64).toBe(transaction);
      expect(output.sendRpcEndpoint).toBe(sendTo === 'base' ? undefined : 'https://rollup.example');
    },
  );

  it.each(refused.map((vector) => [vector.id, vector] as const))('%s: same refusal', async (_, vector) => {
    const failure: unknown = await build(vector).catch((error: unknown) => error);
    const { code, message } = vector.expect.error as { code: string; message: string };
    if (!isServiceError(failure)) throw failure;
    expect(failure.code).toBe(code);
    expect(failure.message.startsWith(message)).toBe(true);
    expect(failure.httpStatus).toBe(400);
  });
});

describe('a private transfer with a lookup table', () => {
  const [fitting, tooLarge] = v0 as unknown as [Vector, Vector];

  it('uses the v0 form if it is smaller: same bytes', async () => {
    const output = await build(fitting);
    expect(output.version).toBe('v0');
    expect(output.transactionBase64).toBe(fitting.expect.v0?.transaction);
    expect(Buffer.from(output.transactionBase64, 'base64')).toHaveLength(fitting.expect.v0?.size as number);
  });

  it('uses the legacy form if requested: same bytes', async () => {
    const output = await build(fitting, { legacy: true });
    expect(output.version).toBe('legacy');
    expect(output.transactionBase64).toBe(fitting.expect.transaction);
  });

  it('uses the v0 form if no other fits', async () => {
    const output = await build(tooLarge);
    expect(output.version).toBe('v0');
    expect(output).toMatchObject({
      instructionCount: tooLarge.expect.instructionCount,
      requiredSigners: tooLarge.expect.requiredSigners,
      fees: tooLarge.expect.fees,
    });
    const { wire, lookups } = decodeTransaction(
      new Uint8Array(Buffer.from(output.transactionBase64, 'base64')),
    );
    expect(lookups.map(({ table }) => table)).toEqual([tooLarge.input.lookupTable?.key]);
    expect(wire.length).toBeLessThanOrEqual(1_232);
  });

  it('gives advice if the requested legacy form does not fit', async () => {
    const failure: unknown = await build(tooLarge, { legacy: true }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'TRANSACTION_TOO_LARGE' });
    expect((failure as Error).message).toMatch(/^Transaction too large: 1267 > 1232 .*legacy.*memo.*gasless/);
  });
});

describe('the sealed part of a private transfer', () => {
  const sealed = [...built, ...v0].filter(({ expect: { encrypted } }) => encrypted !== undefined);

  it.each(sealed.map((vector) => [vector.id, vector] as const))(
    '%s: opens to the requested values',
    async (_, vector) => {
      const { output, plaintexts } = {
        output: await build(vector),
        plaintexts: vector.expect.encrypted ?? [],
      };
      const { instructions } = decodeTransaction(
        new Uint8Array(Buffer.from(output.transactionBase64, 'base64')),
      );
      const fields = plaintexts.map(({ instruction, offset, length }) =>
        instructions[instruction]?.data.slice(offset, offset + length),
      ) as [Uint8Array, Uint8Array];
      const opened = openTransfer(
        { destination: fields[0], terms: fields[1] },
        seedOf(vector.input.validatorSeed),
      );
      const destination = addressBytes(opened?.destinationOwner as Address);
      expect(Buffer.from(destination).toString('hex')).toBe(plaintexts[0]?.plaintext);
      expect(opened?.terms).toMatchObject({
        split: vector.input['split'] ?? 1,
        minDelayMs: BigInt((vector.input['minDelayMs'] as string | undefined) ?? 0),
      });
    },
  );
});
