import {
  deriveDelegationAccounts,
  deriveDepositAccounts,
} from '../../../src/payments/accounts/deposit-accounts.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../../src/programs/ephemeral-token/table/eata.ts';
import { concat, u8 } from '../../../src/programs/instruction-data.ts';
import { encode } from '../../../src/programs/instruction-table/encode.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { DANGER, NO_DANGER, NOT_CLEAR } from '../row.ts';
import { strange } from '../world/kit.ts';
import { extra, type Extra, instruction } from './extra.ts';

/** A validator other than the cluster's. */
export const ELSEWHERE = 'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e' as Address;

/** A wallet without any account. */
const NOBODY = strange(220);

/** Returns the accounts of a USDC deposit for the builders of layout A. */
export function usdcOf(owner: Address) {
  const accounts = deriveDepositAccounts(owner, USDC_MINT, TOKEN_PROGRAM);
  return {
    ...accounts,
    payer: owner,
    eata: accounts.eata.address,
    eataBump: accounts.eata.bump,
    vault: accounts.vault.address,
    vaultBump: accounts.vault.bump,
  };
}

const initEata = (payer: Address, owner: Address): Instruction => {
  const { eata, eataBump, mint } = usdcOf(owner);
  return encode(EATA_TABLE_A.initEata, { eata, payer, owner, mint }, { eataBump });
};

const delegateEata = (payer: Address, owner: Address, validator: Address | null): Instruction => {
  const { eata, eataBump, delegation } = usdcOf(owner);
  return encode(EATA_TABLE_A.delegateEata, { payer, eata, delegation }, { eataBump, validator });
};

const createPermission = (payer: Address, flags: number): Instruction => {
  const { eata, eataBump, permission } = usdcOf(payer);
  return encode(EATA_TABLE_A.createPermission, { eata, permission, payer }, { eataBump, flags });
};

/** Creates an instruction with only a tag, and accounts that it could affect. */
const bare = (tag: number): Extra =>
  extra(`eATA program: tag ${tag}, which is not known`, DANGER, ({ me, usdcAta }) =>
    instruction(
      EPHEMERAL_TOKEN_PROGRAM,
      [writableSigner(me), writable(usdcOf(me).eata), writable(usdcAta), readonly(TOKEN_PROGRAM)],
      u8(tag),
    ),
  );

/** The ephemeral SPL token program as localnet runs it (layout A). */
export const EATA_EXTRAS: readonly Extra[] = [
  extra('eATA program: an eATA of a stranger, at her expense', NO_DANGER, ({ me }) => initEata(me, NOBODY)),
  extra('eATA program: the vault of another mint, at her expense', NO_DANGER, ({ me, coin }) => {
    const { vault, vaultAta } = deriveDepositAccounts(me, coin, TOKEN_PROGRAM);
    return encode(
      EATA_TABLE_A.initVault,
      { vault: vault.address, payer: me, mint: coin, vaultAta, tokenProgram: TOKEN_PROGRAM },
      { vaultBump: vault.bump },
    );
  }),
  extra('eATA program: a deposit that is credited to a stranger', DANGER, ({ me }) => [
    initEata(me, NOBODY),
    encode(EATA_TABLE.deposit, { ...usdcOf(me), eata: usdcOf(NOBODY).eata }, { amount: 1_000n }),
  ]),
  extra('eATA program: a deposit that is credited to the thief', DANGER, ({ me, thief }) =>
    encode(EATA_TABLE.deposit, { ...usdcOf(me), eata: usdcOf(thief).eata }, { amount: 1_000n }),
  ),
  extra(
    "eATA program: a deposit into a vault account that is the thief's",
    DANGER,
    ({ me, thiefAta }) =>
      encode(EATA_TABLE.deposit, { ...usdcOf(me), vaultAta: thiefAta }, { amount: 1_000n }),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra('eATA program: a deposit with a byte after it', NOT_CLEAR, ({ me }) => {
    const plain = encode(EATA_TABLE.deposit, usdcOf(me), { amount: 1_000n });
    return { ...plain, data: concat(plain.data, u8(0)) };
  }),
  extra(
    'eATA program: a withdrawal to the thief',
    DANGER,
    ({ me, thiefAta }) =>
      encode(
        EATA_TABLE_A.withdraw,
        { ...usdcOf(me), ownerAta: thiefAta },
        { amount: 1_000n, vaultBump: usdcOf(me).vaultBump },
      ),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra(
    'eATA program: a withdrawal out of the eATA of the thief',
    DANGER,
    ({ me, thief }) =>
      encode(
        EATA_TABLE_A.withdraw,
        { ...usdcOf(me), eata: usdcOf(thief).eata },
        { amount: 1_000n, vaultBump: usdcOf(me).vaultBump },
      ),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra('eATA program: a withdrawal without its bump', NOT_CLEAR, ({ me }) => {
    const plain = encode(EATA_TABLE_A.withdraw, usdcOf(me), {
      amount: 1_000n,
      vaultBump: usdcOf(me).vaultBump,
    });
    return { ...plain, data: plain.data.subarray(0, 9) };
  }),
  extra('eATA program: her eATA handed to another validator', DANGER, ({ me }) =>
    delegateEata(me, me, ELSEWHERE),
  ),
  extra('eATA program: her eATA handed to no validator by name', NOT_CLEAR, ({ me }) =>
    delegateEata(me, me, null),
  ),
  extra('eATA program: her eATA handed to the validator of the cluster', NO_DANGER, ({ me, validator }) =>
    delegateEata(me, me, validator),
  ),
  extra('eATA program: her eATA asked back on base', NOT_CLEAR, ({ me }) =>
    encode(EATA_TABLE.undelegateEata, usdcOf(me)),
  ),
  extra('eATA program: a permission of hers, for herself', NO_DANGER, ({ me }) => createPermission(me, 0)),
  extra('eATA program: a permission of hers, set anew for herself', NO_DANGER, ({ me }) => {
    const { eata, eataBump, permission } = usdcOf(me);
    return [
      createPermission(me, 0),
      encode(EATA_TABLE_A.resetPermission, { eata, permission, owner: me }, { eataBump, flags: 0 }),
    ];
  }),
  extra('eATA program: her permission handed to another validator', DANGER, ({ me }) => {
    const { eata, eataBump, permission } = usdcOf(me);
    const delegation = deriveDelegationAccounts(permission, PERMISSION_PROGRAM);
    return [
      createPermission(me, 0),
      encode(
        EATA_TABLE_A.delegatePermission,
        { payer: me, eata, permission, delegation, validator: ELSEWHERE },
        { eataBump },
      ),
    ];
  }),
  ...[10, 18, 30, 31, 32, 33, 100, 196, 201, 255].map(bare),
];
