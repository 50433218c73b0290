import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../../../src/programs/addresses.ts';
import { u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import { addressBytes } from '../../../src/solana/address.ts';
import { readonly, signer, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { DANGER, NOT_CLEAR, type Verdict } from '../row.ts';
import { type Kit, strange } from '../world/kit.ts';
import { extra, type Extra, instruction } from './extra.ts';

const table = (
  name: string,
  alone: readonly Verdict[],
  make: (kit: Kit) => ReturnType<typeof instruction>,
): Extra => extra(`lookup table: ${name}`, alone, make);

/** The address lookup table program. */
export const TABLE_EXTRAS: readonly Extra[] = [
  table('hers is extended', NOT_CLEAR, ({ me, table: at, thief }) =>
    instruction(
      ADDRESS_LOOKUP_TABLE_PROGRAM,
      [writable(at), signer(me), writableSigner(me), readonly(SYSTEM_PROGRAM)],
      u32(2),
      u64(1n),
      addressBytes(thief),
    ),
  ),
  table('hers is frozen', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(1)),
  ),
  table('hers is put out of use', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(3)),
  ),
  table('hers is put out of use, with a byte after it', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(3), u8(0)),
  ),
  table('hers is closed to the thief', DANGER, ({ me, closableTable, thief }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(closableTable), signer(me), writable(thief)], u32(4)),
  ),
  table('one under the thief, at her expense', NOT_CLEAR, ({ me, thief }) =>
    instruction(
      ADDRESS_LOOKUP_TABLE_PROGRAM,
      [writable(strange(212)), readonly(thief), writableSigner(me), readonly(SYSTEM_PROGRAM)],
      u32(0),
      u64(1n),
      u8(255),
    ),
  ),
  table('an instruction that does not exist', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(9)),
  ),
];
