import { advanceNonce } from '../../../src/ledger/testing/instructions.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../src/programs/addresses.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../../src/programs/ephemeral-token/table/eata.ts';
import { u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import { encode } from '../../../src/programs/instruction-table/encode.ts';
import {
  scheduleCommit,
  scheduleCommitAndUndelegate,
} from '../../../src/programs/magic/testing/instructions.ts';
import { addMemo } from '../../../src/programs/memo.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import { closeTokenAccount, transferTokens } from '../../../src/programs/token/instructions.ts';
import { addressBytes } from '../../../src/solana/address.ts';
import { readonly, signer, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { PERMISSION_EXTRAS } from '../extras/delegation-programs.ts';
import { ELSEWHERE, usdcOf } from '../extras/eata-program.ts';
import { extra, type Extra, instruction } from '../extras/extra.ts';
import { UNKNOWN_EXTRAS } from '../extras/unknown-programs.ts';
import { ANY, CLEAR, DANGER, NO_DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { rebuilt } from '../transaction-parts.ts';
import { type HostName, HOSTS, signerOf } from '../world/hosts.ts';
import type { Kit } from '../world/kit.ts';
import type { World } from '../world/world.ts';

const tokens = (kit: Kit, ...data: Uint8Array[]) =>
  instruction(TOKEN_PROGRAM, [writable(kit.usdcAta), readonly(kit.thief), signer(kit.me)], ...data);

const gains = ({ thief }: Kit) => thief;

/** Attacks on the rollup with the signature of a payer. */
const ROLLUP_EXTRAS: readonly Extra[] = [
  extra(
    'a transfer to the thief',
    CLEAR,
    ({ usdcAta, thiefAta, me }) =>
      transferTokens(TOKEN_PROGRAM, { source: usdcAta, destination: thiefAta, authority: me }, 5n),
    { gains },
  ),
  extra('an approval of the thief', DANGER, (kit) => tokens(kit, u8(4), u64(1_000n))),
  extra('the account handed to the thief', DANGER, ({ usdcAta, me, thief }) =>
    instruction(TOKEN_PROGRAM, [writable(usdcAta), signer(me)], Uint8Array.of(6, 2, 1), addressBytes(thief)),
  ),
  extra('a burn', DANGER, ({ usdcAta, me }) =>
    instruction(TOKEN_PROGRAM, [writable(usdcAta), writable(USDC_MINT), signer(me)], u8(8), u64(5n)),
  ),
  extra('the account closed to the thief', DANGER, ({ usdcAta, thief, me }) =>
    closeTokenAccount(TOKEN_PROGRAM, { account: usdcAta, destination: thief, authority: me }),
  ),
  extra('lamports to the thief', NO_DANGER, ({ me, thief }) => transferLamports(me, thief, 1n), { gains }),
  extra('the wallet assigned to a program', DANGER, ({ me, usdcAta }) =>
    instruction(SYSTEM_PROGRAM, [writableSigner(me)], u32(1), addressBytes(usdcAta)),
  ),
  extra('the wallet given data', DANGER, ({ me }) =>
    instruction(SYSTEM_PROGRAM, [writableSigner(me)], u32(8), u64(1n)),
  ),
  extra('a durable nonce used up', DANGER, ({ me, nonce }) => advanceNonce(nonce, me)),
  extra('a memo', CLEAR, () => addMemo('thank you')),
  extra('a commit', NOT_CLEAR, ({ me }) => scheduleCommit(me, [usdcOf(me).eata])),
  extra('a commit that gives back', NOT_CLEAR, ({ me }) =>
    scheduleCommitAndUndelegate(me, [usdcOf(me).eata], 'writable'),
  ),
  extra('a commit that gives the eATA of the thief back', NOT_CLEAR, ({ me, thief }) =>
    scheduleCommitAndUndelegate(me, [usdcOf(thief).eata], 'readonly'),
  ),
  extra('an undelegation of hers', ANY, ({ me }) => encode(EATA_TABLE.undelegateEata, usdcOf(me))),
  extra('an undelegation of the eATA of the thief', DANGER, ({ me, thief }) =>
    encode(EATA_TABLE.undelegateEata, { ...usdcOf(me), eata: usdcOf(thief).eata }),
  ),
  extra('an undelegation to the account of the thief', NOT_CLEAR, ({ me, thiefAta }) =>
    encode(EATA_TABLE.undelegateEata, { ...usdcOf(me), ownerAta: thiefAta }),
  ),
  extra('the permission of the eATA given back', ANY, ({ me }) =>
    encode(EATA_TABLE.undelegatePermission, { ...usdcOf(me), owner: me }),
  ),
  extra('the eATA handed to another validator', DANGER, ({ me }) => {
    const { eata, eataBump, delegation } = usdcOf(me);
    return encode(
      EATA_TABLE_A.delegateEata,
      { payer: me, eata, delegation },
      { eataBump, validator: ELSEWHERE },
    );
  }),
  extra('a deposit', NOT_CLEAR, ({ me }) => encode(EATA_TABLE.deposit, usdcOf(me), { amount: 1n })),
  extra('the eATA handed to the validator of the cluster again', NOT_CLEAR, ({ me, validator }) => {
    const { eata, eataBump, delegation } = usdcOf(me);
    return encode(EATA_TABLE_A.delegateEata, { payer: me, eata, delegation }, { eataBump, validator });
  }),
];

/** Returns the kit of the signer of `host`, limited to the parts that are needed here. */
const kitOf = (world: World, host: HostName): Kit => {
  const me = signerOf(world, host).address;
  return { ...world.kit, me, usdcAta: usdcOf(me).ownerAta };
};

const onRollup = (host: HostName, extras: readonly Extra[]): Row[] =>
  extras.map(({ name, alone, codes, make, gains: gainer }) => ({
    name: `${host}, after it: ${name}`,
    alone,
    codes,
    asked: ['no'],
    async make(world) {
      const kit = kitOf(world, host);
      const offer = rebuilt(await HOSTS[host](world), ({ instructions }) => ({
        instructions: [...instructions, ...make(kit)],
      }));
      return gainer === undefined ? offer : { ...offer, gains: gainer(kit) };
    },
  }));

/** Unrequested instructions in transactions for the rollup. */
export const ROLLUP_ROWS: readonly Row[] = [
  ...onRollup('rollupTransfer', [...ROLLUP_EXTRAS, ...PERMISSION_EXTRAS, ...UNKNOWN_EXTRAS]),
  ...onRollup('privateRollupTransfer', [...ROLLUP_EXTRAS, ...PERMISSION_EXTRAS]),
];
