import { addressBytes } from './address.ts';
import type { CompiledMessage, MessageSource } from './message.ts';
import { V1_PREFIX } from './transaction-size.ts';
import { collectKeys, indexByFirst, orderByRights } from './v0-message.ts';

/** Bits of the config mask for the compute unit limit and the limit of loaded account data (SIMD-0385). */
const LIMITS_MASK = 0b1100;

/** Limits of a version 1 message. Without them it could use nothing. */
interface V1Limits {
  /** Compute units. */
  readonly computeUnits: number;
  /** Bytes of account data. */
  readonly loadedBytes: number;
}

/**
 * Compiles a message of version 1 (SIMD-0385). The accounts are ordered as in a v0 message without a table.
 *
 * @throws {RangeError} if an account count or a data length does not fit into its field.
 */
export function compileV1Message(source: MessageSource, limits: V1Limits): CompiledMessage {
  const { blockhash, instructions } = source;
  const keys = orderByRights(collectKeys(source));
  const indexOf = indexByFirst(keys.map(({ address }) => address));
  const signers = keys.filter(({ signer }) => signer);
  const head = Buffer.alloc(8);
  head.writeUInt8(V1_PREFIX, 0);
  head.writeUInt8(signers.length, 1);
  head.writeUInt8(signers.filter(({ writable }) => !writable).length, 2);
  head.writeUInt8(keys.filter(({ signer, writable }) => !signer && !writable).length, 3);
  head.writeUInt32LE(LIMITS_MASK, 4);
  const counts = Buffer.alloc(2);
  counts.writeUInt8(instructions.length, 0);
  counts.writeUInt8(keys.length, 1);
  const config = Buffer.alloc(8);
  config.writeUInt32LE(limits.computeUnits, 0);
  config.writeUInt32LE(limits.loadedBytes, 4);
  const bytes = Buffer.concat([
    head,
    blockhash,
    counts,
    ...keys.map(({ address }) => addressBytes(address)),
    config,
    ...instructions.map(({ programId, accounts, data }) => {
      const heading = Buffer.alloc(4);
      heading.writeUInt8(indexOf.get(programId) as number, 0);
      heading.writeUInt8(accounts.length, 1);
      heading.writeUInt16LE(data.length, 2);
      return heading;
    }),
    ...instructions.flatMap(({ accounts, data }) => [
      Uint8Array.from(accounts, ({ address }) => indexOf.get(address) as number),
      data,
    ]),
  ]);
  return { bytes: new Uint8Array(bytes), signers: signers.map(({ address }) => address) };
}
