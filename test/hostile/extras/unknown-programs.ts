import { BPF_LOADER_UPGRADEABLE, NOOP_PROGRAM } from '../../../src/programs/addresses.ts';
import { u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import type { Address } from '../../../src/solana/address.ts';
import { writable, writableSigner } from '../../../src/solana/instruction.ts';
import { DANGER } from '../row.ts';
import { strange } from '../world/kit.ts';
import { extra, type Extra, instruction } from './extra.ts';

const KNOWN_TO_AGAVE: readonly (readonly [name: string, program: string])[] = [
  ['the upgradeable loader', BPF_LOADER_UPGRADEABLE],
  ['the stake program', 'Stake11111111111111111111111111111111111111'],
  ['the vote program', 'Vote111111111111111111111111111111111111111'],
  ['the config program', 'Config1111111111111111111111111111111111111'],
  ['the ed25519 program', 'Ed25519SigVerify111111111111111111111111111'],
  ['the secp256k1 program', 'KeccakSecp256k11111111111111111111111111111'],
  ['the loader v4', 'LoaderV411111111111111111111111111111111111'],
  ['the proof program', 'ZkE1Gama1Proof11111111111111111111111111111'],
  ['the no-op program', NOOP_PROGRAM],
];

/** Programs that are unrelated to payments. */
export const UNKNOWN_EXTRAS: readonly Extra[] = [
  ...KNOWN_TO_AGAVE.map(([name, program]) =>
    extra(
      `a call of ${name}`,
      DANGER,
      ({ me, thief }) =>
        instruction(program as Address, [writableSigner(me), writable(thief)], u32(4), u64(1n)),
      { codes: ['UNKNOWN_PROGRAM'] },
    ),
  ),
  extra(
    'a call of a program that nobody knows',
    DANGER,
    ({ me, usdcAta }) => instruction(strange(213), [writableSigner(me), writable(usdcAta)], u8(0)),
    { codes: ['UNKNOWN_PROGRAM'] },
  ),
  extra(
    'a call of a program that nobody knows, without accounts',
    DANGER,
    () => instruction(strange(213), [], u8(0)),
    { codes: ['UNKNOWN_PROGRAM'] },
  ),
  extra(
    'a call of a token account as if it were a program',
    DANGER,
    ({ thiefAta, me }) => instruction(thiefAta, [writableSigner(me)], u8(0)),
    { codes: ['UNKNOWN_PROGRAM'] },
  ),
];
